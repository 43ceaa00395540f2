import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { JsonObject } from "../../../../src/kernel/json.js"
import { KindEngine, type Line, type TestEvent, uuidOf } from "./kind-engine.js"

const engine = new KindEngine()
const ACTORS = Array.from({ length: 12 }, (_, index) => `actor ${index}`)
const DAYS = 100
const BROWSERS = Array.from({ length: 30 }, (_, index) => `browser ${String(index).padStart(2, "0")}`)
const HOURS = 90 * 24
const ENTITY = { id: "open", type: "events" }

/**
 * Everybody comes every day, each with a browser of their own: 5,050 pairs of days, 12 times. And in each of 90 days' hours each
 * of 30 browsers reads a page and buys.
 */
beforeAll(() => {
  const dayOf = (day: number) => new Date(Date.UTC(2024, 0, 1 + day, 12)).toISOString()
  engine.capture(
    ACTORS.flatMap((actor) =>
      Array.from({ length: DAYS }, (_, day) => ({
        event: "open",
        actor,
        at: dayOf(day),
        properties: { browser: actor },
      })),
    ),
  )
  const inHour = (event: string, minute: number): TestEvent[] =>
    Array.from({ length: HOURS }, (_, hour) => new Date(Date.UTC(2023, 0, 1, hour, minute)).toISOString()).flatMap(
      (at) => BROWSERS.map((browser) => ({ event, actor: browser, at, properties: { browser } })),
    )
  for (const [event, minute] of [
    ["read", 10],
    ["buy", 20],
  ] as const)
    engine.capture(inHour(event, minute))
  const person = { project_id: 1, created_at: "2023-01-01T00:00:00Z", properties: "{}", version: 1 }
  engine.insert(
    "persons",
    [...ACTORS, ...BROWSERS].map((actor) => ({ ...person, id: uuidOf(actor) })),
  )
})
afterAll(() => engine.close())

const HOURLY = { dateRange: { date_from: "2023-01-01", date_to: "2023-03-31" }, interval: "hour" }
const byBrowser = (breakdown_limit = 25) => ({
  breakdownFilter: { breakdown: "browser", breakdown_type: "event", breakdown_limit },
})
const linesOf = async (query: JsonObject & { kind: string }): Promise<Line[]> =>
  (await engine.run<Line[]>({ ...HOURLY, ...query })).results

describe("an insight of more points than the engine gives rows", () => {
  test.each(["total", "dau"])("is a trend's lines, every hour of each value in its place: %s", async (math) => {
    const series = [{ kind: "EventsNode", event: "read", math }]
    const lines = await linesOf({ kind: "TrendsQuery", series, ...byBrowser() })
    expect(lines.map(({ breakdown_value }) => breakdown_value)).toEqual([
      ...BROWSERS.slice(0, 25),
      "$$_posthog_breakdown_other_$$",
    ])
    for (const [place, { data, days }] of lines.entries()) {
      expect([data.length, days[0], days.at(-1)]).toEqual([HOURS, "2023-01-01 00:00:00", "2023-03-31 23:00:00"])
      expect(new Set(data)).toEqual(new Set([place < 25 ? 1 : 5]))
    }
  })

  test("is a trend's lines where a value is missing, which counts as nothing", async () => {
    const math = { math: "sum", math_property: "price" }
    const lines = await linesOf({
      kind: "TrendsQuery",
      series: [{ kind: "EventsNode", event: "read", ...math }],
      ...byBrowser(),
    })
    expect(lines.map(({ count }) => count)).toEqual(Array.from({ length: 26 }, () => 0))
  })

  test("is a formula of such lines", async () => {
    const series = ["read", "buy"].map((event) => ({ kind: "EventsNode", event }))
    const lines = await linesOf({ kind: "TrendsQuery", series, trendsFilter: { formula: "A + B" }, ...byBrowser() })
    expect(lines).toHaveLength(26)
    expect(new Set(lines[0]?.data)).toEqual(new Set([2]))
  })

  test("is a funnel's conversions of the values with the most actors", async () => {
    const series = ["read", "buy"].map((event) => ({ kind: "EventsNode", event }))
    const window = { funnelWindowInterval: 15, funnelWindowIntervalUnit: "minute" }
    const lines = await linesOf({
      kind: "FunnelsQuery",
      series,
      funnelsFilter: { funnelVizType: "trends", ...window },
      ...byBrowser(),
    })
    expect(lines.map(({ breakdown_value }) => breakdown_value)).toEqual(BROWSERS.slice(0, 25).map((name) => [name]))
    for (const { data } of lines) expect([data.length, ...new Set(data)]).toEqual([HOURS, 100])
  })

  test("is a retention's rows", async () => {
    const { results } = await engine.run<{ readonly values: readonly { readonly count: number }[] }[]>({
      kind: "RetentionQuery",
      dateRange: { date_to: "2024-04-09" },
      retentionFilter: { period: "Day", totalIntervals: DAYS, targetEntity: ENTITY, returningEntity: ENTITY },
      ...byBrowser(),
    })
    expect(results).toHaveLength(ACTORS.length * DAYS)
    expect(new Set(results.flatMap(({ values }) => values.map(({ count }) => count)))).toEqual(new Set([1]))
  })
})

test("an insight of more points than any chart can show is refused, not made from some of them", async () => {
  const series = Array.from({ length: 8 }, () => ({ kind: "EventsNode", event: "read" }))
  await expect(linesOf({ kind: "TrendsQuery", series, ...byBrowser(100) })).rejects.toMatchObject({
    code: "hogql_query_error",
    details: { detail: expect.stringContaining("more than 500000 numbers") },
  })
})
