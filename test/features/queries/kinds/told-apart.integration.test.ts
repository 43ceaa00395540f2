import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Json } from "../../../../src/kernel/json.js"
import { KindEngine, type KindQuery, randomFrom, type TestEvent, uuidOf } from "./kind-engine.js"

const engine = new KindEngine()
const random = randomFrom(41)
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
const ACTORS = Array.from({ length: 12 }, (_, index) => `actor ${index}`)
const planOf = (actor: string) => ["pro", "team", "free"][ACTORS.indexOf(actor) % 3] as string
const DAYS = ["2024-03-04", "2024-03-05", "2024-03-06"]
const dateRange = { date_from: "2024-03-04", date_to: "2024-03-06" }

let minute = 0
const events: TestEvent[] = Array.from({ length: 240 }, () => ({
  event: pick(["open", "save"]),
  actor: pick(ACTORS),
  // No two events share their moment.
  at: new Date(Date.parse("2024-03-04T00:00:00Z") + 17 * 60_000 * minute++).toISOString(),
  properties: { page: pick(["/a", "/a", "/b", "/c"]), browser: pick(["Chrome", "Firefox", ""]) },
}))

/** Everybody who pays is in the second cohort, and some of them in the first. */
const COHORTS: Readonly<Record<string, readonly string[]>> = { "1": ["pro"], "2": ["pro", "team"] }
const isIn = (cohort: string, actor: string) => cohort === "all" || (COHORTS[cohort] ?? []).includes(planOf(actor))

beforeAll(() => {
  engine.capture(events)
  const row = { project_id: 1, created_at: "2024-03-01T00:00:00Z", version: 1 }
  engine.insert(
    "persons",
    ACTORS.map((actor) => ({ ...row, id: uuidOf(actor), properties: JSON.stringify({ plan: planOf(actor) }) })),
  )
  const cohorts = Object.entries(COHORTS).map(([id, plans]) => {
    const filters: Json = { properties: { type: "AND", values: [{ type: "person", key: "plan", value: [...plans] }] } }
    return [Number(id), { id: Number(id), name: id, isStatic: false, filters }] as const
  })
  engine.schema = { ...engine.schema, cohortsById: new Map(cohorts) }
})
afterAll(() => engine.close())

const node = (event: string, math = "total"): Json => ({ kind: "EventsNode", event, math })
const distinct = (list: readonly TestEvent[]) => new Set(list.map(({ actor }) => actor)).size
const byCohort = { breakdown_type: "cohort", breakdown: ["all", 1, 2] }
const NAMES = ["all", "1", "2"]

interface ToldApart {
  readonly breakdown_value: Json
  readonly data: readonly number[]
  readonly aggregated_value: number
  readonly count: number
}

