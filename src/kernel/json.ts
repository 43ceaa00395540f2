/** A value as `JSON.parse` gives it. */
export type Json = string | number | boolean | null | Json[] | JsonObject
/** A JSON object. Keys are whatever somebody sent, `__proto__` included. */
export interface JsonObject {
  [key: string]: Json
}

/** `JSON.parse`, typed. @throws SyntaxError */
export const parseJson = (text: string): Json => JSON.parse(text)

/** Whether a parsed value has more levels of arrays and objects: whatever walks these one in another may overflow. */
export const isNestedDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isNestedDeeper(inner, levels - 1)))

/** Whether a parsed value is a JSON object (not an array, not null). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is the very character to look for.
const NUL = /\u0000/g

/**
 * Text that PostgreSQL and ClickHouse accept: NUL and lone surrogates become U+FFFD
 * (`docs/contract/faults.md#unstorable-text`).
 */
export function toStorableText(text: string): string {
  const withoutNul = text.includes("\u0000") ? text.replace(NUL, "\uFFFD") : text
  return withoutNul.isWellFormed() ? withoutNul : withoutNul.toWellFormed()
}

/**
 * Copies a parsed JSON value so that every text in it, keys included, can be stored. Returns the same value when
 * nothing had to change, which is the usual case. `__proto__` stays an ordinary own key
 * (`docs/contract/faults.md#property-names`).
 */
export function toStorableJson<T extends Json>(value: T): T {
  return clean(value) as T
}

function clean(value: Json): Json {
  if (isStorable(value)) return value
  if (typeof value === "string") return toStorableText(value)
  if (Array.isArray(value)) return value.map(clean)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toStorableText(key), clean(inner)]))
}

/** Looks through a value without making anything: nearly every event needs no change. */
function isStorable(value: Json): boolean {
  if (typeof value === "string") return isStorableText(value)
  if (typeof value !== "object" || value === null) return true
  if (Array.isArray(value)) return value.every(isStorable)
  for (const key in value) if (!isStorableText(key) || !isStorable(value[key] ?? null)) return false
  return true
}

const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes("\u0000")
