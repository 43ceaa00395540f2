import { AppError } from "../../kernel/errors.js"
import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.js"

/** Reads one field of a body; throws AppError naming the field when the value is of another type. */
export type FieldReader<Value> = (value: Json, field: string) => Value

const TRUE_TEXTS = new Set(["true", "t", "yes", "y", "on", "1"])
const FALSE_TEXTS = new Set(["false", "f", "no", "n", "off", "0"])

const invalid = (field: string, detail: string): AppError => new AppError("invalid_input", { attr: field, detail })

/** Text; a number counts as its digits, as REST clients expect of these paths. */
export const text: FieldReader<string> = (value, field) => {
  if (value === null) throw new AppError("null", { attr: field })
  if (typeof value === "string") return value
  if (typeof value === "number") return String(value)
  throw invalid(field, "Not a valid string.")
}

/** True or false, also written as a word or as 1 and 0. */
export const flag: FieldReader<boolean> = (value, field) => {
  if (value === null) throw new AppError("null", { attr: field })
  if (typeof value === "boolean") return value
  const word = typeof value === "string" || typeof value === "number" ? String(value).toLowerCase() : ""
  if (TRUE_TEXTS.has(word)) return true
  if (FALSE_TEXTS.has(word)) return false
  throw invalid(field, "Must be a valid boolean.")
}

/** A whole number, also as decimal text. */
export const integer: FieldReader<number> = (value, field) => {
  if (value === null) throw new AppError("null", { attr: field })
  const number = typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : value
  if (typeof number === "number" && Number.isSafeInteger(number)) return number
  throw invalid(field, "A valid integer is required.")
}

/** Any JSON value as it is, null included. */
export const anyJson: FieldReader<Json> = (value) => value

/** A JSON object. */
export const object: FieldReader<JsonObject> = (value, field) => {
  if (value === null) throw new AppError("null", { attr: field })
  if (isJsonObject(value)) return value
  throw invalid(field, `Expected a dictionary of items but got type "${typeName(value)}".`)
}

/** A list of text values. */
export const textList: FieldReader<string[]> = (value, field) => {
  if (value === null) throw new AppError("null", { attr: field })
  if (Array.isArray(value)) return value.map((item) => text(item, field))
  throw new AppError("invalid_input", {
    attr: field,
    wireCode: "not_a_list",
    detail: `Expected a list of items but got type "${typeName(value)}".`,
  })
}

/** Lets null through and leaves the rest to `read`. */
export const nullable =
  <Value>(read: FieldReader<Value>): FieldReader<Value | null> =>
  (value, field) =>
    value === null ? null : read(value, field)

type Readers = Readonly<Record<string, readonly [name: string, read: FieldReader<unknown>]>>
type Fields<Known extends Readers> = {
  -readonly [Field in keyof Known as Known[Field][0]]?: ReturnType<Known[Field][1]>
}

/**
 * Reads the known fields of a JSON body into their inner names; an absent field stays absent and an unknown one is
 * ignored, as are the read-only ones (`docs/contract/management.md#bodies-of-management`).
 * @throws AppError invalid_input or null naming the first field at fault as it is written on the wire.
 */
export function readFields<const Known extends Readers>(body: Json, known: Known): Fields<Known> {
  if (!isJsonObject(body))
    throw new AppError("invalid_input", {
      detail: `Invalid data. Expected a dictionary, but got ${typeName(body)}.`,
    })
  const fields: Record<string, unknown> = {}
  for (const [field, [name, read]] of Object.entries(known))
    if (Object.hasOwn(body, field)) fields[name] = read(body[field] ?? null, field)
  return fields as Fields<Known>
}

function typeName(value: Json): string {
  if (value === null) return "null"
  return Array.isArray(value) ? "list" : typeof value
}
