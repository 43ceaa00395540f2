import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Json } from "../../../../src/kernel/json.js"
import { KindEngine, randomFrom, type TestEvent, uuidOf } from "./kind-engine.js"

const engine = new KindEngine()
const random = randomFrom(11)
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
const ZONE = "America/New_York"
const ACTORS = Array.from({ length: 30 }, (_, index) => `actor ${index}`)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const BROWSERS = ["Chrome", "Firefox", "Safari", null]

interface Visit extends TestEvent {
  readonly atMs: number
  readonly browser: string | null
}

/** Around the night in which New York's clocks go forward, at the edges of days and of 24 hours, many at one moment. */
const visits: Visit[] = ACTORS.flatMap((actor) =>
  Array.from({ length: 1 + Math.floor(random() * 14) }, () => {
    const at = `2024-03-${String(2 + Math.floor(random() * 13)).padStart(2, "0")}T${pick(["03:59:59.999", "04:00:00.000", "05:00:00.000", "16:00:00.000", "16:00:00.001"])}Z`
    const browser = pick(BROWSERS)
    const properties = browser === null ? {} : { browser }
    return { event: pick(["open", "open", "save"]), actor, at, atMs: Date.parse(at), browser, properties }
  }),
)

beforeAll(() => {
  engine.capture(visits)
  const person = { project_id: 1, created_at: "2024-03-01T00:00:00Z", properties: "{}", version: 1 }
  engine.insert(
    "persons",
    ACTORS.map((actor) => ({ ...person, id: uuidOf(actor) })),
  )
})
afterAll(() => engine.close())

const dayIn = (atMs: number) => new Date(atMs).toLocaleDateString("sv-SE", { timeZone: ZONE })
const DAYS = Array.from({ length: 9 }, (_, index) => `2024-03-${String(5 + index).padStart(2, "0")}`)
/** 5 March 00:00 in New York is 05:00 of UTC, the end of 13 March is 04:00. */
const FROM_MS = Date.parse("2024-03-05T05:00:00Z")
const TO_MS = Date.parse("2024-03-14T04:00:00Z")
const NULL_VALUE = "$$_posthog_breakdown_null_$$"
const OTHER_VALUE = "$$_posthog_breakdown_other_$$"

interface Row {
  readonly values: readonly { readonly label: string; readonly count: number }[]
  readonly breakdown_value?: Json
}
const ask = async (retentionFilter: Record<string, Json>, more: Record<string, Json> = {}): Promise<Row[]> => {
  const entity = (id: string) => ({ id, type: "events" })
  const { results } = await engine.run<Row[]>(
    {
      kind: "RetentionQuery",
      dateRange: { date_to: DAYS.at(-1) as string },
      retentionFilter: {
        period: "Day",
        totalIntervals: DAYS.length,
        targetEntity: entity("open"),
        returningEntity: entity("save"),
        ...retentionFilter,
      },
      ...more,
    },
    { timezone: ZONE },
  )
  return results
}
const countsOf = (rows: readonly Row[]) => rows.map(({ values }) => values.map(({ count }) => count))

interface Beginning {
  readonly actor: string
  /** Index of the day. */
  readonly start: number
  readonly visit: Visit
}

/** Who began on which day, and with what: the earliest event of it, of several at one moment that of the least browser. */
function beginnings(isFirstTime: boolean): Beginning[] {
  const text = ({ browser }: Visit) => browser ?? NULL_VALUE
  return ACTORS.flatMap((actor) => {
    const opens = visits
      .filter((visit) => visit.actor === actor && visit.event === "open" && visit.atMs < TO_MS)
      .sort((a, b) => a.atMs - b.atMs || (text(a) < text(b) ? -1 : 1))
    const candidates = isFirstTime ? opens.slice(0, 1) : opens.filter(({ atMs }) => atMs >= FROM_MS)
    const firstOfDay = candidates.filter(
      (visit, index) => candidates.findIndex(({ atMs }) => dayIn(atMs) === dayIn(visit.atMs)) === index,
    )
    return firstOfDay.flatMap((visit) =>
      visit.atMs < FROM_MS ? [] : [{ actor, start: DAYS.indexOf(dayIn(visit.atMs)), visit }],
    )
  })
}

interface Options {
  readonly isRolling?: boolean
  readonly isFirstTime?: boolean
  readonly isCumulative?: boolean
  readonly least?: number
  readonly back?: string
}

