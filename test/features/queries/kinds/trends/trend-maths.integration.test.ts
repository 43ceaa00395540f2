import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Json } from "../../../../../src/kernel/json.js"
import { KindEngine, type Line, type Listed, type TestEvent } from "../kind-engine.js"

const engine = new KindEngine()
const DATES = { date_from: "2024-03-04", date_to: "2024-03-07" }
/** UUIDs of version 7, whose time is that of the first event. */
const sessionAt = (iso: string, last: string) => {
  const time = Date.parse(iso).toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-00000000000${last}`
}
const LONG = sessionAt("2024-03-04T10:00:00Z", "1")
const SHORT = sessionAt("2024-03-05T10:00:00Z", "2")

const view = (actor: string, at: string, more: Partial<TestEvent> = {}): TestEvent => ({
  event: "view",
  actor,
  at: `2024-03-${at}:00Z`,
  ...more,
})
const events = [
  view("a", "04T10:00", { session: LONG, group: "acme", properties: { plan: "pro", size: 10 } }),
  view("a", "04T10:00", { session: LONG, group: "acme", properties: { plan: "pro", size: 20 } }),
  view("b", "04T10:10", { session: LONG, group: "acme", properties: { plan: "free", size: 30 } }),
  view("a", "05T10:00", { session: SHORT, group: "acme", properties: { plan: "pro", size: 40 } }),
  view("c", "05T10:01", { session: SHORT, group: "globex", properties: { plan: "free" } }),
  view("c", "06T09:00", { group: "globex", properties: { plan: "free" } }),
  view("d", "06T09:00", { properties: { plan: "pro" } }),
]

beforeAll(() => engine.capture(events))
afterAll(() => engine.close())

const ask = (series: Record<string, Json>, rest: Record<string, Json> = {}) =>
  engine.run<Listed<Line>>({
    kind: "TrendsQuery",
    series: [{ kind: "EventsNode", event: "view", ...series }],
    dateRange: DATES,
    ...rest,
  })
const dataOf = async (series: Record<string, Json>, rest: Record<string, Json> = {}) =>
  (await ask(series, rest)).results[0].data
const CUMULATIVE = { trendsFilter: { display: "ActionsLineGraphCumulative" } }

describe("math on the duration of sessions", () => {
  test.each([
    ["sum", [600, 60, 0, 0]],
    ["avg", [600, 60, 0, 0]],
    ["max", [600, 60, 0, 0]],
  ])("takes each session once for %s, however many events it has", async (math, wanted) => {
    expect(await dataOf({ math, math_property: "$session_duration" })).toEqual(wanted)
  })

  test("takes each session once in a total and for each value of a breakdown", async () => {
    const sum = { math: "sum", math_property: "$session_duration" }
    const { results } = await engine.run<{ aggregated_value: number }[]>({
      kind: "TrendsQuery",
      series: [{ kind: "EventsNode", event: "view", ...sum }],
      dateRange: DATES,
      trendsFilter: { display: "BoldNumber" },
    })
    expect(results[0]?.aggregated_value).toBe(660)
    const lines = (await ask(sum, { breakdownFilter: { breakdown: "plan" } })).results
    expect(lines.map(({ breakdown_value, data }) => [breakdown_value, data])).toEqual([
      ["free", [600, 60, 0, 0]],
      ["pro", [600, 60, 0, 0]],
    ])
  })
})

describe("counts of groups", () => {
  test.each([
    ["avg_count_per_actor", [3, 1, 1, 0]],
    ["max_count_per_actor", [3, 1, 1, 0]],
    ["weekly_active", [1, 2, 2, 2]],
    ["monthly_active", [1, 2, 2, 2]],
    ["dau", [1, 2, 1, 0]],
    ["unique_group", [1, 2, 1, 0]],
  ])("are asked for by math_group_type_index with %s", async (math, wanted) => {
    expect(await dataOf({ math, math_group_type_index: 0 })).toEqual(wanted)
  })

  test("are refused where nothing counts actors, as the index would have no effect", async () => {
    await expect(dataOf({ math: "total", math_group_type_index: 0 })).rejects.toThrow(
      /math_group_type_index has no effect on math total/,
    )
  })

  test("have no persons behind their points", async () => {
    const source = {
      kind: "TrendsQuery",
      series: [{ kind: "EventsNode", event: "view", math: "dau", math_group_type_index: 0 }],
    }
    await expect(engine.run({ kind: "InsightActorsQuery", source })).rejects.toThrow(/counts groups/)
  })
})

describe("a cumulative chart", () => {
  test.each([
    ["total", {}, [3, 5, 7, 7]],
    ["dau", {}, [2, 3, 4, 4]],
    ["unique_group", { math_group_type_index: 0 }, [1, 2, 2, 2]],
    ["unique_session", {}, [1, 2, 2, 2]],
  ])("counts whoever comes again once with %s", async (math, more, wanted) => {
    expect(await dataOf({ math, ...more }, CUMULATIVE)).toEqual(wanted)
  })

  test("does so for each value of a breakdown, and for all others together", async () => {
    const breakdownFilter = { breakdown: "plan", breakdown_limit: 1 }
    const { results } = await ask({ math: "dau" }, { ...CUMULATIVE, breakdownFilter })
    expect(results.map(({ breakdown_value, data }) => [breakdown_value, data])).toEqual([
      ["free", [1, 2, 2, 2]],
      ["$$_posthog_breakdown_other_$$", [1, 1, 2, 2]],
    ])
  })

  test("has behind a point everybody whom it counts", async () => {
    const source = {
      kind: "TrendsQuery",
      series: [{ kind: "EventsNode", event: "view", math: "dau" }],
      dateRange: DATES,
      ...CUMULATIVE,
    }
    const { results } = await engine.run<Json[]>({ kind: "InsightActorsQuery", source, day: "2024-03-05" })
    expect(results).toHaveLength(3)
  })
})

describe("bins of numbers", () => {
  test("have edges between the numbers, cut to hundredths, the last one just above the largest", async () => {
    const breakdownFilter = { breakdown: "size", breakdown_histogram_bin_count: 4 }
    const { results } = await ask({}, { breakdownFilter })
    expect(results.map(({ breakdown_value, count }) => [breakdown_value, count])).toEqual([
      ["$$_posthog_breakdown_null_$$", 3],
      ["[10,17.5]", 1],
      ["[17.5,25]", 1],
      ["[25,32.5]", 1],
      ["[32.5,40.01]", 1],
    ])
  })
})
