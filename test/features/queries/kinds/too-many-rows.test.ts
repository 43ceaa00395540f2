import { afterAll, beforeAll, expect, test } from "@jest/globals"
import { KindEngine, uuidOf } from "./kind-engine.js"

const engine = new KindEngine()
const ACTORS = Array.from({ length: 12 }, (_, index) => `actor ${index}`)
const DAYS = 100

/** Everybody comes every day, each with a browser of their own: 5,050 pairs of days, 12 times. */
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
  const person = { project_id: 1, created_at: "2024-01-01T00:00:00Z", properties: "{}", version: 1 }
  engine.insert(
    "persons",
    ACTORS.map((actor) => ({ ...person, id: uuidOf(actor) })),
  )
})
afterAll(() => engine.close())

const countsWith = async (breakdown_limit: number): Promise<number[]> => {
  const entity = { id: "open", type: "events" }
  const { results } = await engine.run<{ readonly values: readonly { readonly count: number }[] }[]>({
    kind: "RetentionQuery",
    dateRange: { date_to: "2024-04-09" },
    retentionFilter: { period: "Day", totalIntervals: DAYS, targetEntity: entity, returningEntity: entity },
    breakdownFilter: { breakdown: "browser", breakdown_type: "event", breakdown_limit },
  })
  return results.flatMap(({ values }) => values.map(({ count }) => count))
}

test("an insight of more rows than are read is refused, not made from some of them", async () => {
  expect(new Set(await countsWith(8))).toEqual(new Set([1, ACTORS.length - 8]))
  await expect(countsWith(25)).rejects.toMatchObject({
    code: "hogql_query_error",
    details: { detail: expect.stringContaining("more than 50000 rows") },
  })
})
