import "reflect-metadata"
import { describe, expect, test } from "@jest/globals"
import { describeSchemas } from "../../src/app/create-schema.js"
import { isKnownScope } from "../../src/features/access/index.js"
import { findUnfitOperations } from "../../src/transport/graphql/execute-operation.js"
import { listOperations } from "../../src/transport/rest/define-route.js"
import { restRoutes } from "../../src/transport/rest/routes/index.js"
import { scopesByOperation } from "../support/operation-scopes.js"

describe("the REST rows", () => {
  test("run operations that the schema has, with arguments of its types", async () => {
    expect(findUnfitOperations((await describeSchemas()).operations, listOperations(restRoutes))).toEqual([])
  })
})

describe("the scopes of operations", () => {
  test("are all known, so that a key can be given each", () => {
    const scopes = [...scopesByOperation().values()].flatMap(({ scope }) => scope ?? [])
    expect(scopes.length).toBeGreaterThan(20)
    expect(scopes.filter((scope) => !isKnownScope(scope))).toEqual([])
  })
})
