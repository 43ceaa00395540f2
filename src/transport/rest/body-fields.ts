import { AppError } from "../../kernel/errors.js"
import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.js"
import { type JsonSchema, toObjectSchema } from "../../kernel/json-schema.js"

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

/** A field of a body: how it is documented and how it is read. */
export interface BodyField {
  readonly schema: JsonSchema
  readonly read: FieldReader<unknown>
  /** What it is called inside; its name on the wire in camel case when absent. */
  readonly as?: string
  readonly isRequired?: boolean
}

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<CamelCase<Rest>>}` : Name
type InnerName<Name, Field> = Field extends { readonly as: infer Inner extends string } ? Inner : CamelCase<Name>
type Required = { readonly isRequired: true }
type Values<Fields extends Readonly<Record<string, BodyField>>> = {
  readonly [Name in keyof Fields as Fields[Name] extends Required
    ? InnerName<Name, Fields[Name]> & string
    : never]: ReturnType<Fields[Name]["read"]>
} & {
  readonly [Name in keyof Fields as Fields[Name] extends Required
    ? never
    : InnerName<Name, Fields[Name]> & string]?: ReturnType<Fields[Name]["read"]>
}

/** The JSON bodies of a row, all of it made of one list of fields. */
export interface BodyShape<Read> {
  /** By name. */
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly schema: JsonSchema
  /**
   * Reads the fields into their inner names; an absent field stays absent and an unknown one is ignored, as are the
   * read-only ones (`docs/contract/management.md#bodies-of-management`).
   * @throws AppError required, invalid_input or null naming the first field at fault as it is written on the wire.
   */
  read(body: Json): Read
}

/** @param fields by their names on the wire. */
export function defineBody<const Fields extends Readonly<Record<string, BodyField>>>(
  fields: Fields,
): BodyShape<Values<Fields>> {
  const all = Object.entries<BodyField>(fields)
  const properties = Object.fromEntries(all.map(([name, { schema }]) => [name, schema]))
  const required = all.flatMap(([name, { isRequired = false }]) => (isRequired ? [name] : []))
  const read = (body: Json): Values<Fields> => {
    if (!isJsonObject(body))
      throw new AppError("invalid_input", {
        detail: `Invalid data. Expected a dictionary, but got ${typeName(body)}.`,
      })
    const values: Record<string, unknown> = {}
    for (const [name, field] of all)
      if (Object.hasOwn(body, name)) values[field.as ?? toCamelCase(name)] = field.read(body[name] ?? null, name)
      else if (field.isRequired) throw new AppError("required", { attr: name })
    return values as Values<Fields>
  }
  return { properties, schema: toObjectSchema(properties, required), read }
}

/** The fields of these bodies, read into the one variable that mutations call `input`. */
export function asInput(...shapes: readonly BodyShape<object>[]): BodyShape<{ readonly input: object }> {
  const properties = Object.assign({}, ...shapes.map((shape) => shape.properties))
  const read = (body: Json) => ({ input: Object.assign({}, ...shapes.map((shape) => shape.read(body))) })
  return { properties, schema: toObjectSchema(properties), read }
}

/** `short_id` as `shortId`. */
export const toCamelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

function typeName(value: Json): string {
  if (value === null) return "null"
  return Array.isArray(value) ? "list" : typeof value
}
