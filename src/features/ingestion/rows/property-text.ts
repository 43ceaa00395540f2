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

/** Writes the fields of properties with columns of their own, each behind a tab. */
export type PropertyFieldsWriter = (properties: JsonObject) => string

/**
 * Makes the writer for properties of these names, in the order of their columns.
 * @param columnCount columns beyond the names are null
 */
export function createPropertyFieldsWriter(
  names: readonly string[],
  columnCount: number = names.length,
): PropertyFieldsWriter {
  const places = new Map(names.map((name, index) => [name, index + 1]))
  // The empty text in front becomes the first tab.
  const none = ["", ...new Array<string>(columnCount).fill(NULL_FIELD)]
  return (properties) => {
    const fields = none.slice()
    // Events have fewer properties than there are columns.
    for (const name of Object.keys(properties)) {
      const place = places.get(name)
      if (place === undefined) continue
      const text = toPropertyText(properties[name])
      if (text !== null) fields[place] = escapeField(text)
    }
    return fields.join("\t")
  }
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
  // By value: ids and tokens have long rows of digits in nearly every event, such numbers hardly any has.
  return hasTooLong(properties) ? JSON.stringify(properties, (_key, value: Json) => shorten(value)) : json
}

const hasTooLong = (value: Json): boolean =>
  typeof value === "number"
    ? isTooLong(value)
    : typeof value === "object" && value !== null && Object.values(value).some(hasTooLong)

const shorten = (value: Json): Json =>
  typeof value === "number" && isTooLong(value) ? toWrittenNumber(value.toExponential()) : value

function isTooLong(value: number): boolean {
  const size = Math.abs(value)
  return size >= TOO_LONG && size < WRITTEN_WITH_EXPONENT
}
