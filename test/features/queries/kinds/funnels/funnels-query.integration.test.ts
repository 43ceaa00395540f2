import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Json } from "../../../../../src/kernel/json.js"
import { KindEngine, type Line, type Listed, randomFrom, type TestEvent } from "../kind-engine.js"

const engine = new KindEngine()
const random = randomFrom(11)
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
const ACTORS = Array.from({ length: 40 }, (_, index) => `actor ${index}`)

/** Many events share a moment, steps repeat, and some lie exactly a window apart. */
const events: TestEvent[] = ACTORS.flatMap((actor) =>
  Array.from({ length: 3 + Math.floor(random() * 12) }, () => ({
    event: pick(["a", "b", "c", "x", "other"]),
    actor,
    at: new Date(Date.UTC(2024, 2, 1) + Math.floor(random() * 30) * 20 * 60_000).toISOString(),
    properties: { plan: pick(["pro", "free", null]) },
  })),
)

beforeAll(() => engine.capture(events))
afterAll(() => engine.close())

type Steps = readonly { readonly count: number }[]
/** One list of steps for each value. */
type Breakdown = readonly Listed<{ readonly count: number; readonly breakdown_value: readonly string[] }>[]

const RANGE = { date_from: "2024-03-01", date_to: "2024-03-04" }
const funnel = <Results = Steps>(
  names: string[],
  funnelsFilter: Record<string, Json> = {},
  rest: Record<string, Json> = {},
) =>
  engine.run<Results>({
    kind: "FunnelsQuery",
    series: names.map((event) => ({ kind: "EventsNode", event })),
    dateRange: RANGE,
    funnelsFilter,
    ...rest,
  })

interface Moment {
  readonly event: string
  readonly time: number
}
type Order = "ordered" | "strict" | "unordered"

/** An actor's events in order; of one moment the earlier steps first. */
function history(actor: string, names: string[]): Moment[] {
  const rank = (event: string) => (names.includes(event) ? names.indexOf(event) : names.length)
  return events
    .filter((item) => item.actor === actor)
    .map(({ event, at }) => ({ event, time: Date.parse(at) / 1000 }))
    .sort((x, y) => x.time - y.time || rank(x.event) - rank(y.event))
}

/** Every attempt of an actor, worked out step by step from its first event. */
function attempts(moments: Moment[], names: string[], how: Order, windowSeconds: number): number[][] {
  return moments.flatMap((start, index) => {
    const inTime = (moment: Moment) => moment.time <= start.time + windowSeconds
    if (how === "unordered") {
      if (!names.includes(start.event)) return []
      const left = [...names]
      const times: number[] = []
      for (const moment of moments.slice(index).filter(inTime)) {
        const place = left.indexOf(moment.event)
        if (place < 0) continue
        left.splice(place, 1)
        times.push(moment.time)
      }
      return [times]
    }
    if (start.event !== names[0]) return []
    const times = [start.time]
    for (let at = index + 1; at < moments.length && times.length < names.length; at++) {
      const moment = moments[at] as Moment
      if (!inTime(moment)) break
      if (moment.event === names[times.length]) times.push(moment.time)
      else if (how === "strict") break
    }
    return [times]
  })
}

function best(paths: number[][]): number[] {
  const key = (path: number[]) => [-path.length, path.at(-1) ?? 0, -(path[0] ?? 0)]
  const sorted = [...paths].sort((x, y) => {
    const [a, b] = [key(x), key(y)]
    return (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0) || (a[2] ?? 0) - (b[2] ?? 0)
  })
  return sorted[0] ?? []
}

const average = (values: number[]): number | null =>
  values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length
function median(values: number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return average([sorted[Math.floor(middle)], sorted[Math.ceil(middle)]].filter((value) => value !== undefined))
}

