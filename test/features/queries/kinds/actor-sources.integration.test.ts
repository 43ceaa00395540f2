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
const random = randomFrom(11)
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
const ACTORS = Array.from({ length: 20 }, (_, index) => `actor ${index}`)
const DAYS = ["2024-03-04", "2024-03-05", "2024-03-06", "2024-03-07"]
const dateRange = { date_from: "2024-03-04", date_to: "2024-03-07" }
const events: TestEvent[] = ACTORS.flatMap((actor) =>
  Array.from({ length: 1 + Math.floor(random() * 8) }, () => ({
    event: pick(["open", "open", "save"]),
    actor,
    at: `${pick(["2024-03-03", ...DAYS])}T${pick(["00:00", "09:30", "23:59"])}:00Z`,
    properties: { plan: pick(["free", "pro"]) },
  })),
)
const series: Json[] = [
  { kind: "EventsNode", event: "open" },
  { kind: "EventsNode", event: "save" },
]
type Query = KindQuery
type Choice = { readonly label: string; readonly value: Json }
/** What InsightActorsQueryOptions answers. */
interface Choices {
  readonly day: Listed<Choice>
  readonly breakdown: readonly Choice[]
  readonly breakdowns: readonly { readonly values: readonly Choice[] }[]
  readonly status: readonly Choice[]
  readonly interval: readonly Choice[]
}

beforeAll(() => {
  engine.capture(events)
  engine.insert(
    "persons",
    ACTORS.map((actor) => ({
      project_id: 1,
      id: uuidOf(actor),
      created_at: "2024-03-04T00:00:00Z",
      properties: "{}",
      version: 1,
    })),
  )
})
afterAll(() => engine.close())

const personsAt = async (source: Query, point: Record<string, Json>, kind = "InsightActorsQuery"): Promise<Json[]> => {
  const actors = { kind, source, ...point }
  const { results } = await engine.run<[id: string][]>({
    kind: "ActorsQuery",
    select: ["id"],
    source: actors,
    limit: 1000,
  })
  return results.map(([id]) => id)
}

