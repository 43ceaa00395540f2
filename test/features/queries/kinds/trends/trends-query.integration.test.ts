import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Json } from "../../../../../src/kernel/json.js"
import { KindEngine, type Line, type Listed, randomFrom, type TestEvent } from "../kind-engine.js"

const engine = new KindEngine()
const random = randomFrom(7)
const ZONE = "Europe/Berlin"
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T

/** Ten days around the night in which clocks go forward; many events share a moment or stand at an edge of a day. */
const MINUTES = ["00:00", "22:59", "23:00", "23:30", "12:00", "01:00", "01:30"]
const events: TestEvent[] = Array.from({ length: 600 }, () => ({
  event: pick(["view", "view", "buy"]),
  actor: pick(["a", "b", "c", "d", "e", "f", "g", "h"]),
  at: `2024-03-${String(25 + Math.floor(random() * 6)).padStart(2, "0")}T${pick(MINUTES)}:00Z`,
  properties: { amount: pick([1, 2.5, "4", null, 10]), plan: pick(["pro", "free", "free", "team", ""]) },
  session: pick(["s1", "s2", "s3", ""]),
  group: pick(["acme", "globex", ""]),
}))
const RANGE = { date_from: "2024-03-25", date_to: "2024-04-02" }

beforeAll(() => {
  engine.capture(events)
  engine.capture([{ event: "view", actor: "stranger", at: "2024-03-26T12:00:00Z" }], 2)
})
afterAll(() => engine.close())

/** Independent of the product: what the zone's calendar says of an instant. */
const dayIn = (iso: string, zone = ZONE) => new Date(iso).toLocaleDateString("sv-SE", { timeZone: zone })
const numbers = (list: readonly TestEvent[]) =>
  list.flatMap(({ properties }) => (properties?.amount == null ? [] : [Number(properties.amount)]))
const distinct = (items: readonly unknown[]) => new Set(items).size
const views = events.filter(({ event }) => event === "view")
const DAYS = ["25", "26", "27", "28", "29", "30", "31"]
  .map((day) => `2024-03-${day}`)
  .concat("2024-04-01", "2024-04-02")

const trend = (series: Record<string, Json>, rest: Record<string, Json> = {}) =>
  engine.run<Listed<Line>>(
    { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "view", ...series }], dateRange: RANGE, ...rest },
    { timezone: ZONE },
  )

describe("a trend by day in the project's zone", () => {
  const perDay = (value: (list: TestEvent[]) => number) =>
    DAYS.map((day) => value(views.filter(({ at }) => dayIn(at) === day)))
  const close = (wanted: number[]) => wanted.map((value) => expect.closeTo(value, 6))

  test.each([
    ["total", perDay((list) => list.length)],
    ["dau", perDay((list) => distinct(list.map(({ actor }) => actor)))],
    ["unique_session", perDay((list) => distinct(list.flatMap(({ session }) => session || [])))],
    ["unique_group", perDay((list) => distinct(list.flatMap(({ group }) => group || [])))],
    ["sum", perDay((list) => numbers(list).reduce((a, b) => a + b, 0))],
    ["avg", perDay((list) => numbers(list).reduce((a, b) => a + b, 0) / (numbers(list).length || 1))],
    ["min", perDay((list) => Math.min(...(numbers(list).length ? numbers(list) : [0])))],
    ["max", perDay((list) => Math.max(...(numbers(list).length ? numbers(list) : [0])))],
    [
      "max_count_per_actor",
      perDay((list) => Math.max(0, ...list.map(({ actor }) => list.filter((other) => other.actor === actor).length))),
    ],
    ["hogql", perDay((list) => list.length * 2)],
  ])("counts %s as the events themselves do", async (math, wanted) => {
    const { results } = await trend({ math, math_property: "amount", math_hogql: "count() * 2" })
    expect(results).toHaveLength(1)
    expect(results[0]).toMatchObject({ days: DAYS, label: "view", data: close(wanted) })
    expect(results[0].count).toBeCloseTo(
      wanted.reduce((a, b) => a + b, 0),
      6,
    )
  })

  test("counts actors of the week that ends with each day", async () => {
    const wanted = DAYS.map((_, index) => {
      const week = views.filter(({ at }) => DAYS.slice(Math.max(0, index - 6), index + 1).includes(dayIn(at)))
      return distinct(week.map(({ actor }) => actor))
    })
    expect((await trend({ math: "weekly_active" })).results[0].data).toEqual(wanted)
  })

  test("counts the whole first day of a week in which clocks are set back", async () => {
    engine.capture([{ event: "autumn", actor: "a", at: "2023-10-23T00:30:00+02:00" }])
    const dateRange = { date_from: "2023-10-29", date_to: "2023-10-30" }
    const { results } = await trend({ event: "autumn", math: "weekly_active" }, { dateRange })
    expect(results[0].data).toEqual([1, 0])
  })

  test("counts a person once, on the day of the first event of that name ever", async () => {
    const firsts = ["a", "b", "c", "d", "e", "f", "g", "h"].flatMap((actor) => {
      const own = views.filter((view) => view.actor === actor).map(({ at }) => at)
      return own.length === 0 ? [] : [dayIn(own.sort()[0] as string)]
    })
    const { results } = await trend({ math: "first_time_for_user" })
    expect(results[0].data).toEqual(DAYS.map((day) => firsts.filter((first) => first === day).length))
  })
})

