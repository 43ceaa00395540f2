import { describe, expect, test } from "@jest/globals"
import { GraphQLEnumType } from "graphql"
import { ERRORS } from "../../../src/kernel/errors.js"
import { buildGraphqlSchema } from "../../../src/transport/graphql/build-schema.js"
import { SampleResolver } from "../support/sample-resolvers.js"

describe("the codes of errors", () => {
  test("are an enum of the schema, each with what it means", async () => {
    const schema = await buildGraphqlSchema([new SampleResolver([])])
    const type = schema.getType("ErrorCode")
    expect(type).toBeInstanceOf(GraphQLEnumType)
    const values = type instanceof GraphQLEnumType ? type.getValues() : []
    const names = new Set(values.map(({ name }) => name))
    expect(Object.values(ERRORS).filter(({ graphqlCode }) => !names.has(graphqlCode))).toEqual([])
    expect(values.filter(({ description }) => !description?.endsWith("."))).toEqual([])
  })
})
