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
const random = randomFrom(5)
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
const ZONE = "America/New_York"
const ACTORS = Array.from({ length: 25 }, (_, index) => `actor ${index}`)
const BORN = new Map(ACTORS.map((actor) => [actor, `2024-03-0${4 + Math.floor(random() * 6)}T12:00:00Z`]))

/** Around the night in which New York's clocks go forward (10 March), many at the edge of a day. */
const events: TestEvent[] = ACTORS.flatMap((actor) =>
  Array.from({ length: 1 + Math.floor(random() * 12) }, () => ({
    event: pick(["open", "open", "save"]),
    actor,
    at: `2024-03-${String(4 + Math.floor(random() * 11)).padStart(2, "0")}T${pick(["03:59", "04:00", "04:30", "05:00", "16:00"])}:00Z`,
  })),
)

beforeAll(() => {
  engine.capture(events)
  engine.insert(
    "persons",
    ACTORS.map((actor) => ({
      project_id: 1,
      id: uuidOf(actor),
      created_at: BORN.get(actor),
      properties: "{}",
      version: 1,
    })),
  )
})
afterAll(() => engine.close())

const dayIn = (iso: string) => new Date(iso).toLocaleDateString("sv-SE", { timeZone: ZONE })
const run = <Results>(query: KindQuery) => engine.run<Results>(query, { timezone: ZONE })
const DAYS = Array.from({ length: 8 }, (_, index) => `2024-03-${String(6 + index).padStart(2, "0")}`)
const daysOf = (actor: string, event: string) =>
  new Set(events.filter((item) => item.actor === actor && item.event === event).map(({ at }) => dayIn(at)))
const RANGE = { date_from: DAYS[0] as string, date_to: DAYS.at(-1) as string }

describe("retention", () => {
  const expected = (starts: (actor: string) => Set<string>, back: string) =>
    DAYS.map((start, index) =>
      DAYS.slice(index).map((day, distance) => {
        const cohort = ACTORS.filter((actor) => starts(actor).has(start))
        return distance === 0 ? cohort.length : cohort.filter((actor) => daysOf(actor, back).has(day)).length
      }),
    )
  const ask = (retentionType: string, returningEntity: string, more: Record<string, Json> = {}) =>
    run<{ values: { count: number }[] }[]>({
      kind: "RetentionQuery",
      dateRange: { date_to: DAYS.at(-1) as string },
      retentionFilter: {
        period: "Day",
        totalIntervals: DAYS.length,
        retentionType,
        targetEntity: { id: "open", type: "events" },
        returningEntity: { id: returningEntity, type: "events" },
        ...more,
      },
    })
  const first = (actor: string) => new Set([...daysOf(actor, "open")].sort().slice(0, 1))
  const counts = (results: { values: { count: number }[] }[]) =>
    results.map(({ values }) => values.map(({ count }) => count))

  test("that recurs counts everybody of a day who came back on a later one, as a triangle", async () => {
    const { results } = await ask("retention_recurring", "save")
    expect(counts(results)).toEqual(expected((actor) => daysOf(actor, "open"), "save"))
    const same = await ask("retention_recurring", "open")
    expect(counts(same.results)).toEqual(expected((actor) => daysOf(actor, "open"), "open"))
    expect(results[0]).toMatchObject({ label: "Day 0", date: "2024-03-06T00:00:00-05:00" })
    expect(results[5]).toMatchObject({ label: "Day 5", date: "2024-03-11T00:00:00-04:00" })
  })

  test("of first times counts a person on the day of the first event ever", async () => {
    expect(counts((await ask("retention_first_time", "open")).results)).toEqual(expected(first, "open"))
  })

  test("that cumulates counts a person in every interval up to the last return", async () => {
    const lastReturn = (actor: string, start: string, back: string) =>
      [start, ...[...daysOf(actor, back)].filter((day) => day > start && day <= (DAYS.at(-1) as string))].sort().at(-1)
    const cumulative = (starts: (actor: string) => Set<string>, back: string) =>
      DAYS.map((start, index) =>
        DAYS.slice(index).map(
          (day) =>
            ACTORS.filter((actor) => starts(actor).has(start) && (lastReturn(actor, start, back) as string) >= day)
              .length,
        ),
      )
    for (const back of ["open", "save"]) {
      const recurring = await ask("retention_recurring", back, { cumulative: true })
      expect(counts(recurring.results)).toEqual(cumulative((actor) => daysOf(actor, "open"), back))
      const firstTime = await ask("retention_first_time", back, { cumulative: true })
      expect(counts(firstTime.results)).toEqual(cumulative(first, back))
    }
  })

  test("with minimumOccurrences wants as many returns in an interval, and one event to begin", async () => {
    const often = (actor: string, event: string, least: number) =>
      new Set(
        DAYS.filter(
          (day) =>
            events.filter((item) => item.actor === actor && item.event === event && dayIn(item.at) === day).length >=
            least,
        ),
      )
    const wanted = (starts: (actor: string) => Set<string>, back: string) =>
      DAYS.map((start, index) =>
        DAYS.slice(index).map((day, distance) => {
          const cohort = ACTORS.filter((actor) => starts(actor).has(start))
          return distance === 0 ? cohort.length : cohort.filter((actor) => often(actor, back, 2).has(day)).length
        }),
      )
    for (const back of ["open", "save"]) {
      const recurring = await ask("retention_recurring", back, { minimumOccurrences: 2 })
      expect(counts(recurring.results)).toEqual(wanted((actor) => daysOf(actor, "open"), back))
      const firstTime = await ask("retention_first_time", back, { minimumOccurrences: 2 })
      expect(counts(firstTime.results)).toEqual(wanted(first, back))
    }
    const both = await ask("retention_recurring", "open", { minimumOccurrences: 1, cumulative: false })
    expect(counts(both.results)).toEqual(expected((actor) => daysOf(actor, "open"), "open"))
  })

  test("refuses options that would change its numbers and are not there", async () => {
    await expect(ask("retention_recurring", "open", { aggregationType: "max" })).rejects.toThrow(
      "RetentionQuery.retentionFilter.aggregationType must be one of: count, sum, avg",
    )
    const plain = await ask("retention_recurring", "open", { timeWindowMode: "strict_calendar_dates" })
    expect(plain.error).toBe(null)
  })
})

