import type { FlagErrorCode } from "../results/flag-result.types.js"

/** What comparing may take in one decision; see `WORK_PER_DECISION`. */
export interface WorkBudget {
  workLeft: number
  /** Why the present flag cannot be evaluated. */
  fault: FlagErrorCode | null
}

/**
 * Steps of one decision, of at most 0.1 µs each: instructions of a pattern times characters of the text
 * (`docs/contract/flags.md#regular-expressions`).
 */
export const WORK_PER_DECISION = 2_000_000

/** False, with the fault of the flag set, once the decision has no work left: the answer then means nothing. */
export function spendWork(budget: WorkBudget, steps: number): boolean {
  budget.workLeft -= steps
  if (budget.workLeft >= 0) return true
  budget.fault ??= "timeout_error"
  return false
}
