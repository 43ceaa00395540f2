import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Json } from "../../../../src/kernel/json.js"
import {
  KindEngine,
  type KindQuery,
  type Line,
  type Listed,
  randomFrom,
  type TestEvent,
  uuidOf,
} from "./kind-engine.js"

const engine = new KindEngine()
const random = randomFrom(43)
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
const ACTORS = Array.from({ length: 15 }, (_, index) => `actor ${index}`)
/** Few moments, so that many events of a person share theirs. */
const events: TestEvent[] = Array.from({ length: 300 }, () => ({
  event: pick(["open", "save", "share"]),
  actor: pick(ACTORS),
  at: `2024-03-${String(1 + Math.floor(random() * 14)).padStart(2, "0")}T${pick(["08:00", "08:00", "16:00"])}:00Z`,
}))

beforeAll(() => {
  engine.capture(events)
  const row = { project_id: 1, created_at: "2024-03-01T00:00:00Z", properties: "{}", version: 1 }
  engine.insert(
    "persons",
    ACTORS.map((actor) => ({ ...row, id: uuidOf(actor) })),
  )
})
afterAll(() => engine.close())

const personsAt = async (source: KindQuery, point: Record<string, Json>, kind = "InsightActorsQuery") => {
  const actors = { kind, source, ...point }
  const answer = await engine.run<string[][]>({ kind: "ActorsQuery", select: ["id"], source: actors, limit: 1000 })
  return answer.results.length
}
const savers = (from: string, until: string) =>
  new Set(events.filter(({ event, at }) => event === "save" && at >= from && at < until).map(({ actor }) => actor)).size
const saves = (math: string): Json[] => [{ kind: "EventsNode", event: "save", math }]

describe("persons active in the days before a point", () => {
  test.each(["day", "week", "month"])("are those of seven days in a total, whose interval is %s", async (interval) => {
    const trends: KindQuery = {
      kind: "TrendsQuery",
      series: saves("weekly_active"),
      interval,
      dateRange: { date_from: "2024-03-01", date_to: "2024-03-09" },
      trendsFilter: { display: "BoldNumber" },
    }
    const { results } = await engine.run<{ aggregated_value: number }[]>(trends)
    expect(results[0]?.aggregated_value).toBe(savers("2024-03-03", "2024-03-10"))
    expect(await personsAt(trends, {})).toBe(results[0]?.aggregated_value)
  })

  test("end with the dates, in the middle of the last week, as the persons behind that point do", async () => {
    const dateRange = { date_from: "2024-03-03", date_to: "2024-03-11" }
    const trends: KindQuery = { kind: "TrendsQuery", series: saves("monthly_active"), interval: "week", dateRange }
    const { results } = await engine.run<Listed<Line>>(trends)
    expect(results[0].days).toEqual(["2024-03-03", "2024-03-10"])
    // Thirty days before the end of the week, which goes to the 16th.
    expect(results[0].data).toEqual([savers("2024-02-09", "2024-03-10"), savers("2024-02-16", "2024-03-12")])
    for (const [place, day] of results[0].days.entries())
      expect(await personsAt(trends, { day })).toBe(results[0].data[place])
  })
})

describe("steps of a funnel at the same moment", () => {
  const anyEvent = { kind: "EventsNode", event: null }
  const open = { kind: "EventsNode", event: "open" }
  const save = { kind: "EventsNode", event: "save" }
  test.each([
    ["strict", [anyEvent, open, open]],
    ["strict", [anyEvent, anyEvent, save]],
    ["ordered", [anyEvent, open, anyEvent]],
    ["ordered", [open, anyEvent, save]],
  ] as const)("are taken by the same persons as are counted, %s", async (funnelOrderType, steps) => {
    const source: KindQuery = {
      kind: "FunnelsQuery",
      series: [...steps],
      dateRange: { date_from: "2024-03-01", date_to: "2024-03-14" },
      funnelsFilter: { funnelOrderType, funnelWindowInterval: 1, funnelWindowIntervalUnit: "day" },
    }
    const { results } = await engine.run<{ count: number }[]>(source)
    for (const [step, { count }] of results.entries())
      expect(await personsAt(source, { funnelStep: step + 1 }, "FunnelsActorsQuery")).toBe(count)
  })
})

describe("dates that no event can have", () => {
  const total = (dateRange: Json) =>
    engine.run<{ aggregated_value: number }[]>({
      kind: "TrendsQuery",
      series: [{ kind: "EventsNode", event: "save" }],
      dateRange,
      trendsFilter: { display: "BoldNumber" },
    })
  test.each(["-99999y", "-999999d", "-999999m", "0001-01-01", "0001-01-01T00:00:00Z"])(
    "begin before all of them: %s",
    async (date_from) => {
      const { results } = await total({ date_from })
      expect(results[0]?.aggregated_value).toBe(events.filter(({ event }) => event === "save").length)
    },
  )

  test.each(["9999-12-31", "+99999y", "9999-12-31T23:59:59+02:00"])("end after all of them: %s", async (date_to) => {
    const { results } = await total({ date_from: "2024-03-01", date_to })
    expect(results[0]?.aggregated_value).toBe(events.filter(({ event }) => event === "save").length)
  })

  test("lie behind without a sign as with a minus", async () => {
    const days = async (date_from: string, date_to: string) => {
      const trends = { kind: "TrendsQuery", series: saves("total"), dateRange: { date_from, date_to } }
      return (await engine.run<Listed<Line>>(trends)).results[0].days
    }
    expect(await days("7d", "2d")).toEqual(await days("-7d", "-2d"))
  })

  test.each(["2024-02-30", "2024-13-01", "2024-03-01T25:00", "2024-03-01T10:00:00+99:00"])(
    "are refused when the calendar has no such day or time: %s",
    async (date_from) => {
      await expect(total({ date_from })).rejects.toMatchObject({ code: "parse_error" })
    },
  )
})
