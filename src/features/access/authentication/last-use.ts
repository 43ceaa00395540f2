import { LRUCache } from "lru-cache"
import type { Clock } from "../../../kernel/clock.js"
import type { Logger } from "../../../platform/logger/logger.js"

const WRITE_EVERY_MS = 3_600_000
const MAX_RECORDED = 10_000

export interface LastUseDependencies {
  /** What is used, for the log. */
  readonly what: string
  /** Writes that it was used at `usedAtMs`, unless somebody else did so since `notAfterMs`. */
  readonly touch: (id: string, usedAtMs: number, notAfterMs: number) => Promise<void>
  readonly clock: Clock
  readonly logger: Logger
}

/** Writes down that a key or a session was used: off the request's path, at most once an hour for each. */
export function createLastUseRecorder({ what, touch, clock, logger }: LastUseDependencies) {
  const writtenAtMs = new LRUCache<string, number>({ max: MAX_RECORDED })
  const pending = new Set<Promise<void>>()

  const write = async (id: string, nowMs: number): Promise<void> => {
    try {
      await touch(id, nowMs, nowMs - WRITE_EVERY_MS)
    } catch (err) {
      writtenAtMs.delete(id)
      logger.warn(`could not write when ${what} was last used`, { id, err })
    }
  }
  return {
    /** @param lastUsedAtMs as the store had it when it was read. */
    record: (id: string, lastUsedAtMs: number | null): void => {
      const nowMs = clock.now()
      const lastMs = Math.max(lastUsedAtMs ?? 0, writtenAtMs.get(id) ?? 0)
      if (nowMs - lastMs < WRITE_EVERY_MS) return
      writtenAtMs.set(id, nowMs)
      const written = write(id, nowMs).finally(() => pending.delete(written))
      pending.add(written)
    },
    /** Resolves when nothing is being written. */
    flush: async (): Promise<void> => {
      await Promise.all(pending)
    },
  }
}
