import type { GraphQLSchema } from "graphql"
import { isInputObjectType } from "graphql"
import { Extensions } from "type-graphql"

/** Marks an input class of which exactly one field is to be given; its fields are nullable. */
export const OneOfInput = (): ClassDecorator => Extensions({ isOneOf: true })

/** Makes graphql-js check the marked inputs, and show `@oneOf`: type-graphql knows no such option. */
export function applyOneOfInputs(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap()))
    if (isInputObjectType(type) && type.extensions.isOneOf === true) type.isOneOf = true
  return schema
}
