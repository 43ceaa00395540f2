import type { QueryRun } from "./query-run.js"
import type { QueryRunTracker } from "./query-run-tracker.js"

/** How long a status request may be held until something changes. */
export interface StatusWait {
  readonly waitMs: number
  /** Whether progress counts as a change, or only another state. */
  readonly wakesOnProgress: boolean
}

/** Less than what proxies and clients usually give an answer before they hang up. */
const MAX_WAIT_SECONDS = 30

/** Seconds that a status request is to be held; null when it is not. */
export function toStatusWait(waitSeconds: number, wakesOnProgress: boolean): StatusWait | null {
  if (!(waitSeconds > 0)) return null
  return { waitMs: Math.min(waitSeconds, MAX_WAIT_SECONDS) * 1000, wakesOnProgress }
}

/**
 * Resolves with a run's next state, or with its newest one once the time is over; at once when it has changed already.
 * @param stopping ends the wait
 */
export async function waitForChange(
  tracker: QueryRunTracker,
  run: QueryRun,
  { waitMs, wakesOnProgress }: StatusWait,
  stopping: AbortSignal,
): Promise<QueryRun> {
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  let newest = run
  const timer = setTimeout(end, waitMs)
  const onAbort = (): void => end()
  stopping.addEventListener("abort", onAbort, { once: true })
  const { leave } = await tracker.follow(run, (now) => {
    newest = now ?? newest
    if (now === null || now.state !== run.state || (wakesOnProgress && now.sequence > run.sequence)) end()
  })
  try {
    if (stopping.aborted) end()
    await over
    return newest
  } finally {
    clearTimeout(timer)
    stopping.removeEventListener("abort", onAbort)
    await leave()
  }
}
