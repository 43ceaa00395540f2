import { beforeAll, describe, expect, test } from "@jest/globals"
import { buildSchema, type GraphQLObjectType } from "graphql"
import { AppError } from "../../../src/kernel/errors.js"
import type { RequestContext } from "../../../src/kernel/request-context.js"
import {
  createOperationExecutor,
  type ExecuteOperation,
  findUnfitOperations,
} from "../../../src/transport/graphql/execute-operation.js"
import { createSampleContext } from "../support/sample-context.js"

const fault = new AppError("conflict")
const defect = new Error("secret of the house")
const schema = buildSchema(
  "type Query { double(n: Int!): Int conflict: Int! defect: Int people(first: Int): [Int!] times(n: Int!, by: Int! = 3): Int }",
)
const fields = (schema.getQueryType() as GraphQLObjectType).getFields()
Object.assign(fields.double ?? {}, { resolve: (_source: unknown, { n }: { n: number }) => 2 * n })
Object.assign(fields.times ?? {}, { resolve: (_source: unknown, { n, by }: { n: number; by: number }) => by * n })
Object.assign(fields.people ?? {}, { resolve: () => [1] })
for (const [name, thrown] of [
  ["conflict", fault],
  ["defect", defect],
] as const)
  Object.assign(fields[name] ?? {}, {
    resolve: () => {
      throw thrown
    },
  })

let context: RequestContext
let execute: ExecuteOperation
beforeAll(async () => {
  context = await createSampleContext({
    authorization: undefined,
    request: { headers: {}, socket: {} } as unknown as Parameters<typeof createSampleContext>[0]["request"],
  })
  execute = createOperationExecutor(schema)
})

describe("an operation of our own", () => {
  test("answers its data", async () => {
    expect(await execute("query ($n: Int!) { double(n: $n) }", { n: 21 }, context)).toEqual({ double: 42 })
  })

  test("takes arguments that it does not write down from the variables of their names", async () => {
    expect(await execute("{ double times }", { n: 7 }, context)).toEqual({ double: 14, times: 21 })
    expect(await execute("query ($by: Int!) { times double(n: $by) }", { n: 7, by: 5 }, context)).toEqual({
      times: 35,
      double: 10,
    })
  })

  test("that lacks a variable is a fault of the request", async () => {
    await expect(execute("{ double }", {}, context)).rejects.toMatchObject({ code: "invalid_input" })
  })

  test("throws the very fault that the resolver threw, whatever failed beside it", async () => {
    await expect(execute("{ defect conflict }", {}, context)).rejects.toBe(fault)
  })

  test("throws a defect as it is", async () => {
    await expect(execute("{ defect }", {}, context)).rejects.toBe(defect)
  })

  test("turns a variable of the wrong type into a fault of the request", async () => {
    await expect(execute("query ($n: Int!) { double(n: $n) }", { n: "x" }, context)).rejects.toMatchObject({
      code: "invalid_input",
    })
  })

  test("has no cost limit", async () => {
    expect(await execute("{ people(first: 1000000000) }", {}, context)).toEqual({ people: [1] })
  })

  test("that does not fit the schema is found before it runs", () => {
    expect(findUnfitOperations(schema, ["{ nothing }", "{ defect }"])).toEqual([
      'Cannot query field "nothing" on type "Query".',
    ])
  })
})
