import type { Json } from "../../../kernel/json.js"
import { offsetAt } from "../../../kernel/time-zone.js"

/** Formats one value of the engine's JSON for an answer. */
type Format = (value: Json) => Json

/**
 * Rows as answers format them (`docs/contract/queries.md#hogql-times`): times in ISO with `Z` for UTC and the offset of
 * the project's zone otherwise, at any depth of arrays, tuples and maps; everything else as the engine's JSON has it.
 *
 * @param types the engine's type of each column
 * @param rows read with `date_time_output_format = 'iso'`, so that every time names its instant
 */
export function toWireRows(rows: readonly (readonly Json[])[], types: readonly string[], timezone: string): Json[][] {
  const formats = types.map((type) => findFormat(type, timezone))
  if (formats.every((format) => format === asItIs)) return rows as Json[][]
  return rows.map((row) => row.map((value, index) => (formats[index] ?? asItIs)(value)))
}

const asItIs: Format = (value) => value

function findFormat(type: string, timezone: string): Format {
  if (!type.includes("DateTime")) return asItIs
  const [, name = "", inside = ""] = /^(\w+)(?:\((.*)\))?$/s.exec(type) ?? []
  // A zone that the query asked for wins over the project's.
  if (name === "DateTime" || name === "DateTime64")
    return (value) => showTime(value, ZONE.exec(inside)?.[1] ?? timezone)
  if (name === "Nullable" || name === "LowCardinality") return findFormat(inside, timezone)
  if (name === "Array") {
    const format = findFormat(inside, timezone)
    return (value) => (Array.isArray(value) ? value.map(format) : value)
  }
  const formats = splitTypes(inside).map((part) => findFormat(part.replace(/^[`\w$]+ (?=\w)/, ""), timezone))
  if (name === "Map") return (value) => mapValues(value, formats[1] ?? asItIs)
  return (value) => (Array.isArray(value) ? value.map((item, index) => (formats[index] ?? asItIs)(item)) : value)
}

/** `'Asia/Tokyo'`, `6, 'Asia/Tokyo'`. */
const ZONE = /'([^']+)'$/

function mapValues(value: Json, format: Format): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, format(item)]))
}

/** The types between commas, brackets respected. */
function splitTypes(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    if (text[at] === "(") depth++
    else if (text[at] === ")") depth--
    else if (at === text.length || (text[at] === "," && depth === 0)) {
      parts.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  return parts
}

const INSTANT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d+))?Z$/

/** An instant of the engine in a time zone, with its offset and without trailing zeros; anything else as it is. */
export function showTime(value: Json, timezone: string): Json {
  const found = typeof value === "string" ? INSTANT.exec(value) : null
  if (found === null) return value
  const [, seconds = "", written = ""] = found
  const fraction = written.replace(/0+$/, "")
  const rest = fraction === "" ? "" : `.${fraction}`
  if (timezone === "UTC") return `${seconds}${rest}Z`
  const instantMs = Date.parse(`${seconds}Z`)
  const offsetMs = offsetAt(instantMs, timezone)
  return `${new Date(instantMs + offsetMs).toISOString().slice(0, 19)}${rest}${offsetText(offsetMs)}`
}

function offsetText(offsetMs: number): string {
  const minutes = Math.round(Math.abs(offsetMs) / 60_000)
  const two = (count: number) => String(count).padStart(2, "0")
  return `${offsetMs < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
