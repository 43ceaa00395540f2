import { AppError } from "../../kernel/errors.js"
import { createFollowRuns, type FollowRuns } from "./follow-runs.service.js"
import { createRunQuery, type RunQuery, type RunQueryDependencies } from "./run-query.service.js"

/** Use cases of queries: run by refresh mode, follow, cancel. */
export interface QueriesService extends RunQuery, FollowRuns {
  /** Gives up what this process calculates for callers, and ends their waiting. */
  stop(): void
}

/** Joins the use cases of queries, which stop together. */
export function createQueriesService(dependencies: RunQueryDependencies): QueriesService {
  const stopping = new AbortController()
  return {
    ...createRunQuery(dependencies, stopping.signal),
    ...createFollowRuns(dependencies, stopping.signal),
    stop: () =>
      stopping.abort(new AppError("query_cancelled", { detail: "The query was interrupted: the server stopped." })),
  }
}
