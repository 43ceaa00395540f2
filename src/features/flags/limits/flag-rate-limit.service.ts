import { LRUCache } from "lru-cache"
import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import { createPeriodicTask } from "../../../kernel/periodic-task.js"
import type { Counters } from "../../../platform/counters/counters.js"
import type { Logger } from "../../../platform/logger/logger.js"

/** Who is limited: a project, by the key in the request, or an address. */
export type LimitedBy = "key" | "address"

/** Flag requests in a minute of the clock; 0 sets no limit. */
export type FlagRateLimits = Readonly<Record<LimitedBy, number>>

/** Lets a caller make so many flag requests a minute. */
export interface FlagRateLimit {
  /** Counts a request. @throws AppError flag_rate_limited when the minute's requests are used up. */
  take(by: LimitedBy, subject: string): void
}

/** The limit with what it does in the background. */
export interface CountingFlagRateLimit extends FlagRateLimit {
  start(): void
  /** Tells the shared counters what they were not told yet. */
  stop(): Promise<void>
}

export interface FlagRateLimitDependencies {
  /** Shared by all processes where they share a Redis. */
  readonly counters: Pick<Counters, "increment">
  readonly limits: FlagRateLimits
  readonly clock: Clock
  readonly logger: Logger
}

interface Tally {
  /** Sum over all processes, as the store answered last. */
  total: number
  /** Counted here since. */
  pending: number
}

const WINDOW_MS = 60_000
const FLUSH_EVERY_MS = 1_000
/** Characters of a key that are kept: more than any real key has, and enough to tell made-up ones apart. */
const MAX_SUBJECT_CHARACTERS = 200
/** Keys and addresses counted at once; beyond it the oldest are forgotten, so that made-up ones cannot fill the memory. */
const MAX_TALLIES = 20_000

/**
 * Counts in memory and tells the shared counters once a second: a decision never waits for them, and several processes
 * together let through at most a second's requests more. While the counters are away each process limits what it sees itself.
 */
export function createFlagRateLimit(dependencies: FlagRateLimitDependencies): CountingFlagRateLimit {
  const { counters, limits, clock, logger } = dependencies
  const tallies = new LRUCache<string, Tally>({ maxSize: MAX_TALLIES, sizeCalculation: () => 1 })
  let openWindow = 0
  let isStoreUp = true

  const tallyOf = (name: string): Tally => {
    const window = Math.floor(clock.now() / WINDOW_MS)
    if (window !== openWindow) {
      tallies.clear()
      openWindow = window
    }
    let tally = tallies.get(name)
    if (tally === undefined) {
      tally = { total: 0, pending: 0 }
      tallies.set(name, tally)
    }
    return tally
  }

  const flush = async (): Promise<void> => {
    const window = openWindow
    const waiting = [...tallies.entries()].toReversed().filter(([, { pending }]) => pending > 0)
    // Waits for all to end: what is still on its way must not be sent by the next flush as well.
    const outcomes = await Promise.allSettled(
      waiting.map(async ([name, tally]) => {
        const by = tally.pending
        tally.total = await counters.increment(`flag-rate:${name}:${window}`, by, (2 * WINDOW_MS) / 1_000)
        tally.pending -= by
      }),
    )
    const failed = outcomes.find((outcome) => outcome.status === "rejected")
    if (failed !== undefined && isStoreUp)
      logger.warn("flag requests cannot be counted for all processes; each limits its own", { err: failed.reason })
    isStoreUp = failed === undefined
  }

  const flushes = createPeriodicTask(FLUSH_EVERY_MS, flush)
  return {
    take: (by, subject) => {
      const limit = limits[by]
      if (limit === 0) return
      const tally = tallyOf(`${by}:${subject.slice(0, MAX_SUBJECT_CHARACTERS)}`)
      tally.pending++
      if (tally.total + tally.pending <= limit) return
      const resetSeconds = Math.max(1, Math.ceil(WINDOW_MS / 1_000 - (clock.now() % WINDOW_MS) / 1_000))
      const detail = `More than ${limit} flag requests a minute came with this ${by}. Ask again in ${resetSeconds} seconds.`
      throw new AppError("flag_rate_limited", {
        detail,
        retryAfterSeconds: resetSeconds,
        rateLimit: { limit, remaining: 0, resetSeconds },
      })
    },
    start: () => {
      if (limits.key === 0 && limits.address === 0) return
      flushes.start()
    },
    stop: async () => {
      await flushes.stop()
      await flush()
    },
  }
}
