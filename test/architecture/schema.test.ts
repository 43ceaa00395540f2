import "reflect-metadata"
import { readFileSync } from "node:fs"
import { describe, expect, test } from "@jest/globals"
import { buildSchema, isObjectType } from "graphql"
import { printedSchema } from "../../src/app/create-schema.js"
import { scopesByOperation } from "../support/operation-scopes.js"

/**
 * These take a project key in their input, as SDKs do, or the token of a link, instead of a personal key; or they run the
 * operation that finds the record, with all that this demands.
 */
const OPEN_OPERATIONS = [
  "Mutation.capture",
  "Mutation.captureBatch",
  "Query.flagDecision",
  "Query.node",
  "Query.nodes",
  "Query.sharedDashboard",
]

describe("schema.graphql", () => {
  test("is what the resolvers make", async () => {
    expect(readFileSync("schema.graphql", "utf8")).toBe(await printedSchema())
  })

  test("describes every type and every field", async () => {
    const schema = buildSchema(await printedSchema())
    const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith("__"))
    const isRoot = (name: string): boolean => ["Query", "Mutation", "Subscription"].includes(name)
    const ofSpecification = ["ID", "String", "Int", "Float", "Boolean"]
    const undescribed = types.filter(
      ({ name, description }) => !description && !isRoot(name) && !ofSpecification.includes(name),
    )
    const fields = types.filter(isObjectType).flatMap((type) =>
      Object.values(type.getFields())
        .filter(({ description }) => !description)
        .map(({ name }) => `${type.name}.${name}`),
    )
    expect([...undescribed.map(({ name }) => name), ...fields]).toEqual([])
  })

  test("has no operation without a scope but those that take a project key or run another", async () => {
    const schema = buildSchema(await printedSchema())
    const operations = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
      Object.keys(type?.getFields() ?? {}).map((field) => `${type?.name}.${field}`),
    )
    const guarded = scopesByOperation()
    expect(operations.filter((operation) => !guarded.has(operation)).sort()).toEqual(OPEN_OPERATIONS)
  })
})
