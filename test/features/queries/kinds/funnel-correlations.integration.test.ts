import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Json } from "../../../../src/kernel/json.js"
import { KindEngine, randomFrom, type TestEvent, uuidOf } from "./kind-engine.js"

const engine = new KindEngine()
const random = randomFrom(23)
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
const ACTORS = Array.from({ length: 60 }, (_, index) => `actor ${index}`)
const HOUR_MS = 3_600_000
const WINDOW_MS = 6 * HOUR_MS
const startMs = Date.UTC(2024, 2, 4)
const NAMES = ["start", "start", "finish", "watch", "watch", "read", "help", "rare"]

/** Half a minute apart at least, so that no two events of an actor share their moment. */
const events: (TestEvent & { atMs: number; properties: Record<string, unknown> })[] = ACTORS.flatMap((actor) =>
  Array.from({ length: 4 + Math.floor(random() * 10) }, (_, index) => {
    const atMs = startMs + Math.floor(random() * 48) * HOUR_MS + index * 30_000
    const properties = { page: pick(["a", "b"]), size: pick([1, 2]), nothing: null }
    return { event: pick(NAMES), actor, atMs, at: new Date(atMs).toISOString(), properties }
  }),
)
const planOf = new Map(ACTORS.map((actor) => [actor, pick(["free", "pro", undefined])]))

beforeAll(() => {
  engine.capture(events)
  engine.insert(
    "persons",
    ACTORS.map((actor) => {
      const properties = JSON.stringify({ ...(planOf.get(actor) && { plan: planOf.get(actor) }), kind: "human" })
      return { project_id: 1, id: uuidOf(actor), created_at: "2024-03-01T00:00:00Z", properties, version: 1 }
    }),
  )
})
afterAll(() => engine.close())

type Query = Record<string, Json> & { kind: string }
const funnel: Query = {
  kind: "FunnelsQuery",
  dateRange: { date_from: "2024-03-04", date_to: "2024-03-06" },
  series: ["start", "finish"].map((event) => ({ kind: "EventsNode", event })),
  funnelsFilter: { funnelWindowInterval: 6, funnelWindowIntervalUnit: "hour" },
}
const correlationOf = (more: Record<string, Json>): Query => ({
  kind: "FunnelCorrelationQuery",
  source: { kind: "FunnelsActorsQuery", source: funnel },
  ...more,
})

/** Each actor's way through the funnel: the attempt that came through first, else the first one. */
const journeys = ACTORS.flatMap((actor) => {
  const own = events.filter((item) => item.actor === actor).sort((a, b) => a.atMs - b.atMs)
  const starts = own.filter(({ event }) => event === "start").map(({ atMs }) => atMs)
  if (starts[0] === undefined) return []
  const done = starts.flatMap((began) => {
    const finish = own.find(({ event, atMs }) => event === "finish" && atMs > began && atMs <= began + WINDOW_MS)
    return finish === undefined ? [] : [{ began, ended: finish.atMs }]
  })
  const best = done.sort((a, b) => a.ended - b.ended || b.began - a.began)[0]
  const { began, ended } = best ?? { began: starts[0], ended: starts[0] + WINDOW_MS }
  const seen = own.filter(({ event, atMs }) => atMs > began && atMs < ended && !["start", "finish"].includes(event))
  return [{ actor, converted: best !== undefined, seen }]
})
const successes = journeys.filter(({ converted }) => converted).length
const failures = journeys.length - successes

/** The correlations of traits, worked out from each journey's own. */
function expected(traitsOf: (journey: (typeof journeys)[number]) => string[]) {
  const counts = new Map<string, [success: number, failure: number]>()
  for (const journey of journeys)
    for (const trait of new Set(traitsOf(journey))) {
      const [success, failure] = counts.get(trait) ?? [0, 0]
      counts.set(trait, journey.converted ? [success + 1, failure] : [success, failure + 1])
    }
  const found = [...counts].map(([event, [success, failure]]) => {
    const odds = ((success + 1) * (failures - failure + 1)) / ((successes - success + 1) * (failure + 1))
    return { event, success_count: success, failure_count: failure, odds_ratio: odds }
  })
  return found
    .filter((item) => item.success_count + item.failure_count >= Math.min(25, journeys.length / 50))
    .sort((a, b) => (a.event < b.event ? -1 : 1))
}

interface Correlations {
  readonly events: readonly {
    readonly event: { readonly event: string }
    readonly success_count: number
    readonly failure_count: number
    readonly odds_ratio: number
    readonly correlation_type: string
  }[]
}
const shown = async (more: Record<string, Json>) => {
  const { results } = await engine.run<Correlations>(correlationOf(more))
  const list = results.events
  for (const { odds_ratio, correlation_type } of list)
    expect(correlation_type).toBe(odds_ratio > 1 ? "success" : "failure")
  return list
    .map(({ event, correlation_type: _, ...rest }) => ({ event: event.event, ...rest }))
    .sort((a, b) => (a.event < b.event ? -1 : 1))
}

