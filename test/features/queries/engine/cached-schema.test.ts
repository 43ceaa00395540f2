import { describe, expect, test } from "@jest/globals"
import type { QueryStatement } from "../../../../src/features/queries/engine/query-engine.types.js"
import { createQueryKinds } from "../../../../src/features/queries/kinds/kinds.js"
import type { RunScope } from "../../../../src/features/queries/queries.types.js"
import type { QuerySchema } from "../../../../src/features/queries/schema/query-schema.types.js"
import { asProjectId } from "../../../../src/kernel/ids.js"

const schemaWith = (cohorts: readonly number[], groupTypes: readonly string[] = []): QuerySchema => ({
  propertyDefinitions: { event: new Map(), person: new Map(), group: new Map() },
  groupTypes: new Map(groupTypes.map((name, index) => [name, index])),
  cohorts: new Map(cohorts.map((id) => [`cohort ${id}`, id])),
  cohortsById: new Map(cohorts.map((id) => [id, { id, name: `cohort ${id}`, isStatic: true, filters: null }])),
  actions: new Map(),
  testAccountFilters: [],
})

/** A project of which one schema is cached while another one is true by now. */
function projectOf(cached: QuerySchema, now: QuerySchema) {
  const asked: string[] = []
  const statements: QueryStatement[] = []
  const kinds = createQueryKinds(
    {
      select: async (statement) => {
        statements.push(statement)
        asked.push("engine")
        return { columns: [{ name: "a", type: "String" }], rows: [["x"]], rowsRead: 0, bytesRead: 0, elapsedMs: 0 }
      },
      progress: async () => null,
      kill: async () => undefined,
    },
    {
      read: async () => {
        asked.push("schema")
        return now
      },
      findCached: () => ({
        schema: Promise.resolve(cached),
        isCurrent: async () => {
          asked.push("whether it changed")
          return cached === now
        },
      }),
    },
    { list: async () => ({ items: [], totalCount: 0 }) },
  )
  const kind = kinds.find(({ kind: name }) => name === "HogQLQuery")
  const run = (query: string, mayRead?: Promise<unknown>) => {
    const scope: RunScope = {
      projectId: asProjectId(1),
      timezone: "UTC",
      weekStartDay: 0,
      nowMs: Date.UTC(2026, 0, 15),
      engineQueryId: "one",
      maxExecutionSeconds: 10,
      signal: new AbortController().signal,
      ...(mayRead && { mayRead }),
    }
    return kind?.run({ kind: "HogQLQuery", query }, scope)
  }
  return { run, asked, statements }
}

describe("a query over a cached schema", () => {
  test("asks nothing of PostgreSQL when it is about neither cohorts nor group types", async () => {
    const { run, asked } = projectOf(schemaWith([1]), schemaWith([2]))
    await run("SELECT event FROM events WHERE person.properties.plan = 'pro' AND properties.a = 'b'")
    expect(asked).toEqual(["engine"])
  })

  test("asks once whether cohorts have changed when it names one", async () => {
    const schema = schemaWith([1])
    const { run, asked } = projectOf(schema, schema)
    await run("SELECT event FROM events WHERE person_id IN COHORT 1 OR person_id IN COHORT 'cohort 1'")
    expect(asked).toEqual(["whether it changed", "engine"])
  })

  test("is compiled again with a cohort that was made meanwhile", async () => {
    const { run, asked } = projectOf(schemaWith([]), schemaWith([7]))
    await run("SELECT event FROM events WHERE person_id IN COHORT 'cohort 7'")
    expect(asked).toEqual(["whether it changed", "schema", "engine"])
  })

  test("is refused for a cohort that was deleted meanwhile, and the engine never hears of it", async () => {
    const { run, asked } = projectOf(schemaWith([7]), schemaWith([]))
    await expect(run("SELECT event FROM events WHERE person_id IN COHORT 'cohort 7'")).rejects.toMatchObject({
      code: "hogql_query_error",
    })
    expect(asked).toEqual(["whether it changed", "schema"])
  })

  test("knows a group type by the name that ingestion has just given it", async () => {
    const { run, asked, statements } = projectOf(schemaWith([]), schemaWith([], ["company"]))
    await run("SELECT company.properties.size FROM events")
    expect(asked).toEqual(["whether it changed", "schema", "engine"])
    expect(statements[0]?.sql).toContain("FROM groups AS r")
  })

  test("is sent to the engine only when it may be read", async () => {
    const { run, asked } = projectOf(schemaWith([]), schemaWith([]))
    const mayRead = Promise.withResolvers<number>()
    const answer = run("SELECT event FROM events", mayRead.promise)
    await new Promise((resolve) => setImmediate(resolve))
    expect(asked).toEqual([])
    mayRead.resolve(1)
    await answer
    expect(asked).toEqual(["engine"])
  })
})
