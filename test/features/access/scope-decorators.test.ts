import { describe, expect, test } from "@jest/globals"
import { graphql, printSchema } from "graphql"
import { buildSchema, Mutation, Query, Resolver } from "type-graphql"
import { PrincipalScope, ProjectScope } from "../../../src/features/access/index.js"
import { AppError } from "../../../src/kernel/errors.js"
import { asProjectId, asUserId, type ProjectId } from "../../../src/kernel/ids.js"
import type { Principal, RequestContext } from "../../../src/kernel/request-context.js"
import { scopesByOperation } from "../../support/operation-scopes.js"

@Resolver()
class SampleResolver {
  @Query(() => Number, { name: "sampleCount", description: "Counts." })
  count(@ProjectScope("sample:read") projectId: ProjectId): number {
    return projectId
  }

  @Mutation(() => String, { description: "Names the caller." })
  whoAmI(@PrincipalScope("user:read", { openToBoundKeys: true }) principal: Principal): string {
    return `${principal.userId}`
  }
}

const schema = await buildSchema({ resolvers: [SampleResolver], validate: false })
const asked: unknown[][] = []
const context = {
  access: {
    requireProject: async (_context: RequestContext, rawProjectId: string, scope: string) => {
      asked.push([rawProjectId, scope])
      if (rawProjectId === "404") throw new AppError("not_found", { detail: "Project not found." })
      return asProjectId(7)
    },
    requirePrincipal: async (_context: RequestContext, scope: string, rule: unknown) => {
      asked.push([scope, rule])
      return { userId: asUserId(5) }
    },
  },
}

const run = (source: string) => graphql({ schema, source, contextValue: context })

describe("scope decorators", () => {
  test("declare a described projectId argument that defaults to the current project", () => {
    expect(printSchema(schema)).toContain('projectId: ID! = "@current"')
    expect(printSchema(schema)).toContain("Number of the project")
  })

  test("give the method the checked project", async () => {
    asked.length = 0
    expect((await run("{ sampleCount }")).data).toEqual({ sampleCount: 7 })
    expect((await run("{ sampleCount(projectId: 12) }")).data).toEqual({ sampleCount: 7 })
    expect(asked).toEqual([
      ["@current", "sample:read"],
      ["12", "sample:read"],
    ])
  })

  test("stop the method when the project is refused", async () => {
    const { errors } = await run('{ sampleCount(projectId: "404") }')
    expect(errors?.[0]?.message).toBe("Project not found.")
  })

  test("give the method the checked caller under the rule named", async () => {
    asked.length = 0
    expect((await run("mutation { whoAmI }")).data).toEqual({ whoAmI: "5" })
    expect(asked).toEqual([["user:read", { openToBoundKeys: true }]])
  })

  test("list each operation of the schema with its scope", () => {
    expect(scopesByOperation().get("Query.sampleCount")).toEqual({
      kind: "query",
      name: "sampleCount",
      scope: "sample:read",
      guard: "project",
      isOpenToBoundKeys: true,
    })
    expect(scopesByOperation().get("Mutation.whoAmI")).toMatchObject({ guard: "principal", isOpenToBoundKeys: true })
  })
})
