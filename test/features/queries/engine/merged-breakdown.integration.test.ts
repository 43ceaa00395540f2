import { afterAll, beforeAll, expect, test } from "@jest/globals"
import { createClickHouseQueryEngine } from "../../../../src/features/queries/engine/click-house-query-engine.store.js"
import { createQueryKinds } from "../../../../src/features/queries/kinds/kinds.js"
import { AppError } from "../../../../src/kernel/errors.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { JsonObject } from "../../../../src/kernel/json.js"
import { startTestStores, type TestStores } from "../../../support/test-stores.js"

const [VALUES, ACTORS, DAYS] = [100, 300, 30]
/** Each plan has one person less than the one before. */
const isThere = (actor: number, value: number, day: number) =>
  actor + value < ACTORS && (actor * 7 + value * 3 + day) % 5 < 4
/** One reading of these events takes over 80 MB, each of two less than 18 MB. */
const LIMIT_BYTES = 40_000_000

let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores([])
  await stores.clickHouse.command({
    sql: `INSERT INTO events (project_id, uuid, event, distinct_id, properties, timestamp, created_at, person_id)
          SELECT 1, generateUUIDv4(), 'open', toString(a), concat('{"plan":"p', toString(v), '"}'),
            toDateTime64('2024-03-01 12:00:00', 6, 'UTC') + toIntervalDay(d), now(),
            toUUID(concat('0190d000-0000-7000-8000-', leftPad(toString(a), 12, '0')))
          FROM (
            SELECT number % ${VALUES} AS v, intDiv(number, ${VALUES}) % ${ACTORS} AS a, intDiv(number, ${VALUES * ACTORS}) AS d
            FROM numbers(${VALUES * ACTORS * DAYS})
          )
          WHERE a + v < ${ACTORS} AND (a * 7 + v * 3 + d) % 5 < 4`,
  })
})
afterAll(() => stores.stop())

const days = Array.from({ length: DAYS }, (_, day) => day)
const values = Array.from({ length: VALUES }, (_, value) => value)
const actors = Array.from({ length: ACTORS }, (_, actor) => actor)

/** A trend of distinct persons by plan, and how each statement on the way ended. */
async function trendOf(maxBytes: number) {
  const outcomes: string[] = []
  const engine = createClickHouseQueryEngine(stores.clickHouse)
  const select: typeof engine.select = async (statement) => {
    const settings = { ...statement.settings, max_memory_usage: maxBytes }
    try {
      const answer = await engine.select({ ...statement, settings })
      outcomes.push("answered")
      return answer
    } catch (failure) {
      outcomes.push(failure instanceof AppError ? failure.code : String(failure))
      throw failure
    }
  }
  const propertyDefinitions = { event: new Map(), person: new Map(), group: new Map() }
  const project = {
    groupTypes: new Map(),
    cohorts: new Map(),
    cohortsById: new Map(),
    actions: new Map(),
    testAccountFilters: [],
  }
  const kinds = createQueryKinds(
    { ...engine, select },
    { read: async () => ({ propertyDefinitions, ...project }) },
    { list: async () => ({ items: [], totalCount: 0 }) },
  )
  const trends = kinds.find(({ kind }) => kind === "TrendsQuery")
  const answer = await trends?.run(
    {
      kind: "TrendsQuery",
      series: [{ kind: "EventsNode", event: "open", math: "dau" }],
      dateRange: { date_from: "2024-03-01", date_to: "2024-03-30" },
      breakdownFilter: { breakdown: "plan", breakdown_limit: 3 },
    },
    {
      projectId: asProjectId(1),
      timezone: "UTC",
      weekStartDay: 0,
      nowMs: Date.UTC(2024, 3, 15, 12),
      engineQueryId: `trend ${maxBytes}`,
      maxExecutionSeconds: 60,
      signal: new AbortController().signal,
    },
  )
  const lines = (answer?.results ?? []) as JsonObject[]
  return { outcomes, lines: lines.map(({ breakdown_value: value, data }) => [value, data]) }
}

/** How many persons have one of these plans on each day, by a walk over the events. */
const perDay = (plans: readonly number[]) =>
  days.map((day) => actors.filter((actor) => plans.some((value) => isThere(actor, value, day))).length)

test("distinct persons of few values that take too much memory at once are read twice, with the same answer", async () => {
  const atOnce = await trendOf(2_000_000_000)
  expect(atOnce.outcomes).toEqual(["answered", "answered"])
  const twice = await trendOf(LIMIT_BYTES)
  expect(twice.outcomes).toEqual(["answered", "query_memory_limit", "answered", "answered"])
  const [first, second, third, ...rest] = values as [number, number, number, ...number[]]
  expect(twice.lines).toEqual([
    ...[first, second, third].map((value) => [`p${value}`, perDay([value])]),
    ["$$_posthog_breakdown_other_$$", perDay(rest)],
  ])
  expect(atOnce.lines).toEqual(twice.lines)
})
