import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Json, JsonObject } from "../../../../src/kernel/json.js"
import { KindEngine, type Listed, type TestEvent, uuidOf } from "./kind-engine.js"

const engine = new KindEngine()
const events: TestEvent[] = Array.from({ length: 12 }, (_, index) => ({
  event: index % 3 === 0 ? "buy" : "view",
  actor: index % 2 === 0 ? "ann" : "bob",
  at: `2024-03-15T0${Math.floor(index / 4)}:00:00Z`,
  properties: { n: index },
}))
beforeAll(() => {
  engine.capture(events)
  engine.insert("persons", [
    {
      project_id: 1,
      id: uuidOf("ann"),
      created_at: "2024-01-01T00:00:00Z",
      properties: '{"email":"ann@x.test"}',
      version: 1,
    },
  ])
})
afterAll(() => engine.close())

const ask = <Row = readonly Json[]>(query: JsonObject) => engine.run<Listed<Row>>({ kind: "EventsQuery", ...query })

describe("a table of events", () => {
  test("shows the last day, the newest first, with whole events and persons where asked", async () => {
    const { results, columns, hasMore, types } = await ask<[event: { distinct_id: string }, person: object]>({
      select: ["*", "person", "properties.n"],
      limit: 5,
    })
    expect(columns).toEqual(["*", "person", "properties.n"])
    expect(types).toHaveLength(3)
    expect(hasMore).toBe(true)
    expect(results).toHaveLength(5)
    expect(Object.keys(results[0][0])).toEqual([
      "uuid",
      "event",
      "properties",
      "timestamp",
      "team_id",
      "distinct_id",
      "elements_chain",
      "created_at",
      "person_mode",
    ])
    expect(results[0][0]).toMatchObject({ timestamp: "2024-03-15T02:00:00Z", team_id: 1 })
    const ann = results.find(([event]) => event.distinct_id === "ann")
    expect(ann?.[1]).toEqual({
      uuid: uuidOf("ann"),
      created_at: "2024-01-01T00:00:00Z",
      distinct_id: "ann",
      properties: { email: "ann@x.test" },
    })
  })

  test("pages through events of one moment without repeating or leaving out any", async () => {
    const pages = await Promise.all(
      [0, 4, 8].map((offset) =>
        ask({ select: ["properties.n", "timestamp"], orderBy: ["timestamp"], limit: 4, offset }),
      ),
    )
    const seen = pages.flatMap(({ results }) => results.map(([n]) => Number(n)))
    expect([...seen].sort((a, b) => a - b)).toEqual(events.map((_, index) => index))
  })

  test("aggregates by the other columns, conditions on aggregates coming after", async () => {
    const { results } = await ask({ select: ["event", "count()"], where: ["count() > 4"] })
    expect(results).toEqual([["view", 8]])
    expect((await ask({ select: ["event", "count()"] })).results).toEqual([
      ["view", 8],
      ["buy", 4],
    ])
  })

  test("is narrowed by time, event, person and properties", async () => {
    const narrowed = await ask({
      select: ["properties.n"],
      after: "2024-03-15T00:30:00Z",
      before: "2024-03-15T01:30:00Z",
      event: "view",
      personId: uuidOf("ann"),
      properties: [{ key: "n", value: 4, operator: "gte", type: "event" }],
    })
    expect(narrowed.results).toEqual([["4"]])
  })

  test("refuses what is no expression, and fields of the wrong shape", async () => {
    await expect(ask({ select: ["event FROM persons"] })).rejects.toMatchObject({ code: "hogql_syntax_error" })
    await expect(ask({ select: ["nope"] })).rejects.toMatchObject({ code: "hogql_query_error" })
    await expect(ask({ select: "event" })).rejects.toMatchObject({
      code: "parse_error",
      details: { attr: "query__select" },
    })
    await expect(ask({})).rejects.toMatchObject({ code: "parse_error" })
  })
})