describe("lifecycle", () => {
  test("tells new, returning, resurrecting and dormant persons apart", async () => {
    const { results } = await run<Listed<Line>>({
      kind: "LifecycleQuery",
      series: [{ kind: "EventsNode", event: "open" }],
      dateRange: RANGE,
    })
    const before = ["2024-03-05", ...DAYS]
    const count = (status: string) =>
      DAYS.map((day, index) => {
        const previous = before[index] as string
        const those = ACTORS.filter((actor) => {
          const active = daysOf(actor, "open")
          const isNew = dayIn(BORN.get(actor) as string) === day
          if (status === "dormant") return active.has(previous) && !active.has(day)
          if (!active.has(day)) return false
          if (status === "new") return isNew
          return !isNew && active.has(previous) === (status === "returning")
        })
        return status === "dormant" ? -those.length || 0 : those.length
      })
    const statuses = ["new", "returning", "resurrecting", "dormant"]
    expect(results.map((line) => [line.status, line.data])).toEqual(statuses.map((status) => [status, count(status)]))
    expect(results[0].days).toEqual(DAYS)
  })
})

describe("an insight that tells nobody apart", () => {
  const series = [{ kind: "EventsNode", event: "open" }]
  test.each([
    { kind: "LifecycleQuery", series },
    { kind: "StickinessQuery", series },
    { kind: "PathsQuery" },
  ] as (Record<string, Json> & { kind: string })[])(
    "says so instead of answering for everybody: $kind",
    async (query) => {
      const breakdownFilter = { breakdown: "plan", breakdown_type: "event" }
      await expect(run({ ...query, dateRange: RANGE, breakdownFilter })).rejects.toThrow(
        "breakdownFilter is not supported",
      )
      expect((await run({ ...query, dateRange: RANGE, breakdownFilter: {} })).error).toBe(null)
    },
  )

  /** Retentions and paths have no series, funnels at least two. */
  const seriesOf = (kind: string): Record<string, Json> => {
    if (kind === "RetentionQuery" || kind === "PathsQuery") return {}
    return { series: kind === "FunnelsQuery" ? [...series, ...series] : series }
  }

  test.each(["RetentionQuery", "LifecycleQuery", "PathsQuery"])(
    "says that it compares nothing instead of showing one period: %s",
    async (kind) => {
      const ask = (compareFilter: Json) => run({ kind, ...seriesOf(kind), dateRange: RANGE, compareFilter })
      await expect(ask({ compare: true })).rejects.toThrow("compareFilter is not supported")
      expect((await ask({ compare: false, compare_to: "-1m" })).error).toBe(null)
    },
  )

  test.each(["RetentionQuery", "LifecycleQuery", "PathsQuery", "FunnelsQuery", "StickinessQuery", "TrendsQuery"])(
    "is exact whatever share of the events samplingFactor would do with, which must be a share: %s",
    async (kind) => {
      const ask = (samplingFactor: Json) => run({ kind, ...seriesOf(kind), dateRange: RANGE, samplingFactor })
      const whole = await ask(null)
      for (const share of [0.01, 1]) expect((await ask(share)).results).toEqual(whole.results)
      for (const none of [0, -0.5, 1.5, "0.1", true]) await expect(ask(none)).rejects.toThrow("samplingFactor")
    },
  )
})