/** The days or 24 hours after the beginning in which someone came back, each as often as is wanted. */
function placesOf({ actor, start, visit }: Beginning, { isRolling, least = 1, back = "save" }: Options): number[] {
  const places = visits
    .filter((item) => item.actor === actor && item.event === back && item.atMs >= FROM_MS && item.atMs < TO_MS)
    .filter(({ atMs }) => !isRolling || atMs >= visit.atMs)
    .map(({ atMs }) => (isRolling ? Math.floor((atMs - visit.atMs) / DAY_MS) : DAYS.indexOf(dayIn(atMs)) - start))
    .filter((place) => place >= 0)
  return [...new Set(places)].filter((place) => places.filter((other) => other === place).length >= least)
}

/** A triangle worked out person by person; `columns` are the first and the last interval of each column. */
function triangle(began: readonly Beginning[], columns: readonly (readonly [number, number])[], options: Options) {
  return DAYS.map((_, start) => {
    const those = began.filter((item) => item.start === start)
    const reached = those.map((item) => {
      const places = placesOf(item, options)
      const hit = columns.map(
        ([from, to], index) => index === 0 || places.some((place) => place >= from && place <= to),
      )
      return options.isCumulative ? hit.map((_hit, index) => hit.slice(index).some(Boolean)) : hit
    })
    return columns.flatMap(([from], index) =>
      from < DAYS.length - start ? [reached.filter((hit) => hit[index]).length] : [],
    )
  })
}
const each = DAYS.map((_, place) => [place, place] as const)

describe("retention by windows of 24 hours", () => {
  test.each([
    { isFirstTime: false, isCumulative: false, least: 1, back: "save" },
    { isFirstTime: true, isCumulative: false, least: 1, back: "save" },
    { isFirstTime: false, isCumulative: true, least: 1, back: "save" },
    { isFirstTime: true, isCumulative: true, least: 2, back: "open" },
    { isFirstTime: false, isCumulative: false, least: 2, back: "open" },
  ])("counts from the event that began: %j", async (options) => {
    const rows = await ask({
      timeWindowMode: "24_hour_windows",
      retentionType: options.isFirstTime ? "retention_first_time" : "retention_recurring",
      returningEntity: { id: options.back, type: "events" },
      cumulative: options.isCumulative,
      minimumOccurrences: options.least,
    })
    expect(countsOf(rows)).toEqual(triangle(beginnings(options.isFirstTime), each, { ...options, isRolling: true }))
    expect(countsOf(rows).flat().filter(Boolean).length).toBeGreaterThan(5)
  })

  test("are an hour, a week of 168 hours or a month from date to date for the other periods", async () => {
    const at = (actor: string, event: string, time: string): TestEvent => ({ actor, event, at: `2023-${time}Z` })
    engine.capture([
      at("h", "in", "05-01T10:59:00"),
      at("h", "out", "05-01T11:58:59"),
      at("h", "out", "05-01T11:59:00"),
      at("w", "in", "05-03T10:00:00"),
      at("w", "out", "05-10T09:59:59"),
      at("w", "out", "05-17T10:00:00"),
      at("m", "in", "01-31T10:00:00"),
      at("m", "out", "02-28T09:00:00"),
      at("m", "out", "03-31T10:00:00"),
    ])
    const windows = async (
      actor: string,
      period: string,
      date_to: string,
      totalIntervals: number,
      timezone = "UTC",
    ) => {
      const { results } = await engine.run<Row[]>(
        {
          kind: "RetentionQuery",
          dateRange: { date_to },
          properties: [{ type: "event_metadata", key: "distinct_id", value: actor, operator: "exact" }],
          retentionFilter: {
            period,
            totalIntervals,
            timeWindowMode: "24_hour_windows",
            targetEntity: { id: "in", type: "events" },
            returningEntity: { id: "out", type: "events" },
          },
        },
        { timezone },
      )
      return countsOf(results)[0]
    }
    expect(await windows("h", "Hour", "2023-05-01T12:30:00Z", 3)).toEqual([1, 1, 0])
    expect(await windows("w", "Week", "2023-05-20", 3)).toEqual([1, 0, 1])
    expect(await windows("m", "Month", "2023-04-10", 4)).toEqual([1, 0, 1, 0])
  })
})

describe("retention in brackets", () => {
  const columns = [
    [0, 0],
    [1, 1],
    [2, 4],
    [5, 6],
  ] as const

  test.each([
    { isRolling: false, isFirstTime: false, isCumulative: false, least: 1 },
    { isRolling: true, isFirstTime: true, isCumulative: false, least: 1 },
    { isRolling: false, isFirstTime: true, isCumulative: true, least: 2 },
  ])("puts intervals together: %j", async (options) => {
    const rows = await ask({
      retentionCustomBrackets: [1, 3, 2],
      retentionType: options.isFirstTime ? "retention_first_time" : "retention_recurring",
      ...(options.isRolling && { timeWindowMode: "24_hour_windows" }),
      cumulative: options.isCumulative,
      minimumOccurrences: options.least,
    })
    expect(countsOf(rows)).toEqual(triangle(beginnings(options.isFirstTime), columns, options))
    expect(rows[0]?.values.map(({ label }) => label)).toEqual(["Day 0", "Day 1", "Day 2-4", "Day 5-6"])
  })

  test("asks for as many intervals as they hold when it is not said how many", async () => {
    expect(await ask({ retentionCustomBrackets: [1, 3], totalIntervals: null })).toHaveLength(5)
  })

  test.each([[[0]], [[1.5]], [["1"]], [[60, 60]]])("refuses %j, which are none", async (retentionCustomBrackets) => {
    await expect(ask({ retentionCustomBrackets })).rejects.toThrow("retentionCustomBrackets must be whole numbers")
  })
})

