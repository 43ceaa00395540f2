import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Json, JsonObject } from "../../../../src/kernel/json.js"
import { KindEngine, type KindQuery, type Listed, type TestEvent, uuidOf } from "./kind-engine.js"

const engine = new KindEngine()
const SESSION = "018df974-d500-7000-8000-000000000001"
const OTHER_SESSION = "018df974-d500-7000-8000-000000000002"
const page = (actor: string, minute: number, session: string, path = "/"): TestEvent => ({
  event: "$pageview",
  actor,
  session,
  at: new Date(Date.UTC(2024, 2, 15, 9, minute)).toISOString(),
  properties: { $current_url: `https://a.test${path}`, $browser: minute % 2 ? "Firefox" : "Chrome", n: minute },
})
const PEOPLE = ["ann", "bob", "cid"]

beforeAll(() => {
  engine.capture([page("ann", 0, SESSION), page("ann", 3, SESSION, "/b"), page("bob", 5, OTHER_SESSION)])
  engine.capture([{ event: "buy", actor: "ann", at: "2024-03-15T09:04:00Z", session: SESSION }])
  engine.capture([page("stranger", 1, SESSION)], 2)
  const rows = PEOPLE.map((name, index) => ({
    id: uuidOf(name),
    created_at: `2024-01-0${index + 1}T00:00:00Z`,
    version: 1,
    is_identified: true,
    properties: JSON.stringify({ email: `${name}@x.test`, plan: name === "cid" ? "free" : "pro" }),
  }))
  engine.insert(
    "persons",
    rows.map((row) => ({ project_id: 1, ...row })),
  )
  engine.insert("persons", [{ project_id: 2, ...rows[0], id: uuidOf("stranger") }])
  engine.insert(
    "person_distinct_ids",
    ["ann", "ann-phone", "bob", "cid"].map((id) => ({
      project_id: 1,
      distinct_id: id,
      person_id: uuidOf(id.replace("-phone", "")),
      version: 1,
    })),
  )
  engine.insert(
    "groups",
    ["acme", "globex"].map((key) => ({
      project_id: 1,
      group_type_index: 0,
      group_key: key,
      created_at: "2024-01-01T00:00:00Z",
      version: 1,
      properties: key === "acme" ? '{"name":"Acme Inc"}' : "{}",
    })),
  )
  engine.insert("session_replay_events", [
    {
      project_id: 1,
      session_id: SESSION,
      distinct_id: "ann",
      first_timestamp: "2024-03-15T09:00:00Z",
      last_timestamp: "2024-03-15T09:02:30Z",
    },
  ])
})
afterAll(() => engine.close())
const ask = <Results = Json>(query: KindQuery) => engine.run<Results>(query)

describe("persons", () => {
  test.each(["ActorsQuery", "PersonsQuery"])("are listed by %s, the newest first, with all their ids", async (kind) => {
    const { results, columns, hasMore, missing_actors_count } = await ask<Listed<Json[]>>({
      kind,
      limit: 2,
    })
    expect(columns).toEqual(["person", "id", "created_at", "person.$delete"])
    expect({ hasMore, missing_actors_count }).toEqual({ hasMore: true, missing_actors_count: 0 })
    expect(results.map((row) => row.slice(1))).toEqual([
      [uuidOf("cid"), "2024-01-03T00:00:00Z", null],
      [uuidOf("bob"), "2024-01-02T00:00:00Z", null],
    ])
    expect(results[1][0]).toMatchObject({ distinct_ids: ["bob"], properties: { email: "bob@x.test" } })
  })

  test("are found by email, by any of their ids, by properties and by another query", async () => {
    const found = async (rest: JsonObject) =>
      (
        await ask<Json[][]>({
          kind: "ActorsQuery",
          select: ["properties.email"],
          orderBy: ["properties.email"],
          ...rest,
        })
      ).results.flat()
    expect(await found({ search: "BOB@" })).toEqual(["bob@x.test"])
    expect(await found({ search: "phone" })).toEqual(["ann@x.test"])
    expect(await found({ properties: [{ type: "person", key: "plan", value: "pro" }] })).toEqual([
      "ann@x.test",
      "bob@x.test",
    ])
    const source = { kind: "HogQLQuery", query: "SELECT DISTINCT person_id FROM events WHERE event = 'buy'" }
    expect(await found({ source })).toEqual(["ann@x.test"])
  })
})

test("groups are listed by name and key", async () => {
  const { results, columns } = await ask({ kind: "GroupsQuery", group_type_index: 0 })
  expect(columns).toEqual(["group_name", "key"])
  expect(results).toEqual([
    ["Acme Inc", "acme"],
    ["globex", "globex"],
  ])
  expect((await ask({ kind: "GroupsQuery", group_type_index: 0, search: "inc" })).results).toHaveLength(1)
  await expect(ask({ kind: "GroupsQuery" })).rejects.toMatchObject({ code: "parse_error" })
})

