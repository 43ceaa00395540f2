import { AppError } from "../../../kernel/errors.js"
import { isFinal, type QueryRun } from "./query-run.js"
import type { QueryRunTracker } from "./query-run-tracker.js"

/** Aborts once a run has ended without an answer. */
export interface RunEnd {
  readonly signal: AbortSignal
  readonly abort: (reason: AppError) => void
  readonly stopWatching: () => Promise<void>
}

/** Watches for the end of a run, whoever brings it about; the signal's reason says so in the sentence of the run. */
export async function watchRunEnd(tracker: QueryRunTracker, run: QueryRun): Promise<RunEnd> {
  const controller = new AbortController()
  const stopWatching = await tracker.follow(run, (now) => {
    const isEnded = now === null || isFinal(now.state) || now.engineQueryId !== run.engineQueryId
    if (isEnded && now?.state !== "complete") controller.abort(toEndedFault(now))
  })
  return { signal: controller.signal, abort: (reason) => controller.abort(reason), stopWatching }
}

/** The fault of whoever waits for a run that has been ended; null stands for one that is no longer known. */
export const toEndedFault = (run: QueryRun | null): AppError =>
  new AppError("query_cancelled", run?.errorMessage ? { detail: run.errorMessage } : {})
