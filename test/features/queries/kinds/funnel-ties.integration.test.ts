import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { KindEngine, randomFrom, type TestEvent } from "./kind-engine.js"

const engine = new KindEngine()
const random = randomFrom(23)
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
const ACTORS = Array.from({ length: 60 }, (_, index) => `actor ${index}`)
const START_MS = Date.UTC(2024, 2, 1)
const MINUTE = 60

/** Few moments, so that most events share theirs with others of the same person. */
const events: TestEvent[] = ACTORS.flatMap((actor) =>
  Array.from({ length: 4 + Math.floor(random() * 10) }, () => ({
    event: pick(["a", "a", "b", "other"]),
    actor,
    at: new Date(START_MS + Math.floor(random() * 5) * MINUTE * 1000).toISOString(),
    properties: { size: pick(["s", "m"]) },
  })),
)

beforeAll(() => engine.capture(events))
afterAll(() => engine.close())

/** A step: an event's name, or none for any, and after a colon the size it must have. */
type Step = string
const read = (step: Step): { event: string | null; size: string | null } => {
  const [event = "", size = null] = step.split(":")
  return { event: event === "any" ? null : event, size }
}
const isStep = ({ event, properties }: TestEvent, step: Step): boolean => {
  const wanted = read(step)
  return (wanted.event ?? event) === event && (wanted.size ?? properties?.size) === properties?.size
}

/** An actor's events in order; of one moment by the first step that they are of, then the next, and so on. */
function history(actor: string, steps: readonly Step[]): { event: TestEvent; seconds: number }[] {
  const rank = (event: TestEvent) => steps.map((step) => (isStep(event, step) ? "0" : "1")).join("")
  return events
    .filter((event) => event.actor === actor)
    .map((event) => ({ event, seconds: (Date.parse(event.at) - START_MS) / 1000 }))
    .sort((x, y) => x.seconds - y.seconds || (rank(x.event) < rank(y.event) ? -1 : 1))
}

/** Every attempt of an actor, worked out step by step from its first event; then the best of them. */
function bestPath(actor: string, steps: readonly Step[], isStrict: boolean, windowSeconds: number): number[] {
  const moments = history(actor, steps)
  const paths = moments.flatMap(({ event, seconds: begun }, index) => {
    if (!isStep(event, steps[0] as Step)) return []
    const path = [begun]
    for (const moment of moments.slice(index + 1)) {
      if (path.length === steps.length || moment.seconds > begun + windowSeconds) break
      if (isStep(moment.event, steps[path.length] as Step)) path.push(moment.seconds)
      else if (isStrict) break
    }
    return [path]
  })
  const worth = (path: number[]) => path.length * 1e9 - (path.at(-1) ?? 0) * 1e3 + (path[0] ?? 0) / 1e3
  return paths.reduce((best, path) => (worth(path) > worth(best) ? path : best), paths[0] ?? [])
}

function expected(paths: readonly number[][], steps: readonly Step[]) {
  return steps.map((_, step) => {
    const seconds = paths.filter((path) => path.length > step).map((path) => (path[step] ?? 0) - (path[step - 1] ?? 0))
    const total = seconds.reduce((sum, value) => sum + value, 0)
    const average = step === 0 || seconds.length === 0 ? null : expect.closeTo(total / seconds.length, 6)
    return { order: step, count: seconds.length, average_conversion_time: average }
  })
}

async function funnel(steps: readonly Step[], order: string, windowMinutes: number, dateFrom = "2024-03-01") {
  const { results } = await engine.run<{ count: number }[]>({
    kind: "FunnelsQuery",
    series: steps.map((step) => {
      const { event, size } = read(step)
      const properties = size === null ? [] : [{ key: "size", value: size, type: "event", operator: "exact" }]
      return { kind: "EventsNode", event, properties }
    }),
    dateRange: { date_from: dateFrom, date_to: "2024-03-02" },
    funnelsFilter: {
      funnelOrderType: order,
      funnelWindowInterval: windowMinutes,
      funnelWindowIntervalUnit: "minute",
    },
  })
  return results
}

const FUNNELS: readonly Step[][] = [
  ["a", "a:s"],
  ["a:s", "a"],
  ["a:s", "a:m", "a:s"],
  ["a", "b", "a"],
  ["b", "a", "a", "b"],
  ["any", "a:s", "any"],
  ["a", "any", "b:m", "a", "any"],
  ["b", "b:s", "a", "any", "a:m", "a", "b"],
]

describe.each(["ordered", "strict"])("a funnel of steps that events may share, %s,", (order) => {
  test.each(FUNNELS.map((steps) => [steps] as const))(
    "takes each event for one step of an attempt: %j",
    async (steps) => {
      for (const minutes of [2, 10_000]) {
        const paths = ACTORS.map((actor) => bestPath(actor, steps, order === "strict", minutes * MINUTE))
        expect(await funnel(steps, order, minutes)).toMatchObject(expected(paths, steps))
      }
    },
  )
})

test("A funnel over half a century counts as one over days", async () => {
  const steps = ["a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b"]
  const counts = (results: { count: number }[]) => results.map(({ count }) => count)
  const short = counts(await funnel(steps, "ordered", 10_000))
  expect(short[0]).toBeGreaterThan(0)
  expect(counts(await funnel(steps, "ordered", 10_000, "1971-01-01"))).toEqual(short)
})
