import type { Clock } from "../../../kernel/clock.js"
import type { Json } from "../../../kernel/json.js"
import { createPeriodicTask } from "../../../kernel/periodic-task.js"
import type { Counters } from "../../../platform/counters/counters.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { FlagQuota, QuotaHolder } from "../flags.types.js"

/** Project setting with the number of flag requests that the project's organization has in a calendar month (UTC). */
const LIMIT_SETTING = "feature_flag_request_limit"
const FLUSH_EVERY_MS = 1_000
/** Longer than any month, so that a counter lives to the end of its own. */
const WINDOW_SECONDS = 32 * 86_400

export interface FlagQuotaDependencies {
  /** Shared by all processes where they share a Redis; else each process counts for itself, since its start. */
  readonly counters: Pick<Counters, "increment">
  readonly clock: Clock
  readonly logger: Logger
}

/** The quota with what it does in the background. */
export interface CountingFlagQuota extends FlagQuota {
  start(): void
  /** Writes what is counted and not yet written. */
  stop(): Promise<void>
}

/** What is known of one organization in one month. */
interface Tally {
  /** Sum over all processes, when the store answered last. */
  total: number
  /** Counted here since. */
  pending: number
}

/**
 * Counts flag requests per organization and month. Counting and asking are done in memory, the store is told once a second:
 * a decision never waits for it. While the store is away nobody who was within the quota falls out of it.
 */
export function createFlagQuota({ counters, clock, logger }: FlagQuotaDependencies): CountingFlagQuota {
  const tallies = new Map<string, Tally>()
  /** A holder's tally of a month, found without putting its name together: every decision asks for it. */
  const found = new WeakMap<QuotaHolder, { readonly month: string; readonly tally: Tally }>()
  let isStoreUp = false
  const month = createMonths(clock)

  const tallyOf = (holder: QuotaHolder): Tally => {
    const present = month()
    const last = found.get(holder)
    if (last?.month === present) return last.tally
    const key = `flag-requests:${holder.organizationId ?? `project-${holder.projectId}`}:${present}`
    const tally = tallies.get(key) ?? { total: 0, pending: 0 }
    tallies.set(key, tally)
    found.set(holder, { month: present, tally })
    return tally
  }

  const flush = async (): Promise<void> => {
    const present = month()
    for (const [key, tally] of tallies) {
      const by = tally.pending
      try {
        tally.total = await counters.increment(key, by, WINDOW_SECONDS)
        tally.pending -= by
        if (!isStoreUp) logger.debug("flag requests are counted in the store")
        isStoreUp = true
        if (!key.endsWith(present)) tallies.delete(key)
      } catch (err) {
        if (isStoreUp) logger.warn("flag requests cannot be counted in the store; nobody is limited by them", { err })
        isStoreUp = false
        return
      }
    }
  }

  const usedBy = (holder: QuotaHolder): number => {
    const { total, pending } = tallyOf(holder)
    return isStoreUp ? total + pending : total
  }

  const flushes = createPeriodicTask(FLUSH_EVERY_MS, flush)
  return {
    isExceeded: (holder) => {
      const limit = limitOf(holder.settings[LIMIT_SETTING])
      return limit !== null && usedBy(holder) >= limit
    },
    count: (holder, weight) => {
      tallyOf(holder).pending += weight
    },
    usage: (holder) => {
      const { total, pending } = tallyOf(holder)
      return { month: month(), used: total + pending, limit: limitOf(holder.settings[LIMIT_SETTING]) }
    },
    start: flushes.start,
    stop: async () => {
      await flushes.stop()
      await flush()
    },
  }
}

/** A setting that is not a number of requests limits nothing. */
const limitOf = (setting: Json | undefined): number | null =>
  typeof setting === "number" && Number.isFinite(setting) && setting >= 0 ? setting : null

/** The present month such as `2026-03`; asked for by every decision, so it is worked out again once a second only. */
function createMonths(clock: Clock): () => string {
  let month = ""
  let workedOutAtMs = Number.NEGATIVE_INFINITY
  return () => {
    const nowMs = clock.now()
    if (Math.abs(nowMs - workedOutAtMs) >= 1_000) {
      month = new Date(nowMs).toISOString().slice(0, 7)
      workedOutAtMs = nowMs
    }
    return month
  }
}
