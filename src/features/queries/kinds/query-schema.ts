import { ANY_JSON, type JsonSchema } from "../../../kernel/json-schema.js"
import { type Fields, KNOWN_FIELDS } from "./known-fields.js"

/**
 * The JSON Schema of a query of any kind, made of the fields that each kind has: a field that is not in it would be
 * refused by its name (`docs/contract/queries.md#exact-or-refused`). Values are checked when a query is asked.
 */
export const QUERY_SCHEMA: JsonSchema = {
  title: "Query",
  anyOf: Object.entries(KNOWN_FIELDS).map(([kind, fields]) => toKindSchema(kind, fields)),
}

function toKindSchema(kind: string, fields: Fields): JsonSchema {
  const { properties, ...object } = toObject(fields)
  return {
    title: kind,
    ...object,
    properties: { ...properties, kind: { type: "string", enum: [kind] } },
    required: ["kind"],
  }
}

function toObject(fields: Fields) {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, inner]) => [name, toSchema(inner)]))
  return { type: "object", properties, additionalProperties: false }
}

/** Of an object of these fields, or of a list of them. */
function toSchema(fields: true | Fields): JsonSchema {
  if (fields === true) return ANY_JSON
  const object = toObject(fields)
  return { anyOf: [object, { type: "array", items: object }, { type: "null" }] }
}