describe("intervals", () => {
  test("of an hour leave out the hour that does not exist", async () => {
    const { results } = await trend(
      {},
      { interval: "hour", dateRange: { date_from: "2024-03-31", date_to: "2024-03-31" } },
    )
    expect(results[0].days).toHaveLength(23)
    expect(results[0].days.slice(0, 4)).toEqual(["00", "01", "03", "04"].map((hour) => `2024-03-31 ${hour}:00:00`))
    const wanted = views.filter(({ at }) => dayIn(at) === "2024-03-31").length
    expect(results[0].count).toBe(wanted)
  })

  test("of a week begin on the project's day, those of a month with its first", async () => {
    const weekly = await engine.run<Listed<Line>>(
      { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "view" }], interval: "week", dateRange: RANGE },
      { timezone: ZONE, weekStartDay: 1 },
    )
    expect(weekly.results[0].days).toEqual(["2024-03-25", "2024-04-01"])
    expect(weekly.results[0].count).toBe(views.length)
    const monthly = await trend({}, { interval: "month" })
    expect(monthly.results[0]).toMatchObject({ days: ["2024-03-01", "2024-04-01"], count: views.length })
  })
})

describe("breakdowns", () => {
  const plans = (plan: string) => views.filter(({ properties }) => properties?.plan === plan).length
  test("give one line per value, the largest first, and the rest as one", async () => {
    const { results } = await trend({}, { breakdownFilter: { breakdown: "plan", breakdown_limit: 2 } })
    const counts = ["free", "team", "pro", ""].map(
      (plan) => [plan || "$$_posthog_breakdown_null_$$", plans(plan)] as const,
    )
    const sorted = [...counts].sort((x, y) => y[1] - x[1])
    const rest = sorted.slice(2).reduce((total, [, count]) => total + count, 0)
    expect(results.map((line) => [line.breakdown_value, line.count])).toEqual([
      ...sorted.slice(0, 2),
      ["$$_posthog_breakdown_other_$$", rest],
    ])
  })

  test("of distinct counts count an actor once in the rest, too", async () => {
    const { results } = await trend(
      { math: "dau" },
      { breakdownFilter: { breakdown: "plan", breakdown_limit: 1 }, trendsFilter: { display: "BoldNumber" } },
    )
    const top = results[0].breakdown_value
    const others = views.filter(({ properties }) => (properties?.plan || "$$_posthog_breakdown_null_$$") !== top)
    expect(results[1]).toMatchObject({
      breakdown_value: "$$_posthog_breakdown_other_$$",
      aggregated_value: distinct(others.map(({ actor }) => actor)),
      data: [],
    })
  })

  const byPlan = ({ properties }: TestEvent) => String(properties?.plan || "$$_posthog_breakdown_null_$$")
  const byMomentAndPlan = ({ at, properties }: TestEvent) =>
    `${Date.parse(at) / 1000}-${String(properties?.plan ?? "")}`
  const momentAndPlan = "concat(toString(toUnixTimestamp(timestamp)), '-', properties.plan)"
  test.each([
    ["few values", { breakdown: "plan" }, byPlan],
    ["more than a hundred", { breakdown: momentAndPlan, breakdown_type: "hogql" }, byMomentAndPlan],
  ])("of distinct counts are those of each interval, with %s", async (_values, breakdown, nameOf) => {
    const { results } = await trend({ math: "dau" }, { breakdownFilter: { ...breakdown, breakdown_limit: 3 } })
    const actors = (list: TestEvent[]) => distinct(list.map(({ actor }) => actor))
    const total = (value: string) => actors(views.filter((view) => nameOf(view) === value))
    const top = [...new Set(views.map(nameOf))].sort((a, b) => total(b) - total(a) || (a < b ? -1 : 1)).slice(0, 3)
    const shown = (view: TestEvent) => (top.includes(nameOf(view)) ? nameOf(view) : "$$_posthog_breakdown_other_$$")
    const lists = Map.groupBy(views, (view) => `${shown(view)} ${dayIn(view.at)}`)
    const perDay = (value: string) => DAYS.map((day) => actors(lists.get(`${value} ${day}`) ?? []))
    const lines = results.map((line) => [line.breakdown_value, line.data])
    expect(Object.fromEntries(lines)).toEqual(
      Object.fromEntries([...top, "$$_posthog_breakdown_other_$$"].map((value) => [value, perDay(value)])),
    )
  })

  test("cannot be used to write SQL", async () => {
    const { results } = await trend({}, { breakdownFilter: { breakdown: "a') --", breakdown_type: "event" } })
    expect(results).toMatchObject([{ breakdown_value: "$$_posthog_breakdown_null_$$", count: views.length }])
  })
})

