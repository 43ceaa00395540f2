import "reflect-metadata"
import { describe, expect, test } from "@jest/globals"
import { describeSchemas } from "../../src/app/create-schema.js"
import { isKnownScope } from "../../src/features/access/index.js"
import { findUnfitOperations } from "../../src/transport/graphql/execute-operation.js"
import { findDescription } from "../../src/transport/graphql/find-description.js"
import { listOperations } from "../../src/transport/rest/define-route.js"
import { toOpenApi } from "../../src/transport/rest/openapi.js"
import { restRoutes } from "../../src/transport/rest/routes/index.js"
import { scopesByOperation } from "../support/operation-scopes.js"

describe("the REST rows", () => {
  test("run operations that the schema has, with arguments of its types", async () => {
    expect(findUnfitOperations((await describeSchemas()).operations, listOperations(restRoutes))).toEqual([])
  })
})

describe("the fields of REST resources", () => {
  test("show fields of GraphQL, whose texts the OpenAPI document has", async () => {
    const schema = (await describeSchemas()).operations
    const asked = new Set<string>()
    const describe = (field: string) => {
      asked.add(field)
      return findDescription(schema, field)
    }
    toOpenApi(restRoutes, { version: "0", server: "/", describe })
    expect(asked.size).toBeGreaterThan(100)
    expect([...asked].filter((field) => findDescription(schema, field) === undefined).sort()).toEqual([])
  })
})

describe("the scopes of operations", () => {
  test("are all known, so that a key can be given each", () => {
    const scopes = [...scopesByOperation().values()].flatMap(({ scope }) => scope ?? [])
    expect(scopes.length).toBeGreaterThan(20)
    expect(scopes.filter((scope) => !isKnownScope(scope))).toEqual([])
  })
})