describe("cohorts that have members in common", () => {
  const opens = events.filter(({ event }) => event === "open")
  const firsts = ACTORS.flatMap((actor) => opens.find((open) => open.actor === actor) ?? [])
  test.each([
    ["total", (list: TestEvent[]) => list.length, opens],
    ["dau", distinct, opens],
    ["weekly_active", distinct, opens],
    ["first_time_for_user", (list: TestEvent[]) => list.length, firsts],
    ["max_count_per_actor", (list: TestEvent[]) => Math.max(0, ...countsOf(list)), opens],
  ] as const)("each show all that their members did, by %s", async (math, value, counted) => {
    const query = { kind: "TrendsQuery", series: [node("open", math)], dateRange, breakdownFilter: byCohort }
    const { results } = await engine.run<ToldApart[]>(query)
    const until = (day: string, at: string) => (math === "weekly_active" ? at.slice(0, 10) <= day : at.startsWith(day))
    const wanted = NAMES.map((name) => [
      name === "all" ? name : Number(name),
      DAYS.map((day) => value(counted.filter(({ at, actor }) => until(day, at) && isIn(name, actor)))),
    ])
    expect(results.map(({ breakdown_value, data }) => [breakdown_value, data]).sort()).toEqual(wanted.sort())
  })

  test("have the persons that their numbers say behind them", async () => {
    const trends: KindQuery = {
      kind: "TrendsQuery",
      series: [node("open", "dau")],
      dateRange,
      breakdownFilter: byCohort,
    }
    for (const breakdown of NAMES) {
      const source = { kind: "InsightActorsQuery", source: trends, day: DAYS[1] as string, breakdown }
      const { results } = await engine.run<string[][]>({ kind: "ActorsQuery", select: ["id"], source })
      const there = opens.filter(({ at, actor }) => at.startsWith(DAYS[1] as string) && isIn(breakdown, actor))
      expect(results).toHaveLength(distinct(there))
    }
  })

  test("each have a funnel of their own", async () => {
    const query = { kind: "FunnelsQuery", series: [node("open"), node("save")], dateRange, breakdownFilter: byCohort }
    const { results } = await engine.run<{ breakdown_value: Json; count: number }[][]>(query)
    const came = (actor: string) => {
      const own = events.filter((item) => item.actor === actor)
      const begun = own.findIndex(({ event }) => event === "open")
      if (begun < 0) return 0
      return own.slice(begun).some(({ event }) => event === "save") ? 2 : 1
    }
    const wanted = NAMES.map((name) => {
      const members = ACTORS.filter((actor) => isIn(name, actor))
      return [
        name === "all" ? 0 : Number(name),
        [1, 2].map((steps) => members.filter((actor) => came(actor) >= steps).length),
      ]
    })
    const shown = results.map((steps) => [steps[0]?.breakdown_value, steps.map(({ count }) => count)])
    expect(shown.sort()).toEqual(wanted.sort())
  })

  test("each have a retention of their own", async () => {
    const entity = { id: "open", type: "events" }
    const retentionFilter = { totalIntervals: 2, targetEntity: entity, returningEntity: { ...entity, id: "save" } }
    const query = { kind: "RetentionQuery", retentionFilter, dateRange, breakdownFilter: byCohort }
    const { results } = await engine.run<{ breakdown_value: Json; values: { count: number }[] }[]>(query)
    const there = (name: string, event: string, day: string) =>
      new Set(
        events
          .filter((item) => item.event === event && item.at.startsWith(day) && isIn(name, item.actor))
          .map(({ actor }) => actor),
      )
    const [first, last] = DAYS.slice(-2) as [string, string]
    const wanted = NAMES.map((name) => {
      const began = there(name, "open", first)
      const back = there(name, "save", last)
      return [name, [began.size, [...began].filter((actor) => back.has(actor)).length]]
    })
    const rows = results.filter(({ values }) => values.length === 2)
    expect(
      rows.map(({ breakdown_value, values }) => [breakdown_value, values.map(({ count }) => count)]).sort(),
    ).toEqual(wanted.sort())
  })
})

const countsOf = (list: readonly TestEvent[]): number[] =>
  [...new Set(list.map(({ actor }) => actor))].map((actor) => list.filter((item) => item.actor === actor).length)

describe("a formula over series that are told apart", () => {
  test("has every series' number of a value, also of one that only another series has most of", async () => {
    const saves = (page: string, event: string) =>
      events.filter((item) => item.event === event && item.properties?.page === page).length
    const query = {
      kind: "TrendsQuery",
      series: [node("open"), node("save")],
      dateRange,
      trendsFilter: { display: "BoldNumber", formula: "A * 1000 + B" },
      breakdownFilter: { breakdown: "page", breakdown_limit: 1 },
    }
    const { results } = await engine.run<ToldApart[]>(query)
    const value = (page: string) => saves(page, "open") * 1000 + saves(page, "save")
    expect(results.map(({ breakdown_value, aggregated_value }) => [breakdown_value, aggregated_value])).toEqual([
      ["/a", value("/a")],
      ["$$_posthog_breakdown_other_$$", value("/b") + value("/c")],
    ])
  })
})

