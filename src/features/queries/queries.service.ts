import { AppError } from "../../kernel/errors.js"
import type { CheckQuery } from "./check-query.service.js"
import { createFollowRuns } from "./follow-runs.service.js"
import { createRunAndFollow } from "./run-and-follow.service.js"
import { createRunQuery, type RunQueryDependencies } from "./run-query.service.js"
import { createStartRun } from "./start-run.service.js"
import { createWatchInsights, type WatchInsightsDependencies } from "./watch-insights.service.js"

export type QueriesService = ReturnType<typeof createQueriesService>

interface QueriesDependencies extends RunQueryDependencies, WatchInsightsDependencies {
  readonly check: CheckQuery
}

/** Use cases of queries, which stop together: run by refresh mode, follow, cancel. */
export function createQueriesService(dependencies: QueriesDependencies) {
  const stopping = new AbortController()
  /** Gives up what this process calculates for callers, and ends their waiting. */
  const stop = (): void =>
    stopping.abort(new AppError("query_cancelled", { detail: "The query was interrupted: the server stopped." }))
  const { answer, run, executeClaimed } = createRunQuery(dependencies, stopping.signal)
  const { status, statuses, watch, cancel } = createFollowRuns(dependencies, stopping.signal)
  const start = createStartRun({ ...dependencies, answer })
  const runAndFollow = createRunAndFollow({ ...dependencies, answer })
  const watchInsights = createWatchInsights(dependencies)
  return {
    answer,
    check: dependencies.check,
    watchInsights,
    run,
    start,
    runAndFollow,
    executeClaimed,
    status,
    statuses,
    watch,
    cancel,
    stop,
  }
}