describe("groups", () => {
  const groupOf = (index: number) => ["north", "south", ""][index % 3] as string
  const visits: TestEvent[] = Array.from({ length: 30 }, (_, index) => ({
    event: "visit",
    actor: `guest ${index % 7}`,
    group: groupOf(index),
    at: `2024-02-${String(10 + ((index * 5) % 6)).padStart(2, "0")}T12:0${index % 10}:00Z`,
  }))
  const days = Array.from({ length: 6 }, (_, index) => `2024-02-${10 + index}`)
  const bornOn = { north: "2024-02-10", south: "2024-02-12" }
  const dateRange = { date_from: days[0] as string, date_to: days.at(-1) as string }
  beforeAll(() => {
    engine.capture(visits)
    const row = { project_id: 1, group_type_index: 0, properties: "{}", version: 1 }
    engine.insert(
      "groups",
      Object.entries(bornOn).map(([key, day]) => ({ ...row, group_key: key, created_at: `${day}T12:00:00Z` })),
    )
  })

  test("have a lifecycle of their own, events without a group left out", async () => {
    const { results } = await engine.run<Listed<Line>>({
      kind: "LifecycleQuery",
      dateRange,
      aggregation_group_type_index: 0,
      series: [{ kind: "EventsNode", event: "visit" }],
    })
    const active = (group: string, day?: string) =>
      day !== undefined && visits.some((visit) => visit.group === group && visit.at.startsWith(day))
    const count = (status: string) =>
      days.map((day, index) => {
        const before = index === 0 ? undefined : days[index - 1]
        const those = Object.entries(bornOn).filter(([group, born]) => {
          if (status === "dormant") return active(group, before) && !active(group, day)
          if (!active(group, day)) return false
          if (status === "new") return born === day
          return born !== day && active(group, before) === (status === "returning")
        })
        return status === "dormant" ? -those.length || 0 : those.length
      })
    for (const { status, data } of results) expect([status, data]).toEqual([status, count(status)])
  })

  test("go paths of their own", async () => {
    const byGroup = new Map<string, string[]>()
    for (const { group = "", at } of visits.toSorted((a, b) => (a.at < b.at ? -1 : 1)))
      if (group !== "") byGroup.set(group, [...(byGroup.get(group) ?? []), at])
    const ask = (more: Record<string, Json>) =>
      engine.run<{ value: number }[]>({
        kind: "PathsQuery",
        dateRange,
        ...more,
        pathsFilter: { includeEventTypes: ["hogql"], pathsHogQLExpression: "concat('at ', toString(timestamp))" },
      })
    const edges = (times: Iterable<string[]>) =>
      [...times].flatMap((list) => list.slice(1).filter((at, i) => Date.parse(at) - Date.parse(list[i]!) < 1_800_000))
    const { results } = await ask({ aggregation_group_type_index: 0 })
    const walked = results.reduce((sum, { value }) => sum + value, 0)
    expect(walked).toBe(edges(byGroup.values()).length)
    expect(walked).toBeGreaterThan(0)
  })
})

