import { toWrittenNumber } from "../../../kernel/exact-json.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import { escapeField, NULL_FIELD } from "../../../kernel/tab-separated.js"

/**
 * The value of a property as its column holds it: what ClickHouse gives for `JSONExtract(…, 'Nullable(String)')`,
 * which is how properties without a column are read. Text is itself, a missing property and null are null, all else is
 * its JSON.
 */
export function toPropertyText(value: Json | undefined): string | null {
  if (typeof value === "string") return value
  if (value === null || value === undefined) return null
  return typeof value === "object" ? writeJson(value) : writePlain(value)
}

/** The fields of properties with columns of their own, each behind a tab. */
export function writePropertyFields(names: readonly string[], properties: JsonObject): string {
  let fields = ""
  for (const name of names) {
    const text = Object.hasOwn(properties, name) ? toPropertyText(properties[name]) : null
    fields += text === null ? `\t${NULL_FIELD}` : `\t${escapeField(text)}`
  }
  return fields
}

const writePlain = (value: number | boolean): string =>
  typeof value === "number" ? (value === 0 ? "0" : String(value).replace("e+", "e")) : String(value)

/** JSON as ClickHouse writes it: that of JavaScript but for exponents and two line separators. */
function writeJson(value: Json): string {
  if (typeof value === "string") return writeText(value)
  if (value === null) return "null"
  if (typeof value !== "object") return writePlain(value)
  if (Array.isArray(value)) return `[${value.map(writeJson).join(",")}]`
  return `{${Object.entries(value)
    .map(([key, inner]) => `${writeText(key)}:${writeJson(inner)}`)
    .join(",")}}`
}

const writeText = (text: string): string =>
  JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")

/** No number with fewer digits is too long for the engine. */
const LONG = /\d{19}/
/** Whole numbers from here on may have more digits than 64 bits hold. */
const TOO_LONG = 2 ** 63
/** From here on JavaScript itself writes an exponent. */
const WRITTEN_WITH_EXPONENT = 1e21

/**
 * Properties as JSON text that ClickHouse can read. It takes a whole number that 64 bits do not hold for damaged JSON,
 * and then finds nothing in the text, not even the other properties; with an exponent the same number is a double.
 * @param json the properties as JSON.stringify writes them
 */
export function writeProperties(properties: JsonObject, json: string): string {
  return LONG.test(json) ? JSON.stringify(properties, (_key, value: Json) => shorten(value)) : json
}

function shorten(value: Json): Json {
  if (typeof value !== "number") return value
  const size = Math.abs(value)
  return size >= TOO_LONG && size < WRITTEN_WITH_EXPONENT ? toWrittenNumber(value.toExponential()) : value
}
