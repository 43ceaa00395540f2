import "reflect-metadata"
import { expect, test } from "@jest/globals"
import {
  buildSchema,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from "graphql"
import { printedSchema } from "../../src/app/create-schema.js"

const schema = buildSchema(await printedSchema())
const ROOTS: readonly unknown[] = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]

/** Names of everything in a type that has no description. */
function silentPartsOf(type: GraphQLNamedType): string[] {
  const parts: { readonly name: string; readonly description?: string | null | undefined }[] = []
  if (!ROOTS.includes(type)) parts.push({ name: type.name, description: type.description })
  if (isEnumType(type))
    for (const { name, description } of type.getValues()) parts.push({ name: `${type.name}.${name}`, description })
  if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type))
    for (const field of Object.values(type.getFields())) {
      parts.push({ name: `${type.name}.${field.name}`, description: field.description })
      if ("args" in field)
        for (const { name, description } of field.args)
          parts.push({ name: `${type.name}.${field.name}(${name})`, description })
    }
  return parts.filter(({ description }) => !description?.trim()).map(({ name }) => name)
}

test("every type, field, argument, input and enum value of the schema is described", () => {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  )
  expect(types.length).toBeGreaterThan(50)
  expect(types.flatMap(silentPartsOf)).toEqual([])
})
