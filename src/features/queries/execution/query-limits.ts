import type { ConcurrencyLimits } from "../../../platform/limits/fair-concurrency-limiter.js"

const WAIT_MS = 30_000
/** What the engine does not stop in this time ends the engine. */
export const MAX_STOPPING_MS = 60_000

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

/**
 * Limits of the background worker of a process. It claims no more than there are places for, so what waits here waits for a
 * query that was given up and that the engine has not stopped yet.
 */
export const toBackgroundLimits = (atOnce: number): ConcurrencyLimits => ({
  what: "background queries",
  running: atOnce,
  runningPerProject: Math.max(1, atOnce - 1),
  waiting: atOnce,
  waitingPerProject: atOnce,
  waitMs: 2 * MAX_STOPPING_MS,
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
