import type { QueryRun } from "./query-run.js"
import type { RunBoard } from "./run-board.js"

/** How long to wait, and for what. */
export interface ChangeWait {
  readonly waitMs: number
  /** Whether progress counts as a change, or only another state. */
  readonly wakesOnProgress: boolean
  /** Aborting ends the wait. */
  readonly signal: AbortSignal
}

/** Resolves with a run's next state, or with its newest one once the time is over; at once when it has changed already. */
export async function waitForChange(board: RunBoard, run: QueryRun, wait: ChangeWait): Promise<QueryRun> {
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  let newest = run
  const timer = setTimeout(end, wait.waitMs)
  const onAbort = (): void => end()
  wait.signal.addEventListener("abort", onAbort, { once: true })
  const leave = await board.follow(run, (now) => {
    newest = now ?? newest
    if (now === null || now.state !== run.state || (wait.wakesOnProgress && now.sequence > run.sequence)) end()
  })
  try {
    if (wait.signal.aborted) end()
    await over
    return newest
  } finally {
    clearTimeout(timer)
    wait.signal.removeEventListener("abort", onAbort)
    await leave()
  }
}
