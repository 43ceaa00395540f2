import type { Clock } from "../../../kernel/clock.js"
import { type Outcome, withinBudget } from "../within-budget.js"

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