function expected(paths: number[][], names: string[]) {
  return names.map((_, step) => {
    const reached = paths.filter((path) => path.length > step)
    const seconds = reached.map((path) => (path[step] ?? 0) - (path[step - 1] ?? 0))
    const close = (value: number | null) => (value === null ? null : expect.closeTo(value, 6))
    return {
      order: step,
      count: reached.length,
      average_conversion_time: step === 0 ? null : close(average(seconds)),
      median_conversion_time: step === 0 ? null : close(median(seconds)),
    }
  })
}

const HOUR = { funnelWindowInterval: 1, funnelWindowIntervalUnit: "hour" }

describe("a funnel", () => {
  test.each([
    ["ordered", ["a", "b"]],
    ["ordered", ["a", "b", "c"]],
    ["ordered", ["a", "b", "a"]],
    ["ordered", ["a", "a"]],
    ["ordered", ["a", "a", "b", "b", "c"]],
    ["strict", ["a", "b"]],
    ["strict", ["a", "b", "c"]],
    ["unordered", ["a", "b"]],
    ["unordered", ["a", "b", "c"]],
    ["unordered", ["a", "b", "a"]],
  ] as [Order, string[]][])(
    "counts persons and times of %s steps %j as a walk over their events does",
    async (how, names) => {
      for (const windowed of [{}, HOUR]) {
        const seconds = "funnelWindowInterval" in windowed ? 3600 : 14 * 86_400
        const paths = ACTORS.map((actor) => best(attempts(history(actor, names), names, how, seconds)))
        const wanted = expected(
          paths.filter((path) => path.length > 0),
          names,
        )
        const { results } = await funnel(names, { funnelOrderType: how, ...windowed })
        expect(results).toMatchObject(wanted)
        if (how === "unordered") continue
        // With an exclusion each attempt is worked out by itself.
        const exclusions = [{ kind: "EventsNode", event: "never" }]
        const { results: byAttempt } = await funnel(names, { funnelOrderType: how, ...windowed, exclusions })
        expect(byAttempt).toMatchObject(wanted)
      }
    },
  )

  test("takes twelve steps", async () => {
    const names = ["a", "b", "c", "a", "b", "c", "a", "b", "c", "a", "b", "c"]
    const paths = ACTORS.map((actor) => best(attempts(history(actor, names), names, "ordered", 14 * 86_400)))
    const { results } = await funnel(names)
    expect(results.map(({ count }) => count)).toEqual(
      names.map((_, step) => paths.filter((path) => path.length > step).length),
    )
  })

  test("leaves out attempts with an excluded event between two steps", async () => {
    const names = ["a", "b", "c"]
    const paths = ACTORS.map((actor) => {
      const moments = history(actor, [...names, "x"])
      const excluded = moments.filter(({ event }) => event === "x").map(({ time }) => time)
      const kept = attempts(moments, names, "ordered", 3600).filter((path) => {
        const [from, to] = [path[0] as number, path[1]]
        return !excluded.some((time) => time >= from && (to === undefined ? time <= from + 3600 : time < to))
      })
      return best(kept)
    })
    const exclusions = [{ kind: "EventsNode", event: "x", funnelFromStep: 0, funnelToStep: 1 }]
    const { results } = await funnel(names, { ...HOUR, exclusions })
    expect(results).toMatchObject(
      expected(
        paths.filter((path) => path.length > 0),
        names,
      ),
    )
  })

  test("tells persons apart by the first value they had", async () => {
    const firstPlan = (actor: string) =>
      events
        .filter((item) => item.actor === actor && ["a", "b"].includes(item.event) && item.properties?.plan)
        .sort((x, y) => Date.parse(x.at) - Date.parse(y.at))
    const { results } = await funnel<Breakdown>(["a", "b"], {}, { breakdownFilter: { breakdown: "plan" } })
    const total = (step: number) => results.reduce((sum, list) => sum + (list[step]?.count ?? 0), 0)
    const paths = ACTORS.map((actor) => best(attempts(history(actor, ["a", "b"]), ["a", "b"], "ordered", 14 * 86_400)))
    expect([total(0), total(1)]).toEqual([0, 1].map((step) => paths.filter((path) => path.length > step).length))
    const nobody = ACTORS.filter((actor, index) => paths[index]?.length && firstPlan(actor).length === 0).length
    const none = results.find(([step]) => step.breakdown_value.includes(""))
    expect(none?.[0].count ?? 0).toBe(nobody)
  })

  test.each(["first_touch", "last_touch", "step"])(
    "has everybody under one value, attributed by %s",
    async (attribution) => {
      const paths = ACTORS.map((actor) => best(attempts(history(actor, ["a", "b"]), ["a", "b"], "ordered", 3600)))
      const how = { ...HOUR, breakdownAttributionType: attribution, breakdownAttributionValue: 0 }
      const { results } = await funnel<Breakdown>(["a", "b"], how, { breakdownFilter: { breakdown: "plan" } })
      const sums = [0, 1].map((step) => results.reduce((sum, list) => sum + (list[step]?.count ?? 0), 0))
      expect(sums).toEqual([0, 1].map((step) => paths.filter((path) => path.length > step).length))
      const values = results.map(([step]) => String(step.breakdown_value))
      expect(new Set(values).size).toBe(values.length)
      const entered = results.map(([step]) => step.count)
      expect(entered).toEqual([...entered].sort((a, b) => b - a))
    },
  )

  test("shows how long conversion takes in bins", async () => {
    const names = ["a", "b"]
    const seconds = ACTORS.map((actor) => best(attempts(history(actor, names), names, "ordered", 14 * 86_400)))
      .filter((path) => path.length === 2)
      .map(([from = 0, to = 0]) => to - from)
    const { results } = await funnel<{ average_conversion_time: number; bins: Json }>(names, {
      funnelVizType: "time_to_convert",
    })
    expect(results.average_conversion_time).toBeCloseTo(average(seconds) ?? 0, 6)
    const [shortest, bins] = [Math.min(...seconds), Math.ceil(Math.cbrt(seconds.length))]
    const width = Math.ceil((Math.max(...seconds) - shortest) / bins) || 60
    expect(results.bins).toEqual(
      Array.from({ length: bins + 1 }, (_, bin) => [
        shortest + bin * width,
        seconds.filter((value) => Math.floor((value - shortest) / width) === bin).length,
      ]),
    )
  })

  test("shows the share that came through by the hour in which they began", async () => {
    const { results } = await funnel<Listed<Line>>(
      ["a", "b"],
      { ...HOUR, funnelVizType: "trends" },
      { interval: "hour" },
    )
    const hours = results[0].days
    const wanted = hours.map((hour) => {
      const depths = ACTORS.map((actor) =>
        attempts(history(actor, ["a", "b"]), ["a", "b"], "ordered", 3600)
          .filter(([start = 0]) => new Date(start * 1000).toISOString().startsWith(hour.slice(0, 13).replace(" ", "T")))
          .reduce((deepest, path) => Math.max(deepest, path.length), 0),
      )
      const [entered, converted] = [1, 2].map((depth) => depths.filter((reached) => reached >= depth).length)
      return entered ? Math.round(((converted ?? 0) / entered) * 10_000) / 100 : 0
    })
    expect(results[0].data).toEqual(wanted)
  })

  test("of one step, of steps that are none, and with exclusions of a part in any order is refused", async () => {
    const wrong = (query: Promise<unknown>, detail: string) =>
      expect(query).rejects.toMatchObject({ code: "parse_error", details: { detail: expect.stringContaining(detail) } })
    await wrong(funnel(["a"]), "FunnelsQuery.series must have at least 2 steps")
    await wrong(funnel(["a", "b"], { funnelOrderType: "sideways" }), "FunnelsQuery.funnelsFilter.funnelOrderType")
    const exclusions = [{ kind: "EventsNode", event: "x", funnelToStep: 1 }]
    await wrong(
      funnel(["a", "b", "c"], { funnelOrderType: "unordered", exclusions }),
      "funnelFromStep cannot be chosen",
    )
  })
})
