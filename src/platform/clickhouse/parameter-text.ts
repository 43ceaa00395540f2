import { escapeText } from "./escape-text.js"

/**
 * Writes a value in the escaped form in which ClickHouse's HTTP interface reads the value of `{name:Type}`: top-level
 * texts bare, texts inside arrays, tuples and maps quoted. Null is `\N` at the top and NULL inside; a Date is the
 * number of seconds since the epoch, with milliseconds.
 * @throws TypeError for a value that no ClickHouse type takes (functions, symbols, invalid dates).
 */
export function toParameterText(value: unknown): string {
  if (value === null || value === undefined) return "\\N"
  if (typeof value === "string") return escapeText(value)
  if (typeof value === "boolean") return value ? "1" : "0"
  return toNestedText(value)
}

function toNestedText(value: unknown): string {
  if (value === null || value === undefined) return "NULL"
  if (typeof value === "string") return `'${escapeText(value)}'`
  if (typeof value === "boolean") return String(value)
  if (typeof value === "bigint") return String(value)
  if (typeof value === "number") return toNumberText(value)
  if (Array.isArray(value)) return `[${value.map(toNestedText).join(",")}]`
  if (value instanceof Date && !Number.isNaN(value.getTime())) return (value.getTime() / 1000).toFixed(3)
  if (value instanceof Map) return toMapText([...value])
  if (typeof value === "object" && !(value instanceof Date)) return toMapText(Object.entries(value))
  throw new TypeError(`${String(value)} cannot be a query parameter`)
}

function toMapText(entries: readonly (readonly [unknown, unknown])[]): string {
  return `{${entries.map(([key, value]) => `${toNestedText(key)}:${toNestedText(value)}`).join(",")}}`
}

function toNumberText(value: number): string {
  if (Number.isNaN(value)) return "nan"
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf"
  return String(value)
}
