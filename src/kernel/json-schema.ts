/** A JSON Schema, as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>

export const TEXT: JsonSchema = { type: "string" }
export const NULLABLE_TEXT: JsonSchema = { type: ["string", "null"] }
export const TEXT_LIST: JsonSchema = { type: "array", items: TEXT }
export const UUID: JsonSchema = { type: "string", format: "uuid" }
export const NUMBER: JsonSchema = { type: "number" }
export const BOOLEAN: JsonSchema = { type: "boolean" }
export const INTEGER: JsonSchema = { type: "integer" }
export const TIME: JsonSchema = { type: "string", format: "date-time" }
export const NULLABLE_TIME: JsonSchema = { type: ["string", "null"], format: "date-time" }
export const ANY_JSON: JsonSchema = {}
export const ANY_OBJECT: JsonSchema = { type: "object", additionalProperties: true }

/** The schema of an object. */
export interface ObjectSchema extends JsonSchema {
  /** Under which the OpenAPI document has it among its components. */
  readonly title?: string
  readonly properties: Readonly<Record<string, JsonSchema>>
}

/** An object with these fields; the ones named in `required` are always there. */
export const toObjectSchema = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[] = []) => ({
  type: "object",
  properties,
  ...(required.length > 0 ? { required } : {}),
})