/** What holds of every insight: as many persons stand behind a number as it says. */
describe("the persons behind a point", () => {
  test("of a trend are those of that series and day", async () => {
    const trends: Query = {
      kind: "TrendsQuery",
      dateRange,
      series: series.map((item) => ({ ...(item as object), math: "dau" })),
    }
    const { results } = await engine.run<Listed<Line>>(trends)
    for (const [index, line] of results.entries())
      for (const [place, day] of DAYS.entries())
        expect(await personsAt(trends, { series: index, day })).toHaveLength(line.data[place]!)
  })

  test("of a trend told apart are those of that value, and of first times those whose first it was", async () => {
    const breakdownFilter = { breakdown: "plan", breakdown_type: "event" }
    const daily: Query = {
      kind: "TrendsQuery",
      dateRange,
      breakdownFilter,
      series: [{ kind: "EventsNode", math: "dau" }],
    }
    for (const line of (await engine.run<Listed<Line>>(daily)).results)
      expect(await personsAt(daily, { day: DAYS[1] as string, breakdown: line.breakdown_value })).toHaveLength(
        line.data[1],
      )
    const firsts: Query = {
      kind: "TrendsQuery",
      dateRange,
      series: [{ kind: "EventsNode", event: "save", math: "first_time_for_user" }],
    }
    const [line] = (await engine.run<Listed<Line>>(firsts)).results
    for (const [place, day] of DAYS.entries()) expect(await personsAt(firsts, { day })).toHaveLength(line.data[place]!)
  })

  test("of a lifecycle are those of that status and day", async () => {
    const lifecycle: Query = { kind: "LifecycleQuery", dateRange, series: [{ kind: "EventsNode", event: "open" }] }
    for (const { status, data } of (await engine.run<Listed<Line>>(lifecycle)).results)
      for (const [place, day] of DAYS.entries())
        expect(await personsAt(lifecycle, { status, day })).toHaveLength(Math.abs(data[place]!))
  })

  test("of a stickiness were there on so many days", async () => {
    const compareFilter = { compare: true, compare_to: "-1d" }
    const stickiness: Query = { kind: "StickinessQuery", dateRange, series, compareFilter }
    for (const [index, { data, compare_label: compare }] of (
      await engine.run<Listed<Line>>(stickiness)
    ).results.entries())
      for (const [place, count] of data.entries())
        expect(await personsAt(stickiness, { series: index % 2, day: place + 1, compare })).toHaveLength(count)
    await expect(personsAt({ ...stickiness, compareFilter: {} }, { day: 1, compare: "previous" })).rejects.toThrow(
      "needs a comparison",
    )
  })

  test("of a retention began in that interval", async () => {
    const entity = { id: "open", type: "events" }
    const retention: Query = {
      kind: "RetentionQuery",
      dateRange: { date_to: "2024-03-07" },
      retentionFilter: { period: "Day", totalIntervals: 4, targetEntity: entity, returningEntity: entity },
    }
    for (const [interval, { values }] of (
      await engine.run<{ values: [{ count: number }] }[]>(retention)
    ).results.entries())
      expect(await personsAt(retention, { interval })).toHaveLength(values[0].count)
  })

  test("of a funnel came to that step, or left before it", async () => {
    const funnel: Query = { kind: "FunnelsQuery", dateRange, series }
    const [first, second] = (await engine.run<Listed<{ count: number }>>(funnel)).results
    const at = (funnelStep: number) => personsAt(funnel, { funnelStep }, "FunnelsActorsQuery")
    expect(await at(1)).toHaveLength(first.count)
    expect(await at(2)).toHaveLength(second.count)
    expect(await at(-2)).toHaveLength(first.count - second.count)
  })

  test("of paths went from an item to another, or no further", async () => {
    const pathsFilter = { includeEventTypes: ["custom_event"], stepLimit: 20, edgeLimit: 1000 }
    const at = (keys: Record<string, Json>) =>
      personsAt({ kind: "PathsQuery", dateRange, pathsFilter: { ...pathsFilter, ...keys } }, {})
    const walks = new Map<string, string[][]>()
    for (const actor of ACTORS) {
      const own = events
        .filter((item) => item.actor === actor && item.at >= (DAYS[0] as string))
        .map(({ event, at }) => ({ event, atMs: Date.parse(at) }))
        .sort((a, b) => a.atMs - b.atMs || (a.event < b.event ? -1 : 1))
      const sessions: { event: string; atMs: number }[][] = []
      for (const item of own) {
        const last = sessions.at(-1)?.at(-1)
        if (last === undefined || item.atMs - last.atMs > 1_800_000) sessions.push([item])
        else sessions.at(-1)?.push(item)
      }
      walks.set(
        actor,
        sessions.map((session) =>
          session.map(({ event }) => event).filter((event, index, all) => event !== all[index - 1]),
        ),
      )
    }
    const those = (fits: (walk: string[]) => boolean) =>
      ACTORS.filter((actor) => walks.get(actor)?.some(fits))
        .map(uuidOf)
        .sort()
    const { results } = await engine.run<{ source: string; target: string }[]>({
      kind: "PathsQuery",
      dateRange,
      pathsFilter,
    })
    expect(results.length).toBeGreaterThan(0)
    for (const { source, target } of results) {
      const [place, from, to] = [Number(source.split("_")[0]), source.slice(2), target.slice(2)]
      const isFrom = (walk: string[]) => walk[place - 1] === from && walk.length > place
      const isTo = (walk: string[]) => walk[place] === to
      const edge = { pathStartKey: source, pathEndKey: target }
      expect((await at(edge)).sort()).toEqual(those((walk) => isFrom(walk) && isTo(walk)))
      expect((await at({ pathStartKey: source })).sort()).toEqual(those(isFrom))
      expect((await at({ pathEndKey: target })).sort()).toEqual(those(isTo))
    }
    for (const [place, last] of [
      [1, "open"],
      [2, "save"],
    ] as const)
      expect((await at({ pathDropoffKey: `${place}_${last}` })).sort()).toEqual(
        those((walk) => walk.length === place && walk.at(-1) === last),
      )
  })

  test("come with how often they did it, and those without a person are counted", async () => {
    engine.capture([{ event: "gone", actor: "deleted one", at: "2024-03-05T10:00:00Z" }])
    const source = { kind: "TrendsQuery", dateRange, series: [{ kind: "EventsNode", event: "gone" }] }
    const query = { kind: "ActorsQuery", select: ["id", "event_count"], orderBy: ["event_count DESC"] }
    const gone = await engine.run({ ...query, source: { kind: "InsightActorsQuery", source } })
    expect(gone).toMatchObject({ results: [], missing_actors_count: 1 })
    const opens = events.filter(({ event, at }) => event === "open" && at >= DAYS[0]!)
    const { results } = await engine.run<[id: string, count: number][]>({
      ...query,
      source: { kind: "InsightActorsQuery", source: { kind: "TrendsQuery", dateRange, series: series.slice(0, 1) } },
    })
    for (const [id, count] of results) expect(opens.filter(({ actor }) => uuidOf(actor) === id)).toHaveLength(count)
  })

  test("are found for every choice that InsightActorsQueryOptions gives", async () => {
    const optionsOf = async (source: Query, more: Record<string, Json> = {}): Promise<Choices> => {
      const of = { kind: "InsightActorsQuery", source, ...more }
      return (await engine.run({ kind: "InsightActorsQueryOptions", source: of })) as unknown as Choices
    }
    const breakdownFilter = { breakdown: "plan", breakdown_type: "event" }
    const compareFilter = { compare: true, compare_to: "-1d" }
    const trends: Query = { kind: "TrendsQuery", dateRange, series, breakdownFilter, compareFilter }
    const options = await optionsOf(trends)
    expect(options).toEqual({
      day: DAYS.map((value, index) => ({ label: `${4 + index}-Mar-2024`, value })),
      series: [
        { label: "open", value: 0 },
        { label: "save", value: 1 },
      ],
      breakdown: expect.arrayContaining(["free", "pro"].map((value) => ({ label: value, value }))),
      compare: [
        { label: "Current", value: "current" },
        { label: "Previous", value: "previous" },
      ],
      interval: null,
      status: null,
    })
    for (const { value } of options.breakdown) {
      const expected = events.filter(
        ({ event, at, properties }) => event === "save" && at.startsWith(DAYS[2]!) && properties?.plan === value,
      )
      const point = { series: 1, day: DAYS[2]!, breakdown: value }
      expect(await personsAt(trends, point)).toHaveLength(new Set(expected.map(({ actor }) => actor)).size)
    }
    const previous = await optionsOf(trends, { compare: "previous" })
    expect(previous.day[0].value).toBe("2024-03-03")

    const breakdowns = [
      { property: "plan", type: "event" },
      { property: "event", type: "event_metadata" },
    ]
    const several = await optionsOf({ kind: "TrendsQuery", dateRange, series, breakdownFilter: { breakdowns } })
    expect(several.breakdown).toBe(null)
    const values = several.breakdowns.map(({ values }) => values.map(({ value }) => value))
    expect(values.map((list) => list.sort())).toEqual([
      ["free", "pro"],
      ["open", "save"],
    ])

    const lifecycle = await optionsOf({ kind: "LifecycleQuery", dateRange, series: series.slice(0, 1) })
    expect(lifecycle).toMatchObject({ series: null, day: options.day })
    expect(lifecycle.status.map(({ label }) => label)).toEqual(["New", "Returning", "Resurrecting", "Dormant"])
    const stickiness = await optionsOf({ kind: "StickinessQuery", dateRange, series })
    expect(stickiness.day[1]).toEqual({ label: "2 days", value: 2 })
    const retention = await optionsOf({ kind: "RetentionQuery", retentionFilter: { totalIntervals: 2 } })
    expect(retention.interval).toEqual([
      { label: "Day 0", value: 0 },
      { label: "Day 1", value: 1 },
    ])
    expect(await optionsOf({ kind: "FunnelsQuery", series })).toMatchObject({ day: null, series: null })
    await expect(engine.run({ kind: "InsightActorsQueryOptions", source: trends })).rejects.toThrow(
      "InsightActorsQueryOptions.source.kind must be one of: InsightActorsQuery, FunnelsActorsQuery",
    )
  })

  test("are refused where the numbers are not of persons, or the point is none", async () => {
    const groups: Query = { kind: "TrendsQuery", dateRange, series: [{ kind: "EventsNode", math: "unique_group" }] }
    await expect(personsAt(groups, {})).rejects.toThrow("which are no persons")
    const trends: Query = { kind: "TrendsQuery", dateRange, series }
    await expect(personsAt(trends, { day: "2024-04-01" })).rejects.toThrow("must lie in the insight's dates")
    await expect(personsAt(trends, { series: 2 })).rejects.toThrow("must be a number from 0 to 1")
    await expect(personsAt({ kind: "EventsQuery" }, {})).rejects.toThrow("must be one of")
    const both = { pathDropoffKey: "1_a", pathEndKey: "2_b" }
    await expect(personsAt({ kind: "PathsQuery", pathsFilter: both }, {})).rejects.toThrow("with another key")
  })
})