describe("retention told apart", () => {
  const browserOf = ({ visit }: Beginning) => visit.browser ?? NULL_VALUE
  const expected = (began: readonly Beginning[], options: Options) => {
    const totals = new Map<string, number>()
    for (const item of began) totals.set(browserOf(item), (totals.get(browserOf(item)) ?? 0) + 1)
    const order = [...totals].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([value]) => value)
    return order.map((value) => ({
      value,
      rows: triangle(
        began.filter((item) => browserOf(item) === value),
        each,
        options,
      ),
    }))
  }
  const listed = (rows: readonly Row[]) => {
    const values = [...new Set(rows.map((row) => row.breakdown_value))]
    return values.map((value) => ({ value, rows: countsOf(rows.filter((row) => row.breakdown_value === value)) }))
  }
  const byBrowser = { breakdown: "browser", breakdown_type: "event" }

  test.each([
    { isFirstTime: false, isCumulative: false, isRolling: false },
    { isFirstTime: true, isCumulative: true, isRolling: false },
    { isFirstTime: false, isCumulative: false, isRolling: true },
  ])("by what the event that began says, the value with the most first: %j", async (options) => {
    const rows = await ask(
      {
        retentionType: options.isFirstTime ? "retention_first_time" : "retention_recurring",
        cumulative: options.isCumulative,
        ...(options.isRolling && { timeWindowMode: "24_hour_windows" }),
      },
      { breakdownFilter: byBrowser },
    )
    expect(listed(rows)).toEqual(expected(beginnings(options.isFirstTime), options))
  })

  test("shows values beyond the limit as one, the last, or leaves them out", async () => {
    const began = beginnings(false)
    const [first, second, ...rest] = expected(began, {}).map(({ value }) => value)
    const rows = await ask({}, { breakdownFilter: { ...byBrowser, breakdown_limit: 2 } })
    const of = (...values: (string | undefined)[]) =>
      triangle(
        began.filter((item) => values.includes(browserOf(item))),
        each,
        {},
      )
    expect(listed(rows)).toEqual([
      { value: first, rows: of(first) },
      { value: second, rows: of(second) },
      { value: OTHER_VALUE, rows: of(...rest) },
    ])
    const breakdownFilter = { ...byBrowser, breakdown_limit: 2, breakdown_hide_other_aggregation: true }
    expect(listed(await ask({}, { breakdownFilter })).map(({ value }) => value)).toEqual([first, second])
  })

  test("by several properties has lists of values", async () => {
    const breakdowns: Json = [{ property: "browser" }, { property: "event", type: "event_metadata" }]
    const rows = await ask({}, { breakdownFilter: { breakdowns } })
    const [first] = expected(beginnings(false), {})
    expect(rows[0]?.breakdown_value).toEqual([first?.value, "open"])
    expect(countsOf(rows.slice(0, DAYS.length))).toEqual(first?.rows)
  })

  test("names the persons of one value who began in an interval", async () => {
    const source: Json = {
      kind: "RetentionQuery",
      dateRange: { date_to: DAYS.at(-1) as string },
      breakdownFilter: byBrowser,
      retentionFilter: {
        period: "Day",
        totalIntervals: DAYS.length,
        targetEntity: { id: "open", type: "events" },
        returningEntity: { id: "save", type: "events" },
      },
    }
    for (const interval of [0, 3, 6]) {
      const { results } = await engine.run(
        {
          kind: "ActorsQuery",
          select: ["id"],
          source: { kind: "InsightActorsQuery", source, interval, breakdown: "Chrome" },
        },
        { timezone: ZONE },
      )
      const wanted = beginnings(false).filter((item) => item.start === interval && item.visit.browser === "Chrome")
      expect(results).toHaveLength(wanted.length)
    }
  })
})

test("a retention refuses sums of nothing, and windows that it does not know", async () => {
  await expect(ask({ aggregationType: "sum" })).rejects.toThrow("aggregationProperty is required")
  await expect(ask({ timeWindowMode: "weekly" })).rejects.toThrow("timeWindowMode must be one of")
})
