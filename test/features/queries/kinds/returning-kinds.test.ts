import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Json } from "../../../../src/kernel/json.js"
import { KindEngine, randomFrom, type TestEvent, uuidOf } from "./kind-engine.js"

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
const run = (query: Record<string, Json> & { kind: string }) => engine.run(query, { timezone: ZONE })
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
  const ask = (retentionType: string, returningEntity: string) =>
    run({
      kind: "RetentionQuery",
      dateRange: { date_to: DAYS.at(-1) as string },
      retentionFilter: {
        ...{ period: "Day", totalIntervals: DAYS.length, retentionType },
        targetEntity: { id: "open", type: "events" },
        returningEntity: { id: returningEntity, type: "events" },
      },
    })
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
    const first = (actor: string) => new Set([...daysOf(actor, "open")].sort().slice(0, 1))
    expect(counts((await ask("retention_first_time", "open")).results)).toEqual(expected(first, "open"))
  })
})

describe("lifecycle", () => {
  test("tells new, returning, resurrecting and dormant persons apart", async () => {
    const { results } = await run({
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
    expect(results.map((line: { status: string; data: number[] }) => [line.status, line.data])).toEqual(
      statuses.map((status) => [status, count(status)]),
    )
    expect(results[0].days).toEqual(DAYS)
  })
})

describe("an insight that tells nobody apart", () => {
  const series = [{ kind: "EventsNode", event: "open" }]
  test.each([
    { kind: "RetentionQuery" },
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
})

describe("stickiness", () => {
  test("counts persons by the number of days on which they were there", async () => {
    const { results } = await run({
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
        await run({
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
    ...{ event: "$pageview", actor, at: at(minute), properties: { $current_url: `https://a.test/${path}` } },
  })
  beforeAll(() =>
    engine.capture([
      ...[page("p", "one", 0), page("p", "one", 1), page("p", "two", 3), page("p", "three/", 4), page("p", "one", 60)],
      ...[page("q", "one", 0), page("q", "two", 4), { event: "buy", actor: "q", at: at(5) }],
    ]),
  )
  const ask = (pathsFilter: Record<string, Json>) =>
    run({ kind: "PathsQuery", pathsFilter, dateRange: { date_from: "2024-03-01", date_to: "2024-03-01" } })
  const edge = (source: string, target: string, value: number, minutes: number) => ({
    ...{ source, target, value, average_conversion_time: minutes * 60_000 },
  })
  const url = (place: number, path: string) => `${place}_https://a.test/${path}`

  test("join steps without repeating one, and end with a pause of half an hour", async () => {
    expect((await ask({ includeEventTypes: ["$pageview"] })).results).toEqual([
      edge(url(1, "one"), url(2, "two"), 2, 3.5),
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
