import { AppError } from "../../../kernel/errors.js"
import { isFinal, type QueryRun } from "./query-run.js"
import type { QueryRunTracker } from "./query-run-tracker.js"

/**
 * Watches for the end of a run, whoever brings it about: the signal aborts once it has ended without an answer, and its reason
 * says so in the sentence of the run.
 */
export async function watchRunEnd(tracker: QueryRunTracker, run: QueryRun) {
  const controller = new AbortController()
  const { leave: stopWatching } = await tracker.follow(run, (now) => {
    const isEnded = now === null || isFinal(now.state) || now.engineQueryId !== run.engineQueryId
    if (isEnded && now?.state !== "complete") controller.abort(toEndedFault(now))
  })
  return { signal: controller.signal, abort: (reason: AppError) => controller.abort(reason), stopWatching }
}

/** The fault of whoever waits for a run that has been ended; null stands for one that is no longer known. */
export const toEndedFault = (run: QueryRun | null): AppError =>
  new AppError("query_cancelled", run?.errorMessage ? { detail: run.errorMessage } : {})
