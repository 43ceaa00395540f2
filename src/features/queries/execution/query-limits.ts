import type { ConcurrencyLimits } from "../../../platform/limits/fair-concurrency-limiter.js"

const WAIT_MS = 30_000

/**
 * Limits of blocking queries, of which one project may take the greater part but not all while others could come: three
 * quarters of what runs and a fifth of what waits (`docs/contract/queries.md#limits-of-queries`: three at once, and
 * half a minute of waiting).
 */
export const toBlockingLimits = (atOnce: number, waiting: number): ConcurrencyLimits => ({
  what: "queries",
  running: atOnce,
  runningPerProject: Math.ceil(atOnce * 0.75),
  waiting,
  waitingPerProject: Math.ceil(waiting * 0.2),
  waitMs: WAIT_MS,
})

/** Exports last as long as their readers take. */
export const EXPORT_LIMITS: ConcurrencyLimits = {
  what: "exports",
  running: 4,
  runningPerProject: 2,
  waiting: 100,
  waitingPerProject: 20,
  waitMs: WAIT_MS,
}
