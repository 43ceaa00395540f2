import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { AppError, ERRORS } from "../../../../src/kernel/errors.js"
import type { Json, JsonObject } from "../../../../src/kernel/json.js"
import { unguardedTables } from "../../../hogql/support/guards.js"
import { KindEngine } from "./kind-engine.js"

const engine = new KindEngine()
const CANARY = "canary-of-project-two"

beforeAll(() => {
  engine.capture([{ event: "view", actor: "ann", at: "2024-03-15T09:00:00Z" }])
  engine.capture([{ event: CANARY, actor: CANARY, at: "2024-03-15T09:00:00Z", properties: { [CANARY]: CANARY } }], 2)
  engine.insert("persons", [
    {
      project_id: 2,
      id: "0190d000-0000-7000-8000-00000000000f",
      created_at: "2024-01-01T00:00:00Z",
      properties: `{"a":"${CANARY}"}`,
      version: 1,
    },
  ])
  engine.insert("groups", [
    {
      project_id: 2,
      group_type_index: 0,
      group_key: CANARY,
      created_at: "2024-01-01T00:00:00Z",
      properties: "{}",
      version: 1,
    },
  ])
})
afterAll(() => engine.close())

const property = { key: "a", value: ["b"], operator: "exact", type: "person" }
const series = [{ kind: "EventsNode", event: "view", math: "sum", math_property: "n", properties: [property] }]
const dateRange = { date_from: "-7d", date_to: "2024-03-15" }
const breakdownFilter = { breakdown: "$browser", breakdown_type: "event", breakdown_limit: 3 }
const insight = { series, dateRange, interval: "day", properties: [property], filterTestAccounts: true }

/** One query of each kind with most of its fields. */
const QUERIES: (JsonObject & { kind: string })[] = [
  { kind: "HogQLQuery", query: "SELECT 1", filters: { dateRange, properties: [property] }, values: {}, variables: {} },
  {
    kind: "EventsQuery",
    select: ["*", "count()"],
    where: ["1 = 1"],
    orderBy: ["event"],
    limit: 5,
    offset: 1,
    after: "-1d",
    personId: "x",
  },
  {
    kind: "TrendsQuery",
    ...insight,
    breakdownFilter,
    compareFilter: { compare: true, compare_to: "-1m" },
    trendsFilter: { formula: "A*2", smoothingIntervals: 2 },
  },
  {
    kind: "FunnelsQuery",
    ...insight,
    series: [...series, ...series],
    breakdownFilter,
    funnelsFilter: {
      funnelWindowInterval: 3,
      exclusions: [{ kind: "EventsNode", event: "x", funnelFromStep: 0, funnelToStep: 1 }],
    },
  },
  {
    kind: "RetentionQuery",
    retentionFilter: { period: "Day", totalIntervals: 3, targetEntity: { id: "a" }, returningEntity: { id: "b" } },
    dateRange,
    properties: [property],
  },
  { kind: "LifecycleQuery", ...insight },
  { kind: "StickinessQuery", ...insight, stickinessFilter: { stickinessCriteria: { operator: "gte", value: 2 } } },
  {
    kind: "WebStatsTableQuery",
    breakdownBy: "Page",
    properties: [property],
    dateRange,
    compareFilter: { compare: true },
  },
  { kind: "RecordingsQuery", properties: [property], session_ids: ["a"], limit: 3 },
  {
    kind: "PathsQuery",
    pathsFilter: {
      startPoint: "a",
      endPoint: "b",
      stepLimit: 3,
      excludeEvents: ["x"],
      pathGroupings: ["/a*"],
      localPathCleaningFilters: [{ regex: "a", alias: "b" }],
      includeEventTypes: ["custom_event"],
    },
    dateRange,
  },
  {
    kind: "ActorsQuery",
    select: ["person", "id"],
    search: "a",
    properties: [property],
    orderBy: ["id"],
    limit: 3,
    source: { kind: "HogQLQuery", query: "SELECT person_id FROM events" },
  },
  {
    kind: "ActorsQuery",
    source: { kind: "InsightActorsQuery", source: { kind: "TrendsQuery", ...insight }, series: 0, day: "2024-03-10" },
  },
  {
    kind: "FunnelsActorsQuery",
    source: { kind: "FunnelsQuery", ...insight, series: [...series, ...series] },
    funnelStep: 2,
  },
  {
    kind: "InsightActorsQueryOptions",
    source: { kind: "InsightActorsQuery", source: { kind: "RetentionQuery", dateRange }, compare: "current" },
  },
  {
    kind: "FunnelCorrelationQuery",
    source: {
      kind: "FunnelsActorsQuery",
      funnelStep: 1,
      source: { kind: "FunnelsQuery", series: ["view", "buy"].map((event) => ({ kind: "EventsNode", event })) },
    },
    funnelCorrelationType: "event_with_properties",
    funnelCorrelationEventNames: [CANARY],
  },
  { kind: "GroupsQuery", group_type_index: 0, search: "a", select: ["properties.a"], orderBy: ["key"] },
  {
    kind: "SessionsTimelineQuery",
    personId: "0190d000-0000-7000-8000-00000000000f",
    after: "-2d",
    before: "2024-03-16",
  },
  { kind: "WebOverviewQuery", properties: [property], dateRange, compareFilter: { compare: true } },
  {
    kind: "WebGoalsQuery",
    properties: [property],
    dateRange,
    compareFilter: { compare: true },
    orderBy: ["ConvertingUsers", "ASC"],
    limit: 3,
  },
  { kind: "WebVitalsQuery", properties: [property], source: { kind: "TrendsQuery", series, dateRange } },
  {
    kind: "WebVitalsPathBreakdownQuery",
    properties: [property],
    dateRange,
    metric: "INP",
    percentile: "p90",
    thresholds: [1, 2],
  },
  { kind: "CalendarHeatmapQuery", ...insight, series: [{ kind: "EventsNode", event: "view", math: "dau" }] },
  {
    kind: "SessionsQuery",
    select: ["*", "count()"],
    where: ["1 = 1"],
    properties: [property, { ...property, type: "session", key: "$entry_pathname" }],
    event: "view",
    eventProperties: [property],
    personId: "x",
    after: "-1d",
    limit: 5,
  },
  {
    kind: "PropertyValuesQuery",
    property_type: "event",
    property_key: "a",
    search_value: "b",
    event_names: ["view"],
    is_column: false,
  },
  { kind: "TeamTaxonomyQuery" },
  { kind: "EventTaxonomyQuery", event: CANARY, properties: [CANARY] },
  { kind: "ActorsPropertyTaxonomyQuery", properties: ["a", "b"], groupTypeIndex: 0 },
  { kind: "DatabaseSchemaQuery" },
  { kind: "HogQLMetadata", language: "hogQL", query: "SELECT 1" },
  { kind: "HogQLAutocomplete", query: "SELECT ", startPosition: 0, endPosition: 7 },
]