describe("taxonomies", () => {
  test("name a project's events, the most frequent first", async () => {
    expect((await ask({ kind: "TeamTaxonomyQuery" })).results).toEqual([
      { event: "$pageview", count: 3 },
      { event: "buy", count: 1 },
    ])
  })

  test("name an event's properties with values as texts", async () => {
    const { results } = await ask<{ property: string }[]>({
      kind: "EventTaxonomyQuery",
      event: "$pageview",
      maxPropertyValues: 2,
    })
    expect(results.map(({ property }) => property)).toEqual(["n", "$browser", "$current_url"])
    expect(results[1]).toEqual({ property: "$browser", sample_values: ["Firefox", "Chrome"], sample_count: 2 })
  })

  test("name values of a property of persons", async () => {
    const { results } = await ask({ kind: "ActorsPropertyTaxonomyQuery", property: "plan" })
    expect(results).toEqual({ sample_values: ["pro", "free"], sample_count: 2 })
  })
})

test("a person's events are told by session, with the length of its recording", async () => {
  const { results, hasMore } = await ask<[{ events: { event: string }[] }]>({
    kind: "SessionsTimelineQuery",
    personId: uuidOf("ann"),
  })
  expect(hasMore).toBe(false)
  expect(results).toMatchObject([{ sessionId: SESSION, recording_duration_s: 150 }])
  expect(results[0].events.map(({ event }) => event)).toEqual(["buy", "$pageview", "$pageview"])
})

test("a site's overview counts visitors, views, sessions, their length and bounces", async () => {
  const { results } = await ask<JsonObject[]>({
    kind: "WebOverviewQuery",
    properties: [],
    compareFilter: { compare: true },
  })
  expect(results.map(({ key, kind, value }) => [key, kind, value])).toEqual([
    ["visitors", "unit", 2],
    ["views", "unit", 3],
    ["sessions", "unit", 2],
    ["session duration", "duration_s", 120],
    ["bounce rate", "percentage", 50],
  ])
  expect(results[0]).toMatchObject({ previous: 0, changeFromPreviousPct: null })
})

describe("a site's visits", () => {
  const stats = (breakdownBy: string, more: JsonObject = {}) =>
    ask({ kind: "WebStatsTableQuery", breakdownBy, properties: [], dateRange: { date_from: "2024-03-15" }, ...more })

  test("are told apart by one thing, those with the most visitors first", async () => {
    expect(await stats("Page")).toMatchObject({
      columns: ["context.columns.breakdown_value", "context.columns.visitors", "context.columns.views"],
      results: [
        ["/", [2, null], [2, null]],
        ["/b", [1, null], [1, null]],
      ],
      hasMore: false,
    })
    expect((await stats("Browser", { limit: 1, includeBounceRate: true })).results).toEqual([
      ["Firefox", [2, null], [2, null], [0.5, null]],
    ])
    expect((await stats("Viewport")).results).toEqual([])
  })

  test("stand beside those of the time before", async () => {
    const before = { dateRange: { date_from: "2024-03-16", date_to: "2024-03-16" }, compareFilter: { compare: true } }
    expect((await stats("Page", before)).results).toContainEqual(["/b", [0, 1], [0, 1]])
  })

  test("refuse what would change the numbers and is not there", async () => {
    await expect(stats("Page", { includeRevenue: true })).rejects.toThrow("includeRevenue is not supported")
    await expect(stats("Weather")).rejects.toThrow("breakdownBy must be one of")
  })
})

describe("help with writing queries", () => {
  test("tells tables and fields with their types, and the functions", async () => {
    const { tables, joins, functions } = await ask({ kind: "DatabaseSchemaQuery" })
    expect(joins).toEqual([])
    expect(functions).toEqual(expect.arrayContaining(["count", "toStartOfDay", "quantile"]))
    expect((tables as JsonObject).events).toMatchObject({
      type: "posthog",
      fields: {
        event: { type: "string" },
        timestamp: { type: "datetime" },
        properties: { type: "json" },
        person: { type: "lazy_table", table: "persons" },
        $session_id: { hogql_value: "`$session_id`" },
      },
    })
    expect(Object.keys(tables as JsonObject)).not.toContain("person_overrides")
  })

  test("tells what is wrong and where, without running anything", async () => {
    const check = (query: string, language = "hogQL") => ask({ kind: "HogQLMetadata", language, query })
    expect(await check("SELECT event FROM events, persons WHERE")).toMatchObject({ isValid: false, table_names: [] })
    expect(await check("SELECT nope FROM events")).toMatchObject({
      isValid: false,
      errors: [{ message: "Unable to resolve field: nope", start: 7, end: 11 }],
    })
    expect(await check("SELECT person.id FROM events")).toMatchObject({
      isValid: true,
      errors: [],
      table_names: ["events", "persons"],
    })
    expect(await check("properties.$browser", "hogQLExpr")).toMatchObject({ isValid: true })
  })

  test("suggests tables, fields, properties and functions where they fit", async () => {
    const event = new Map([["$browser", "String" as const]])
    engine.schema = { ...engine.schema, propertyDefinitions: { ...engine.schema.propertyDefinitions, event } }
    const labels = async (query: string) => {
      const { suggestions } = await ask({
        kind: "HogQLAutocomplete",
        query,
        startPosition: 0,
        endPosition: query.length,
      })
      return (suggestions as { label: string }[]).map(({ label }) => label)
    }
    expect(await labels("SELECT * FROM ev")).toEqual(["events"])
    expect(await labels("SELECT properties.$br")).toEqual(["$browser"])
    expect(await labels("SELECT person.is_")).toEqual(["is_identified"])
    expect(await labels("SELECT uniqEx")).toContain("uniqExact()")
  })
})
