import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import { createPeriodicTask } from "../../../kernel/periodic-task.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { RecordingsService } from "../../recordings/index.js"
import type { DueFilters, MatchCounts, Matches } from "./match-counts.types.js"
import { toRecordingsQuery } from "./to-recordings-query.js"

const STALE_MS = 3_600_000
/** Beyond this a playlist has "more". */
const MAX_COUNTED = 500
/** One playlist at a time: however many there are, counting costs each process one list of recordings in this time. */
const TURN_EVERY_MS = 5_000
const REST_MS = 60_000
/** Playlists that one turn skips at most because there is nothing to count. */
const MAX_PASSED_OVER = 100

export interface MatchCounterDependencies {
  readonly counts: MatchCounts
  readonly recordings: Pick<RecordingsService, "listByQuery">
  readonly clock: Clock
  readonly logger: Logger
}

/** Counts in the background what the saved filters of playlists find. */
export interface MatchCounter {
  /** Counts the filters that have waited longest. False when none are due. @throws AppError store_unavailable. */
  countNext(): Promise<boolean>
  /** Counts from now on: new and changed filters within seconds, all of them once an hour or as fast as turns allow. */
  start(): void
  /** Begins nothing more. A count that is under way is not waited for: it may take as long as ClickHouse does. */
  stop(): void
}

/** Makes a counter that rests until it is started. Processes may count side by side: each claims what it counts. */
export function createMatchCounter({ counts, recordings, clock, logger }: MatchCounterDependencies): MatchCounter {
  let hasStopped = false
  let restUntilMs = 0

  /** @throws AppError store_unavailable. Every other fault lies in the filters, which then have no count. */
  const find = async ({ projectId, filters, playlistId }: DueFilters): Promise<Matches | null> => {
    const query = toRecordingsQuery(filters)
    if (query === null) return null
    try {
      const page = await recordings.listByQuery(projectId, query, { limit: MAX_COUNTED, offset: 0 })
      return { sessionIds: page.items.map(({ sessionId }) => sessionId), hasMore: page.totalCount > page.items.length }
    } catch (failure) {
      if (failure instanceof AppError && failure.code === "store_unavailable") throw failure
      // A count that breaks off because the stores are being closed says nothing about the filters.
      if (hasStopped) throw failure
      if (!(failure instanceof AppError))
        logger.warn("the saved filters of a playlist could not be counted", { playlistId, err: failure })
      return null
    }
  }

  const countNext = async (): Promise<boolean> => {
    const nowMs = clock.now()
    const claim = () => counts.claimDue(new Date(nowMs), new Date(nowMs + STALE_MS))
    let due = await claim()
    for (let passed = 0; due?.isCountable === false && passed < MAX_PASSED_OVER; passed++) due = await claim()
    if (due === null || !due.isCountable) return false
    try {
      await counts.save(due, await find(due), new Date(clock.now()))
    } catch (failure) {
      await counts.release(due)
      throw failure
    }
    return true
  }

  const consumeRateLimit = async (): Promise<void> => {
    if (clock.now() < restUntilMs) return
    try {
      await countNext()
    } catch (failure) {
      // That a store is away is logged elsewhere.
      restUntilMs = clock.now() + REST_MS
      logger.debug("saved filters of playlists are counted later", { err: failure })
    }
  }

  const turns = createPeriodicTask(TURN_EVERY_MS, consumeRateLimit)

  return {
    countNext,
    start: turns.start,
    stop: () => {
      hasStopped = true
      void turns.stop()
    },
  }
}
