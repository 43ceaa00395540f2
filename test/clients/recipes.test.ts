import { readFileSync } from "node:fs"
import { describe, expect, test } from "@jest/globals"
import { buildSchema, getOperationAST } from "graphql"
import { getVariableValues } from "graphql/execution/values.js"
import { makeClientTypes } from "../../scripts/client-types.js"
import codegen from "./codegen.js"
import { listRecipes, RECIPES } from "./recipe.js"

const text = readFileSync("schema.graphql", "utf8")
const recipes = listRecipes()
const { config } = codegen.generates["src/graphql/"]

/** What users define themselves, by the fields that have it. */
const DEFINED_BY_USERS = ["payload", "properties", "rows"]

describe("the recipes", () => {
  test("are twenty, each with a name of its own", () => {
    expect(recipes.length).toBeGreaterThanOrEqual(20)
    expect(new Set(recipes.map(({ name }) => name)).size).toBe(recipes.length)
  })

  test("show the clients that run them", () => {
    for (const file of ["codegen", "create-apollo", "create-urql", "create-socket"])
      expect(RECIPES).toContain(`\`\`\`ts\n${readFileSync(`test/clients/${file}.ts`, "utf8")}\`\`\``)
  })

  test.each(recipes.map((recipe) => [recipe.name, recipe] as const))("%s shows variables that fit", (_, recipe) => {
    const declared = getOperationAST(recipe.document)?.variableDefinitions ?? []
    const { errors = [] } = getVariableValues(buildSchema(text), declared, JSON.parse(recipe.json ?? "{}"))
    expect(errors).toEqual([])
  })

  test("have types that know everything but what users define", async () => {
    const scalars = { ...config.scalars, JSON: "UserDefined" }
    const documents = recipes.map(({ document }) => document)
    const types = await makeClientTypes(text, documents, { ...config, scalars })
    const blocks = types.split("\n\n").map((block) => block.replace(/\/\*\*[\s\S]*?\*\//g, ""))
    const own = blocks.filter((block) => !/type (Exact|Incremental)<|^export const /m.test(block))
    expect(own.filter((block) => /\b(unknown|any)\b(?!\??:)/.test(block))).toEqual([])
    const answers = own.filter((block) => /^export type \w+(Query|Mutation|Subscription) =/m.test(block)).join("\n")
    const fields = [...answers.matchAll(/(\w+): (?:Array<)*UserDefined/g)].map(([, name]) => name)
    expect([...new Set(fields)].sort()).toEqual(DEFINED_BY_USERS)
  })
})