describe("what goes with coming through a funnel", () => {
  test("is told of events on the way, as odds ratios", async () => {
    expect(Math.min(successes, failures)).toBeGreaterThan(5)
    expect(await shown({ funnelCorrelationType: "events" })).toEqual(
      expected(({ seen }) => seen.map(({ event }) => event)),
    )
    expect(
      await shown({ funnelCorrelationType: "events", funnelCorrelationExcludeEventNames: ["watch", "rare"] }),
    ).toEqual(
      expected(({ seen }) => seen.map(({ event }) => event).filter((name) => !["watch", "rare"].includes(name))),
    )
  })

  test("is told of events with each of their properties", async () => {
    const pairs = ({ event, properties }: (typeof events)[number], names: string[]) =>
      names.map((name) => `${event}::${name}::${properties[name] ?? ""}`)
    const ask = { funnelCorrelationType: "event_with_properties", funnelCorrelationEventNames: ["watch"] }
    const watched = (names: string[]) =>
      expected(({ seen }) => seen.filter(({ event }) => event === "watch").flatMap((item) => pairs(item, names)))
    expect(await shown(ask)).toEqual(watched(["page", "size", "nothing"]))
    expect(await shown({ ...ask, funnelCorrelationEventExcludePropertyNames: ["size"] })).toEqual(
      watched(["page", "nothing"]),
    )
    await expect(shown({ funnelCorrelationType: "event_with_properties" })).rejects.toThrow(
      "funnelCorrelationEventNames must name at least one event",
    )
  })

  test("is told of properties of persons, named ones or all", async () => {
    const plan = ({ actor }: { actor: string }) => planOf.get(actor)
    const ask = { funnelCorrelationType: "properties" }
    expect(await shown({ ...ask, funnelCorrelationNames: ["plan"] })).toEqual(
      expected((journey) => [`plan::${plan(journey) ?? ""}`]),
    )
    expect(await shown({ ...ask, funnelCorrelationNames: ["$all"] })).toEqual(
      expected((journey) => ["kind::human", ...(plan(journey) ? [`plan::${plan(journey)}`] : [])]),
    )
    expect(await shown({ ...ask, funnelCorrelationNames: ["$all"], funnelCorrelationExcludeNames: ["plan"] })).toEqual(
      expected(() => ["kind::human"]),
    )
    await expect(shown(ask)).rejects.toThrow("funnelCorrelationNames must name at least one property")
  })

  test("lists what goes with success first, the strongest of each kind first", async () => {
    const { results } = await engine.run<Correlations>(correlationOf({ funnelCorrelationType: "events" }))
    const odds = (type: string) =>
      results.events.filter(({ correlation_type }) => correlation_type === type).map(({ odds_ratio }) => odds_ratio)
    expect(odds("success")).toEqual(odds("success").sort((a, b) => b - a))
    expect(odds("failure")).toEqual(odds("failure").sort((a, b) => a - b))
    const types = results.events.map(({ correlation_type }) => correlation_type)
    expect(types).toEqual(types.toSorted().reverse())
  })

  test("is nothing, and skewed, where everybody or nobody came through", async () => {
    const series = ["start", "never"].map((event) => ({ kind: "EventsNode", event }))
    const source = { kind: "FunnelsActorsQuery", source: { ...funnel, series } }
    const { results } = await engine.run(correlationOf({ source }))
    expect(results).toEqual({ events: [], skewed: true })
  })

  test("has persons behind each trait, those who came through and those who did not", async () => {
    const personsOf = async (source: Query, more: Record<string, Json>) => {
      const actors = { kind: "FunnelCorrelationActorsQuery", source, ...more }
      const { results } = await engine.run<[id: string][]>({
        kind: "ActorsQuery",
        select: ["id"],
        source: actors,
        limit: 1000,
      })
      return results.map(([id]) => id).sort()
    }
    const those = (fits: (journey: (typeof journeys)[number]) => boolean) =>
      journeys
        .filter(fits)
        .map(({ actor }) => uuidOf(actor))
        .sort()
    const byEvent = correlationOf({ funnelCorrelationType: "events" })
    const funnelCorrelationPersonEntity = {
      kind: "EventsNode",
      event: "watch",
      properties: [{ key: "page", type: "event", operator: "exact", value: "a" }],
    }
    const watchedA = ({ seen }: (typeof journeys)[number]) =>
      seen.some(({ event, properties }) => event === "watch" && properties.page === "a")
    for (const converted of [true, false])
      expect(
        await personsOf(byEvent, { funnelCorrelationPersonEntity, funnelCorrelationPersonConverted: converted }),
      ).toEqual(those((journey) => journey.converted === converted && watchedA(journey)))
    expect(await personsOf(byEvent, { funnelCorrelationPersonEntity })).toEqual(those(watchedA))
    const byProperty = correlationOf({ funnelCorrelationType: "properties", funnelCorrelationNames: ["plan"] })
    const funnelCorrelationPropertyValues = [{ key: "plan", type: "person", operator: "exact", value: "pro" }]
    expect(
      await personsOf(byProperty, { funnelCorrelationPropertyValues, funnelCorrelationPersonConverted: true }),
    ).toEqual(those(({ actor, converted }) => converted && planOf.get(actor) === "pro"))
    await expect(personsOf(byEvent, {})).rejects.toThrow("funnelCorrelationPersonEntity is required")
  })

  test("is refused of what is no funnel, and of properties where none are", async () => {
    const source = { kind: "FunnelsActorsQuery", source: { kind: "TrendsQuery" } }
    await expect(engine.run(correlationOf({ source }))).rejects.toThrow("must be FunnelsQuery")
    const aggregated = { ...funnel, funnelsFilter: { funnelAggregateByHogQL: "properties.page" } }
    await expect(
      engine.run(
        correlationOf({
          source: { kind: "FunnelsActorsQuery", source: aggregated },
          funnelCorrelationType: "properties",
          funnelCorrelationNames: ["plan"],
        }),
      ),
    ).rejects.toThrow("cannot be properties")
  })
})
