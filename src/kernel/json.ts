export type Json = string | number | boolean | null | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}

/** Whether a parsed value is a JSON object (not an array, not null). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is the very character to look for.
const NUL = /\u0000/g

/** Text that PostgreSQL and ClickHouse accept: NUL and lone surrogates become U+FFFD (`reliability.md` E1, E2). */
export function toStorableText(text: string): string {
  const withoutNul = text.includes("\u0000") ? text.replace(NUL, "\uFFFD") : text
  return withoutNul.isWellFormed() ? withoutNul : withoutNul.toWellFormed()
}

/**
 * Copies a parsed JSON value so that every text in it, keys included, can be stored. Returns the same value when nothing
 * had to change, which is the usual case. `__proto__` stays an ordinary own key (`reliability.md` E5).
 */
export function toStorableJson<T extends Json>(value: T): T {
  return clean(value) as T
}

function clean(value: Json): Json {
  if (typeof value === "string") return toStorableText(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return cleanArray(value)
  return cleanObject(value)
}

function cleanArray(items: Json[]): Json[] {
  let copy: Json[] | null = null
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as Json
    const cleaned = clean(item)
    if (copy === null && cleaned !== item) copy = items.slice(0, index)
    if (copy !== null) copy.push(cleaned)
  }
  return copy ?? items
}

function cleanObject(object: JsonObject): JsonObject {
  let changed = false
  const entries: [string, Json][] = []
  for (const key of Object.keys(object)) {
    const value = object[key] as Json
    const cleanKey = toStorableText(key)
    const cleanValue = clean(value)
    if (cleanKey !== key || cleanValue !== value) changed = true
    entries.push([cleanKey, cleanValue])
  }
  return changed ? Object.fromEntries(entries) : object
}
