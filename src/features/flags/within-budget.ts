import type { FlagErrorCode } from "../../flag-engine/index.js"

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
