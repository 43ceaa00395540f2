import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import { openLossyStream } from "../../kernel/lossy-stream.js"
import { createPeriodicTask } from "../../kernel/periodic-task.js"
import { isFinalResult } from "./cache/refresh-decision.js"
import { resolveQuery } from "./execution/query-execution.js"
import type { QueryObject, QueryResultCache, QuerySettingsReader, StoredEvents } from "./queries.types.js"

/** Queries that are watched together. */
const MAX_WATCHED = 100
/** A project that stores events all the time is looked at this often. */
const CHECK_EVERY_MS = 1_000

/** A kept answer that misses events: newer data of its project has been stored since. */
export interface InsightChange {
  /** Index of the query among those that are watched. */
  readonly index: number
  readonly key: string
  readonly computedAt: Date
  readonly dataThrough: Date
}

export interface WatchInsightsDependencies {
  readonly cache: QueryResultCache
  readonly projects: QuerySettingsReader
  readonly storedEvents: StoredEvents
  readonly clock: Clock
}

/**
 * Watches kept answers: each is reported once when events of the project have been stored that it cannot have, and
 * again when it has been renewed and newer ones come. Answers whose dates are over are never reported, and neither are
 * queries without one.
 */
export function createWatchInsights({ cache, projects, storedEvents, clock }: WatchInsightsDependencies) {
  /** @throws AppError invalid_input for too many queries. */
  return async (projectId: ProjectId, queries: readonly QueryObject[]) => {
    if (queries.length > MAX_WATCHED)
      throw new AppError("invalid_input", { attr: "inputs", detail: `Give at most ${MAX_WATCHED} queries.` })
    const reported = new Map<number, number>()

    async function findChange(query: QueryObject, index: number, storedAtMs: number): Promise<InsightChange | null> {
      const { cacheKey: key, rangeEndMs } = await resolveQuery(projects, projectId, query)
      const cached = await cache.find(key)
      if (cached === null || cached.calculatedAtMs >= storedAtMs || isFinalResult(cached, rangeEndMs)) return null
      if (reported.get(index) === cached.calculatedAtMs) return null
      reported.set(index, cached.calculatedAtMs)
      return { index, key, computedAt: new Date(cached.calculatedAtMs), dataThrough: new Date(cached.dataThroughMs) }
    }

    return openLossyStream<InsightChange>(MAX_WATCHED, async (add) => {
      let storedAtMs: number | null = null
      const checks = createPeriodicTask(CHECK_EVERY_MS, async () => {
        const atMs = storedAtMs
        if (atMs === null) return
        storedAtMs = null
        // Settings that cannot be read just now are read with the next events.
        const found = await Promise.allSettled(queries.map((query, index) => findChange(query, index, atMs)))
        add(found.flatMap((one) => (one.status === "fulfilled" && one.value !== null ? [one.value] : [])))
      })
      const stopListening = await storedEvents.onStored(projectId, () => {
        storedAtMs = clock.now()
      })
      checks.start()
      return async () => {
        await checks.stop()
        await stopListening()
      }
    })
  }
}
