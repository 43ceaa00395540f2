import { GraphQLScalarType, Kind, type ValueNode } from "graphql"
import { GraphQLDateTimeISO } from "graphql-scalars"
import type { Json } from "../../kernel/json.js"

/** Any JSON value, used where the contract says "any" (playlist filters, properties, query results). */
export const JsonScalar = new GraphQLScalarType<Json, Json>({
  name: "JSON",
  description: "Any JSON value: object, array, text, number, boolean or null.",
  specifiedByURL: "https://www.rfc-editor.org/rfc/rfc8259",
  serialize: (value) => value as Json,
  parseValue: (value) => value as Json,
  parseLiteral: (node, variables) => fromLiteral(node, variables ?? {}),
})

/** ISO 8601 time in UTC with milliseconds. */
export const DateTimeScalar = new GraphQLScalarType({
  ...GraphQLDateTimeISO.toConfig(),
  description:
    "A time in ISO 8601, in UTC with milliseconds: `2007-12-03T10:15:30.000Z`. Given ones may have another zone.",
  specifiedByURL: "https://www.rfc-editor.org/rfc/rfc3339",
})

function fromLiteral(node: ValueNode, variables: Record<string, unknown>): Json {
  switch (node.kind) {
    case Kind.STRING:
    case Kind.ENUM:
    case Kind.BOOLEAN:
      return node.value
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value)
    case Kind.NULL:
      return null
    case Kind.LIST:
      return node.values.map((value) => fromLiteral(value, variables))
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map((field) => [field.name.value, fromLiteral(field.value, variables)]))
    case Kind.VARIABLE:
      return (variables[node.name.value] ?? null) as Json
  }
}
