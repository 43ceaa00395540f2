import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Json } from "../../../../../src/kernel/json.js"
import { KindEngine, type TestEvent, uuidOf } from "../kind-engine.js"

const engine = new KindEngine()
const did = (actor: string, event: string, at: string, properties = {}): TestEvent => ({
  event,
  actor,
  at: `2024-03-${at}:00Z`,
  properties,
})
const CHROME = { browser: "Chrome", os: "Linux" }
const events = [
  did("through", "open", "04T08:00", CHROME),
  did("through", "save", "04T09:00", CHROME),
  did("through", "share", "04T10:00", CHROME),
  did("saver", "open", "04T08:00"),
  did("saver", "save", "04T09:00", { os: "Windows" }),
  did("opener", "open", "05T08:00", { browser: "Firefox" }),
  did("nothing", "open", "05T08:00"),
  // In time for the day's window only at the second try.
  did("late", "open", "04T08:00", CHROME),
  did("late", "open", "06T08:00", CHROME),
  did("late", "save", "06T09:00", CHROME),
]
const ACTORS = ["through", "saver", "opener", "nothing", "late"]

beforeAll(() => {
  engine.capture(events)
  const row = { project_id: 1, created_at: "2024-03-01T00:00:00Z", properties: "{}", version: 1 }
  engine.insert(
    "persons",
    ACTORS.map((actor) => ({ ...row, id: uuidOf(actor) })),
  )
})
afterAll(() => engine.close())

const DATES = { date_from: "2024-03-04", date_to: "2024-03-06" }
const DAY = { funnelWindowInterval: 1, funnelWindowIntervalUnit: "day" }
const toFunnel = (breakdownFilter: Json, funnelsFilter: Record<string, Json> = {}) => ({
  kind: "FunnelsQuery",
  series: ["open", "save", "share"].map((event) => ({ kind: "EventsNode", event })),
  dateRange: DATES,
  breakdownFilter,
  funnelsFilter: { ...DAY, ...funnelsFilter },
})
interface Step {
  readonly breakdown_value: Json
  readonly count: number
}
const countsBy = async (breakdownFilter: Json, funnelsFilter: Record<string, Json> = {}) => {
  const { results } = await engine.run<Step[][]>(toFunnel(breakdownFilter, funnelsFilter))
  const shown = results.map((steps) => [steps[0]?.breakdown_value, steps.map(({ count }) => count)])
  return Object.fromEntries(shown.map(([value, counts]) => [JSON.stringify(value), counts]))
}
const BROWSER_AND_OS = { breakdowns: [{ property: "browser" }, { property: "os" }] }

describe("a funnel's breakdown value", () => {
  test("is a list also of one property, with an empty text for none", async () => {
    expect(await countsBy({ breakdown: "browser" })).toEqual({
      '["Chrome"]': [2, 2, 1],
      '[""]': [2, 1, 0],
      '["Firefox"]': [1, 0, 0],
    })
  })

  test.each(["ordered", "strict", "unordered"])(
    "of several properties is that of the first event that has any of them, %s",
    async (funnelOrderType) => {
      const counts = await countsBy(BROWSER_AND_OS, { funnelOrderType, breakdownAttributionType: "first_touch" })
      expect(counts['["","Windows"]']).toEqual([1, 1, 0])
      expect(counts['["",""]']).toEqual([1, 0, 0])
    },
  )

  test.each(["ordered", "strict", "unordered"])(
    "by step leaves out who never comes to that step, %s",
    async (funnelOrderType) => {
      const step = { funnelOrderType, breakdownAttributionType: "step", breakdownAttributionValue: 1 }
      expect(await countsBy({ breakdown: "browser" }, step)).toEqual({ '["Chrome"]': [2, 2, 1], '[""]': [1, 1, 0] })
      expect(await countsBy(BROWSER_AND_OS, step)).toEqual({
        '["Chrome","Linux"]': [2, 2, 1],
        '["","Windows"]': [1, 1, 0],
      })
    },
  )

  test("of a trend is the same", async () => {
    const { results } = await engine.run<Step[]>(toFunnel({ breakdown: "browser" }, { funnelVizType: "trends" }))
    expect(results.map(({ breakdown_value }) => JSON.stringify(breakdown_value)).sort()).toEqual([
      '[""]',
      '["Chrome"]',
      '["Firefox"]',
    ])
  })

  test.each([
    [["Chrome"], ["late", "through"]],
    ["Chrome", ["late", "through"]],
    [[""], ["saver"]],
    ["", ["saver"]],
  ])("names the persons behind it as it is shown: %j", async (funnelStepBreakdown, wanted) => {
    expect(await personsAt(toFunnel({ breakdown: "browser" }), { funnelStep: 2, funnelStepBreakdown })).toEqual(wanted)
  })
})

const personsAt = async (source: Json, point: Record<string, Json>) => {
  const { results } = await engine.run<string[][]>({ kind: "FunnelsActorsQuery", source, ...point })
  return ACTORS.filter((actor) => results.some(([id]) => id === uuidOf(actor))).sort()
}

describe("the persons of a funnel", () => {
  test.each([
    [[1], ["nothing", "opener"]],
    [[2], ["late", "saver"]],
    [
      [1, 3],
      ["nothing", "opener", "through"],
    ],
  ])("are those who came to steps %j and no further", async (funnelCustomSteps, wanted) => {
    expect(await personsAt(toFunnel(null), { funnelCustomSteps })).toEqual(wanted)
  })

  test.each([
    ["2024-03-04 00:00:00", false, ["saver", "through"]],
    ["2024-03-04", true, ["late"]],
    ["2024-03-05 00:00:00", true, ["nothing", "opener"]],
    ["2024-03-06 00:00:00", false, ["late"]],
    ["2024-03-06 00:00:00", true, []],
  ])("who began on %s, gone on the way: %s", async (funnelTrendsEntrancePeriodStart, funnelTrendsDropOff, wanted) => {
    const trend = toFunnel(null, { funnelVizType: "trends", funnelToStep: 1 })
    expect(await personsAt(trend, { funnelTrendsEntrancePeriodStart, funnelTrendsDropOff })).toEqual(wanted)
  })

  test.each([
    [{ funnelCustomSteps: [4] }, /funnelCustomSteps must hold numbers of steps, 1 to 3/],
    [{ funnelCustomSteps: [1], funnelStep: 1 }, /funnelStep cannot be used with funnelCustomSteps/],
    [{ funnelStep: 1, funnelTrendsDropOff: true }, /funnelTrendsDropOff needs funnelTrendsEntrancePeriodStart/],
    [{ funnelTrendsEntrancePeriodStart: "2024-03-04" }, /needs funnelVizType trends/],
    [{ funnelStep: 1, includeRecordings: true }, /includeRecordings is not supported/],
  ] as const)("are refused for %j", async (point, reason) => {
    await expect(personsAt(toFunnel(null), point as Record<string, Json>)).rejects.toThrow(reason)
  })
})