describe("stickiness", () => {
  test("counts persons by the number of days on which they were there", async () => {
    const { results } = await run<Listed<Line>>({
      kind: "StickinessQuery",
      series: [{ kind: "EventsNode", event: "open" }],
      dateRange: RANGE,
    })
    const active = ACTORS.map((actor) => [...daysOf(actor, "open")].filter((day) => DAYS.includes(day)).length)
    expect(results[0]).toMatchObject({
      days: DAYS.map((_, index) => index + 1),
      data: DAYS.map((_, index) => active.filter((days) => days === index + 1).length),
      count: active.filter((days) => days > 0).length,
    })
    expect(results[0].labels.slice(0, 2)).toEqual(["1 day", "2 days"])
  })

  test("counts days with as many events as stickinessCriteria asks for, exactly or at least so many days", async () => {
    const opens = (actor: string, day: string) =>
      events.filter((item) => item.actor === actor && item.event === "open" && dayIn(item.at) === day).length
    const active = (enough: (count: number) => boolean) =>
      ACTORS.map((actor) => DAYS.filter((day) => opens(actor, day) > 0 && enough(opens(actor, day))).length)
    const ask = async (stickinessFilter: Json) =>
      (
        await run<Listed<Line>>({
          kind: "StickinessQuery",
          series: [{ kind: "EventsNode", event: "open" }],
          dateRange: RANGE,
          stickinessFilter,
        })
      ).results[0].data
    const twice = active((count) => count >= 2)
    expect(await ask({ stickinessCriteria: { operator: "gte", value: 2 } })).toEqual(
      DAYS.map((_, index) => twice.filter((days) => days === index + 1).length),
    )
    const once = active((count) => count === 1)
    expect(await ask({ stickinessCriteria: { operator: "exact", value: 1 }, computedAs: "cumulative" })).toEqual(
      DAYS.map((_, index) => once.filter((days) => days >= index + 1).length),
    )
  })
})

describe("paths", () => {
  const at = (minute: number) => new Date(Date.UTC(2024, 2, 1, 10) + minute * 60_000).toISOString()
  const page = (actor: string, path: string, minute: number): TestEvent => ({
    event: "$pageview",
    actor,
    at: at(minute),
    properties: { $current_url: `https://a.test/${path}` },
  })
  beforeAll(() =>
    engine.capture([
      page("p", "one", 0),
      page("p", "one", 1),
      page("p", "two", 3),
      page("p", "three/", 4),
      page("p", "one", 60),
      page("q", "one", 0),
      page("q", "two", 4),
      { event: "buy", actor: "q", at: at(5) },
    ]),
  )
  const ask = (pathsFilter: Record<string, Json>) =>
    run({ kind: "PathsQuery", pathsFilter, dateRange: { date_from: "2024-03-01", date_to: "2024-03-01" } })
  const edge = (source: string, target: string, value: number, minutes: number) => ({
    source,
    target,
    value,
    average_conversion_time: minutes * 60_000,
  })
  const url = (place: number, path: string) => `${place}_https://a.test/${path}`

  test("join steps, a repeated one at its last time, and end with a pause of half an hour", async () => {
    expect((await ask({ includeEventTypes: ["$pageview"] })).results).toEqual([
      edge(url(1, "one"), url(2, "two"), 2, 3),
      edge(url(2, "two"), url(3, "three"), 1, 1),
    ])
  })

  test("begin at a step, end at one, and hold other events too", async () => {
    expect((await ask({ startPoint: "https://a.test/two" })).results).toEqual([
      edge(url(1, "two"), "2_buy", 1, 1),
      edge(url(1, "two"), url(2, "three"), 1, 1),
    ])
    expect((await ask({ endPoint: "buy", stepLimit: 2 })).results).toEqual([edge(url(1, "two"), "2_buy", 1, 1)])
  })

  test("write steps that fit a pattern as one, and parts of a step as their alias", async () => {
    const pathGroupings = ["https://a.test/t*"]
    expect((await ask({ includeEventTypes: ["$pageview"], pathGroupings })).results).toEqual([
      edge(url(1, "one"), "2_https://a.test/t*", 2, 3.5),
    ])
    const localPathCleaningFilters = [{ regex: "https://a.test/(\\w)\\w*", alias: "\\1" }]
    expect((await ask({ includeEventTypes: ["$pageview"], localPathCleaningFilters })).results).toEqual([
      edge("1_o", "2_t", 2, 3.5),
    ])
  })
})