describe("a funnel told apart by a property", () => {
  const funnel = (breakdownFilter: Json, funnelsFilter: Json = {}) =>
    engine.run<{ breakdown_value: Json; count: number }[][]>({
      kind: "FunnelsQuery",
      series: [node("open"), node("save")],
      dateRange,
      breakdownFilter,
      funnelsFilter,
    })

  test("leaves out what is beyond the limit when that is asked for", async () => {
    const all = await funnel({ breakdown: "page", breakdown_limit: 1 })
    const hidden = await funnel({ breakdown: "page", breakdown_limit: 1, breakdown_hide_other_aggregation: true })
    const isOther = (steps: { breakdown_value: Json }[]) => String(steps[0]?.breakdown_value).includes("other")
    expect(all.results.filter(isOther)).toHaveLength(1)
    expect(hidden.results).toEqual(all.results.filter((steps) => !isOther(steps)))
  })

  test.each([
    ["one property", { breakdown: "browser" }],
    ["several", { breakdowns: [{ property: "browser" }, { property: "page" }] }],
  ] as const)("leaves out who never comes to the step whose value counts, by %s", async (_, by) => {
    engine.capture([
      { event: "alone", actor: "somebody", at: "2024-03-04T08:00:00Z", properties: { browser: "Opera" } },
    ])
    const { results } = await engine.run<Json[]>({
      kind: "FunnelsQuery",
      series: [node("alone"), node("save")],
      dateRange,
      breakdownFilter: by as Json,
      funnelsFilter: { breakdownAttributionType: "step", breakdownAttributionValue: 1 },
    })
    expect(results).toEqual([])
  })
})

describe("an option that changes numbers", () => {
  const ask = (more: Record<string, Json>, own: Record<string, Json> = {}) =>
    engine.run<ToldApart[]>({
      kind: "TrendsQuery",
      series: [{ kind: "EventsNode", event: "open", ...own }],
      dateRange,
      trendsFilter: { display: "BoldNumber" },
      ...more,
    })

  test("puts numbers into bins under either of its names", async () => {
    const prices = [1, 2, 3, 4, 5, 6]
    const at = "2024-03-05T12:00:00Z"
    engine.capture(prices.map((price) => ({ event: "priced", actor: "somebody", at, properties: { price } })))
    const one = await ask(
      { breakdownFilter: { breakdown: "price", breakdown_histogram_bin_count: 2 } },
      { event: "priced" },
    )
    const listed = { property: "price", type: "event", histogram_bin_count: 2 }
    const list = await ask({ breakdownFilter: { breakdowns: [listed] } }, { event: "priced" })
    const shown = one.results.map(({ breakdown_value, aggregated_value }) => [[breakdown_value], aggregated_value])
    expect(shown).toHaveLength(2)
    expect(shown).toEqual(list.results.map((line) => [line.breakdown_value, line.aggregated_value]))
  })

  test("and is not there is refused by its name", async () => {
    await expect(ask({ aggregation_group_type_index: 0 })).rejects.toMatchObject({
      details: { detail: expect.stringContaining("aggregation_group_type_index is not supported") },
    })
  })

  test.each(["now()", "max(timestamp)", "groupArray(event)", "count() > 0 ? 'many' : 'none'"])(
    "must be made of numbers: %s",
    async (math_hogql) => {
      await expect(ask({}, { math: "hogql", math_hogql })).rejects.toMatchObject({ code: "hogql_query_error" })
    },
  )

  test.each([
    ["-A ^ 2", (opens: number) => -(opens ** 2)],
    ["2 ^ -1 * A", (opens: number) => opens / 2],
    ["-A * -2 - -A", (opens: number) => 3 * opens],
    ["(-A) ^ 2", (opens: number) => opens ** 2],
  ] as const)("is a formula, read as one writes it: %s", async (formula, value) => {
    const { results } = await ask({ trendsFilter: { display: "BoldNumber", formula } })
    expect(results[0]?.aggregated_value).toBe(value(events.filter(({ event }) => event === "open").length))
  })
})
