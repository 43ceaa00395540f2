import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Json } from "../../../../src/kernel/json.js"
import { KindEngine, randomFrom, type TestEvent, uuidOf } from "./kind-engine.js"

const engine = new KindEngine()
const random = randomFrom(3)
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
const ACTORS = Array.from({ length: 8 }, (_, index) => `actor ${index}`)

const events: TestEvent[] = ACTORS.flatMap((actor) =>
  Array.from({ length: 12 }, () => ({
    actor,
    event: pick(["open", "save", "$pageview"]),
    group: pick(["acme", "globex", ""]),
    at: new Date(Date.UTC(2024, 2, 1 + Math.floor(random() * 8), Math.floor(random() * 24))).toISOString(),
    session: `018df974-d500-7000-8000-0000000000${10 + Math.floor(random() * 20)}`,
    properties: {
      $browser: pick(["Chrome", "Firefox"]),
      price: Math.floor(random() * 100),
      $pathname: pick(["/a", "/b"]),
    },
  })),
)
const onlyPros = { properties: { type: "AND", values: [{ type: "person", key: "plan", value: "pro" }] } }

beforeAll(() => {
  engine.capture(events)
  const row = { project_id: 1, created_at: "2024-03-02T00:00:00Z", version: 1 }
  const plan = (index: number) => JSON.stringify({ plan: index % 2 === 0 ? "pro" : "free" })
  engine.insert(
    "persons",
    ACTORS.map((actor, index) => ({ ...row, id: uuidOf(actor), properties: plan(index) })),
  )
  engine.insert("groups", [{ ...row, group_type_index: 0, group_key: "acme", properties: '{"name":"Acme"}' }])
  engine.schema = {
    ...engine.schema,
    groupTypes: new Map([["organization", 0]]),
    propertyDefinitions: { ...engine.schema.propertyDefinitions, event: new Map([["price", "Numeric"]]) },
    cohortsById: new Map([[1, { id: 1, name: "pros", isStatic: false, filters: onlyPros }]]),
  }
})
afterAll(() => engine.close())

/** Each kind of filter, and what it says as HogQL. */
const FILTERS: readonly (readonly [filter: Record<string, Json>, hogql: string])[] = [
  [{ type: "event", key: "$browser", value: ["Chrome"], operator: "exact" }, "events.properties.$browser = 'Chrome'"],
  [{ type: "event", key: "price", value: 50, operator: "gt" }, "events.properties.price > 50"],
  [{ type: "event", key: "price", operator: "is_not_set" }, "events.properties.price is null"],
  [{ type: "person", key: "plan", value: "pro", operator: "exact" }, "person.properties.plan = 'pro'"],
  [{ type: "person", key: "plan", value: "r", operator: "icontains" }, "events.person.properties.plan like '%r%'"],
  [{ type: "group", group_type_index: 0, key: "name", value: "Acme" }, "group_0.properties.name = 'Acme'"],
  [{ type: "session", key: "$session_duration", value: 3600, operator: "gt" }, "session.$session_duration > 3600"],
  [{ type: "cohort", key: "id", value: 1 }, "person_id in (select id from persons where properties.plan = 'pro')"],
  [{ type: "event_metadata", key: "distinct_id", value: "actor 3" }, "distinct_id = 'actor 3'"],
]

const series = [{ kind: "EventsNode", event: "open" }]
const twoSteps: Json = [...series, { kind: "EventsNode", event: "save" }]
const dateRange = { date_from: "2024-03-01", date_to: "2024-03-08" }
const byPlan = { breakdown: "plan", breakdown_type: "person" }
const KINDS: readonly (Record<string, Json> & { kind: string })[] = [
  { kind: "TrendsQuery", series, dateRange },
  {
    kind: "TrendsQuery",
    series: [{ kind: "EventsNode", event: "open", math: "dau" }],
    dateRange,
    breakdownFilter: byPlan,
  },
  { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "open", math: "weekly_active" }], dateRange },
  { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "open", math: "first_time_for_user" }], dateRange },
  { kind: "FunnelsQuery", series: twoSteps, dateRange, breakdownFilter: byPlan },
  { kind: "FunnelsQuery", series: twoSteps, dateRange, funnelsFilter: { funnelVizType: "trends" } },
  { kind: "FunnelsQuery", series: twoSteps, dateRange, funnelsFilter: { funnelOrderType: "unordered" } },
  { kind: "RetentionQuery", dateRange, retentionFilter: { totalIntervals: 4 } },
  { kind: "RetentionQuery", dateRange, breakdownFilter: byPlan, retentionFilter: { totalIntervals: 4 } },
  { kind: "StickinessQuery", series, dateRange },
  { kind: "LifecycleQuery", series, dateRange },
  { kind: "PathsQuery", dateRange, pathsFilter: { includeEventTypes: ["custom_event"] } },
  { kind: "WebOverviewQuery", dateRange, compareFilter: { compare: true } },
  { kind: "WebStatsTableQuery", breakdownBy: "Page", dateRange, includeBounceRate: true },
  { kind: "EventsQuery", select: ["event", "count()"], after: "2024-03-01" },
]

describe("a filter means the same as the HogQL that says it, in every insight", () => {
  test.each(KINDS.map((query) => [query.kind, query] as const))("%s", async (_kind, query) => {
    for (const [filter, hogql] of FILTERS) {
      const [filtered, said] = [
        await engine.run({ ...query, properties: [filter] }),
        await engine.run({ ...query, properties: [{ type: "hogql", key: hogql }] }),
      ]
      expect({ hogql, results: filtered.results }).toEqual({ hogql, results: said.results })
    }
    engine.schema = { ...engine.schema, testAccountFilters: FILTERS.slice(3, 4).map(([filter]) => filter) }
    const [tested, person] = [
      await engine.run({ ...query, properties: [], filterTestAccounts: true }),
      await engine.run({ ...query, properties: FILTERS.slice(3, 4).map(([filter]) => filter) }),
    ]
    expect(tested.results).toEqual(person.results)
  })
})
