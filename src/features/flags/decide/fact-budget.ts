import type { FlagErrorCode } from "../../../flag-engine/index.js"
import type { Clock } from "../../../kernel/clock.js"

/** What a read came to within its time, or why there is nothing. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: FlagErrorCode }

/**
 * Waits for a read at most so long. What comes later is dropped. When the process itself was busy past the deadline, an
 * answer that has already arrived still counts.
 */
export function withinBudget<T>(read: Promise<T>, budgetMs: number): Promise<Outcome<T>> {
  return new Promise((resolve) => {
    const giveUp = (): void => resolve({ ok: false, error: "timeout_error" })
    const timer = setTimeout(() => setImmediate(giveUp), budgetMs)
    read.then(
      (value) => {
        clearTimeout(timer)
        resolve({ ok: true, value })
      },
      () => {
        clearTimeout(timer)
        resolve({ ok: false, error: "database_unavailable" })
      },
    )
  })
}

/** Reads facts with a budget, and stops asking for a while when answers keep failing. */
export interface FactReader {
  read<T>(ask: () => Promise<T>): Promise<Outcome<T>>
}

const FAILURES_BEFORE_PAUSE = 3
const PAUSE_MS = 1_000

/**
 * Makes a reader with a budget per read. After three failures in a row no read is started for a second: a hung database must
 * neither slow every decision down by the whole budget nor pile up reads.
 */
export function createFactReader(clock: Clock, budgetMs: number): FactReader {
  let failures = 0
  let pausedUntilMs = 0
  return {
    read: async (ask) => {
      if (clock.now() < pausedUntilMs) return { ok: false, error: "database_unavailable" }
      const outcome = await withinBudget(ask(), budgetMs)
      failures = outcome.ok ? 0 : failures + 1
      if (failures >= FAILURES_BEFORE_PAUSE) pausedUntilMs = clock.now() + PAUSE_MS
      return outcome
    },
  }
}
