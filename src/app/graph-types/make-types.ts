import {
  GraphQLEnumType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLNullableType,
  GraphQLObjectType,
  type GraphQLOutputType,
} from "graphql"
import type { JsonObject } from "../../kernel/json.js"

/** What is said of each name of an enum, and its word in the operations: the name in small letters if absent. */
export type Members = Readonly<Record<string, string | readonly [value: string, description: string]>>

/** Makes an enum whose values are the words that operations take and give. */
export function makeEnum(name: string, description: string, members: Members): GraphQLEnumType {
  const values = Object.entries(members).map(([key, member]) => {
    const [value, text] = typeof member === "string" ? [key.toLowerCase(), member] : member
    return [key, { value, description: text }] as const
  })
  return new GraphQLEnumType({ name, description, values: Object.fromEntries(values) })
}

/** Makes a list without nulls. */
export const makeList = <Type extends GraphQLNullableType>(type: Type): GraphQLList<GraphQLNonNull<Type>> =>
  new GraphQLList(new GraphQLNonNull(type))

/** A field of a type that is made of JSON: its value lies under the field's own name. */
export interface ShownField {
  readonly type: GraphQLOutputType
  readonly description: string
}

/** Makes a type of objects with these fields. */
export const makeObject = (
  name: string,
  description: string,
  fields: () => Readonly<Record<string, ShownField>>,
): GraphQLObjectType => new GraphQLObjectType({ name, description, fields: () => ({ ...fields() }) })

/** Whether a value of an operation is an object of JSON. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