const STRANGE: Json[] = [
  null,
  true,
  -1,
  1e300,
  0.5,
  "",
  "'",
  "a') --",
  "__proto__",
  "\u0000\ud800",
  "x".repeat(3000),
  "SELECT * FROM system.tables",

  [],
  [[]],
  [null],
  {},
  { kind: "EventsNode" },
  { type: "OR", values: [{}] },
  [{ key: "x", type: "hogql" }],
  ["1 OR 1=1"],
  [{ key: "1) UNION ALL SELECT event FROM events --", type: "hogql" }],
  { toString: 1 },
]

/** Each place gets the next few, so that all meet every kind and the test stays short. */
const STRANGE_PER_PLACE = 3
let place = 0

/** The query with each of its values, however deep, replaced once. */
function* mutations(value: Json, replace: (inner: Json) => Json): Generator<Json> {
  if (typeof value !== "object" || value === null) return
  for (const key of Object.keys(value)) {
    if (key === "kind" && !Array.isArray(value) && replace === identity) continue
    const inner = (value as JsonObject)[key] as Json
    const put = (changed: Json): Json =>
      Array.isArray(value)
        ? value.map((item, index) => (String(index) === key ? changed : item))
        : { ...value, [key]: changed }
    for (let count = 0; count < STRANGE_PER_PLACE; count++)
      yield replace(put(STRANGE[place++ % STRANGE.length] as Json))
    yield* mutations(inner, (changed) => replace(put(changed)))
  }
}
const identity = (value: Json): Json => value

/** Refusals of the engine that only a mistake of ours can cause. */
const OUR_MISTAKE = /SYNTAX_ERROR|LOGICAL_ERROR|UNKNOWN_SETTING|UNKNOWN_IDENTIFIER|UNKNOWN_TABLE|BAD_GET/

describe("a query object of any shape", () => {
  test.each(QUERIES.map((query) => [query.kind, query] as const))(
    "of kind %s is answered or refused as the caller's fault, from the caller's project only",
    async (kind, query) => {
      const faults: string[] = []
      for (const changed of mutations(query, identity)) {
        const body = { ...(changed as JsonObject), kind }
        engine.statements.length = 0
        try {
          const answer = JSON.stringify(await engine.run(body))
          const echoed = JSON.stringify(body).includes(CANARY)
            ? answer.replaceAll(/"hogql":"(?:[^"\\]|\\.)*"/g, "")
            : answer
          if (echoed.includes(CANARY)) faults.push(`leak: ${JSON.stringify(body).slice(0, 300)}`)
        } catch (thrown) {
          const isFault = thrown instanceof AppError && ERRORS[thrown.code].status < 500
          const isRefusal = /^Code: \d+/.test(String((thrown as Error).message)) && !OUR_MISTAKE.test(String(thrown))
          if (!isFault && !isRefusal)
            faults.push(`${String(thrown).slice(0, 300)}: ${JSON.stringify(body).slice(0, 400)}`)
        }
        const open = engine.statements.flatMap(unguardedTables)
        if (open.length > 0) faults.push(`unguarded ${open}: ${JSON.stringify(body).slice(0, 300)}`)
      }
      expect(faults).toEqual([])
    },
    120_000,
  )
})