describe("bins of a number", () => {
  const binned = (count: number) => ({
    breakdowns: [{ property: "amount", type: "event", histogram_bin_count: count }],
  })

  /** A bin is named by its edges, as a list of the one breakdown. */
  const edgesOf = (name: Json): [number, number] => JSON.parse(String(name))

  test("hold every event that has the number once, from the smallest to the largest", async () => {
    const { results } = await trend({}, { breakdownFilter: binned(3) })
    const values = numbers(views)
    const bins = results
      .filter(({ breakdown_value }) => String(breakdown_value).startsWith("["))
      .map(({ breakdown_value, count }) => ({ edges: edgesOf(breakdown_value), count }))
      .sort((a, b) => a.edges[0] - b.edges[0])
    expect(bins.length).toBeGreaterThan(1)
    expect([bins[0]?.edges[0], bins.at(-1)?.edges[1]]).toEqual([Math.min(...values), Math.max(...values) + 0.01])
    for (const [index, { edges, count }] of bins.entries()) {
      const isLast = index === bins.length - 1
      expect(values.filter((value) => value >= edges[0] && (value < edges[1] || isLast))).toHaveLength(count)
    }
    const none = results.find((line) => String(line.breakdown_value) === "$$_posthog_breakdown_null_$$")
    expect(none?.count).toBe(views.length - values.length)
  })

  test("are the same in both periods of a comparison, and leave no number out", async () => {
    const grown = [2, 3, 5, 8].map((size) => ({ size, day: "2024-05-02" }))
    const before = [1, 40, 90].map((size) => ({ size, day: "2024-05-01" }))
    engine.capture(
      [...grown, ...before].map(({ size, day }) => ({
        event: "measured",
        actor: "m",
        at: `${day}T12:00:00Z`,
        properties: { size },
      })),
    )
    const { results } = await trend(
      { event: "measured" },
      {
        dateRange: { date_from: "2024-05-02", date_to: "2024-05-02" },
        compareFilter: { compare: true },
        breakdownFilter: { breakdowns: [{ property: "size", type: "event", histogram_bin_count: 3 }] },
      },
    )
    const bins = results.map(({ breakdown_value, count, compare_label }) => ({
      edges: edgesOf(breakdown_value),
      count,
      compare_label,
    }))
    const last = Math.max(...bins.map(({ edges }) => edges[1]))
    expect([Math.min(...bins.map(({ edges }) => edges[0])), last]).toEqual([1, 90.01])
    for (const [label, items] of [
      ["current", grown],
      ["previous", before],
    ] as const) {
      const own = bins.filter(({ compare_label }) => compare_label === label)
      expect(own.reduce((sum, { count }) => sum + count, 0)).toBe(items.length)
      for (const { edges, count } of own)
        expect(items.filter(({ size }) => size >= edges[0] && (size < edges[1] || edges[1] === last))).toHaveLength(
          count,
        )
    }
  })

  test("are one bin for one value, none without values, and refused where nothing is told over time", async () => {
    const series = { properties: [{ key: "amount", type: "event", operator: "exact", value: 10 }] }
    const tens = numbers(views).filter((value) => value === 10).length
    expect((await trend(series, { breakdownFilter: binned(3) })).results).toMatchObject([
      { breakdown_value: ["[10,10.01]"], count: tens },
    ])
    expect((await trend({ event: "nobody" }, { breakdownFilter: binned(3) })).results).toEqual([])
    const step = { kind: "EventsNode", event: "view" }
    const funnel = { kind: "FunnelsQuery", series: [step, step], breakdownFilter: binned(3) }
    await expect(engine.run(funnel)).rejects.toThrow("is only supported in TrendsQuery")
  })
})

