import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import { firstRows } from "../../../kernel/paging.js"
import { createPeriodicTask } from "../../../kernel/periodic-task.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { RecordingsService } from "../../recordings/index.js"
import type { DueFilters, MatchCounts, Matches } from "./match-counts.store.js"
import { toRecordingsQuery } from "./to-recordings-query.js"

const STALE_MS = 3_600_000
/** Beyond this a playlist has "more". */
const MAX_COUNTED = 500
/** One playlist at a time: however many there are, counting costs each process one list of recordings in this time. */
const COUNT_EVERY_MS = 5_000
const PAUSE_MS = 60_000
/** Playlists with nothing to count that are skipped at a time. */
const MAX_SKIPPED = 100

/**
 * Counts in the background what the saved filters of playlists find, once it is started. Processes may count side by side:
 * each claims what it counts.
 */
export function createMatchCounter(
  counts: MatchCounts,
  recordings: Pick<RecordingsService, "listByQuery">,
  clock: Clock,
  logger: Logger,
) {
  let hasStopped = false
  let pausedUntilMs = 0

  /** @throws AppError store_unavailable. Every other fault lies in the filters, which then have no count. */
  const find = async ({ projectId, filters, playlistId }: DueFilters): Promise<Matches | null> => {
    const query = toRecordingsQuery(filters)
    if (query === null) return null
    try {
      const page = await recordings.listByQuery(projectId, query, firstRows(MAX_COUNTED))
      return { sessionIds: page.items.map(({ sessionId }) => sessionId), hasMore: await page.hasNext() }
    } catch (failure) {
      if (failure instanceof AppError && failure.code === "store_unavailable") throw failure
      // A count that breaks off because the stores are being closed says nothing about the filters.
      if (hasStopped) throw failure
      if (!(failure instanceof AppError))
        logger.warn("the saved filters of a playlist could not be counted", { playlistId, err: failure })
      return null
    }
  }

  /** Counts the filters that have waited longest. False when none are due. @throws AppError store_unavailable. */
  const countNext = async (): Promise<boolean> => {
    const nowMs = clock.now()
    const claim = () => counts.claimDue(new Date(nowMs), new Date(nowMs + STALE_MS))
    let due = await claim()
    for (let skipped = 0; due?.isCountable === false && skipped < MAX_SKIPPED; skipped++) due = await claim()
    if (due === null || !due.isCountable) return false
    try {
      await counts.save(due, await find(due), new Date(clock.now()))
    } catch (failure) {
      await counts.release(due)
      throw failure
    }
    return true
  }

  const countUnlessPaused = async (): Promise<void> => {
    if (clock.now() < pausedUntilMs) return
    try {
      await countNext()
    } catch (failure) {
      // That a store is away is logged elsewhere.
      pausedUntilMs = clock.now() + PAUSE_MS
      logger.debug("saved filters of playlists are counted later", { err: failure })
    }
  }

  const counting = createPeriodicTask(COUNT_EVERY_MS, countUnlessPaused)

  return {
    countNext,
    /** Counts from now on: new and changed filters within seconds, all of them once an hour or as fast as the pace allows. */
    start: counting.start,
    /** A count that is under way is not waited for: it may take as long as ClickHouse does. */
    stop: (): void => {
      hasStopped = true
      void counting.stop()
    },
  }
}
