import { expect, test } from "@jest/globals"
import { toCacheKey } from "../../../src/features/queries/cache/cache-key.js"
import type { CachedAnswer, QueryObject } from "../../../src/features/queries/queries.types.js"
import { createWatchInsights } from "../../../src/features/queries/watch-insights.service.js"
import { asProjectId } from "../../../src/kernel/ids.js"
import { createManualClock } from "../../support/manual-clock.js"

const PROJECT = asProjectId(7)
const SETTINGS = { timezone: "UTC", weekStartDay: 0 }
const NOW_MS = Date.parse("2024-03-10T12:00:00Z")

const query = (index: number, more: object = {}): QueryObject => ({ kind: "TrendsQuery", series: [index], ...more })
const toKey = (one: QueryObject): string => toCacheKey(PROJECT, one, SETTINGS, 0)

async function watch(queries: readonly QueryObject[]) {
  const clock = createManualClock(NOW_MS)
  const kept = new Map<string, CachedAnswer>()
  let store = (): void => undefined
  const watchInsights = createWatchInsights({
    cache: { find: async (key) => kept.get(key) ?? null, keep: async () => true },
    projects: { settings: async () => ({ ...SETTINGS, generation: 0 }) },
    storedEvents: {
      onStored: async (_projectId, listener) => {
        store = listener
        return async () => {
          store = () => undefined
        }
      },
    },
    clock,
  })
  const changes = await watchInsights(PROJECT, queries)
  const keep = (one: QueryObject): void => {
    const nowMs = clock.now()
    kept.set(toKey(one), { answer: {}, calculatedAtMs: nowMs, dataThroughMs: nowMs })
  }
  const storeLater = (): void => {
    clock.advance(1)
    store()
  }
  return { changes, keep, storeLater }
}

test("answers that miss newer events are named once, and again when they were renewed since", async () => {
  const queries = [query(0), query(1), query(2, { dateRange: { date_from: "2024-03-01", date_to: "2024-03-02" } })]
  const [first, , over] = queries as [QueryObject, QueryObject, QueryObject]
  const { changes, keep, storeLater } = await watch(queries)
  keep(first)
  keep(over)
  storeLater()
  expect((await changes.next()).value).toMatchObject({ index: 0, key: toKey(first), computedAt: new Date(NOW_MS) })
  keep(first)
  storeLater()
  // Neither the one without an answer nor the one whose dates are over is named between.
  expect((await changes.next()).value).toMatchObject({ index: 0, computedAt: new Date(NOW_MS + 1) })
  await changes.return?.()
})

test("at most 100 queries are watched together", async () => {
  await expect(watch(Array.from({ length: 101 }, (_, index) => query(index)))).rejects.toMatchObject({
    details: { attr: "inputs" },
  })
})