describe("what is made of the lines", () => {
  test("compares with the days before, as far back as the range is long", async () => {
    const dateRange = { date_from: "2024-03-28", date_to: "2024-03-29" }
    const { results } = await trend({}, { dateRange, compareFilter: { compare: true } })
    expect(results.map((line) => [line.compare_label, line.days])).toEqual([
      ["current", ["2024-03-28", "2024-03-29"]],
      ["previous", ["2024-03-26", "2024-03-27"]],
    ])
    expect(results[1].count).toBe(views.filter(({ at }) => ["2024-03-26", "2024-03-27"].includes(dayIn(at))).length)
  })

  test("calculates a formula over series, dividing by nothing to 0", async () => {
    const series = ["view", "buy"].map((event) => ({ kind: "EventsNode", event }))
    const { results } = await trend({}, { series, trendsFilter: { formula: "A / B * 100" } })
    const count = (event: string, day: string) =>
      events.filter((item) => item.event === event && dayIn(item.at) === day).length
    const wanted = DAYS.map((day) => (count("buy", day) === 0 ? 0 : (count("view", day) / count("buy", day)) * 100))
    expect(results).toHaveLength(1)
    expect(results[0].data).toEqual(wanted.map((value) => expect.closeTo(value, 6)))
  })

  test("smooths over the intervals before, and cumulates", async () => {
    const { data } = (await trend({})).results[0]
    const even = (await trend({}, { trendsFilter: { smoothingIntervals: 3 } })).results[0].data
    expect(even[2]).toBeCloseTo((data[0] + data[1] + (data[2] as number)) / 3, 9)
    const cumulated = (await trend({}, { trendsFilter: { display: "ActionsLineGraphCumulative" } })).results[0]
    expect(cumulated.data.at(-1)).toBe(views.length)
  })
})

describe("a query of the wrong shape", () => {
  test.each([
    [{ series: [] }, "TrendsQuery.series must have at least one item"],
    [{ series: [{ kind: "EventsNode", math: "mystery" }] }, "TrendsQuery.series[0].math must be one of"],
    [{ series: [{ kind: "EventsNode", math: "sum" }] }, "TrendsQuery.series[0].math_property is required"],
    [{ interval: "fortnight" }, "TrendsQuery.interval must be one of"],
    [{ dateRange: { date_from: "soon" } }, "dateRange cannot hold 'soon'"],
    [{ trendsFilter: { formula: "A +" } }, "TrendsQuery.trendsFilter.formula must be a formula"],
  ])("is refused by kind and field: %j", async (wrong, detail) => {
    await expect(trend({}, wrong as Record<string, Json>)).rejects.toMatchObject({
      code: "parse_error",
      details: { detail: expect.stringContaining(detail) },
    })
  })
})
