import { AppError } from "../../../kernel/errors.js"
import type { QueryExecution } from "../execution/query-execution.js"
import type { QueryRun } from "./query-run.js"
import type { QueryRunTracker } from "./query-run-tracker.js"

/** Most background queries of one project that may wait. */
const MAX_QUEUED_PER_PROJECT = 2_000
const RETRY_AFTER_SECONDS = 30

/**
 * Queues a run for a background worker, or answers the one that has its id already.
 * @throws AppError rate_limited when too many of the project wait; conflict as `findEqualRun`.
 */
export async function queueRun(tracker: QueryRunTracker, execution: QueryExecution): Promise<QueryRun> {
  if ((await tracker.countQueued(execution.projectId)) >= MAX_QUEUED_PER_PROJECT)
    throw new AppError("rate_limited", {
      detail: `Too many queries of this project wait: at most ${MAX_QUEUED_PER_PROJECT}. Please retry later.`,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  return (await tracker.queue(execution)) ?? findEqualRun(tracker, execution)
}

/**
 * The run that has the id of an execution already.
 * @throws AppError conflict when it has just ended, or is of another query: that one must not answer for this.
 */
export async function findEqualRun(
  tracker: QueryRunTracker,
  { projectId, id, cacheKey }: QueryExecution,
): Promise<QueryRun> {
  const run = await tracker.find(projectId, id)
  if (run === null) throw new AppError("conflict", { detail: `Query ${id} ended while it was joined. Please retry.` })
  if (run.cacheKey === cacheKey) return run
  const detail = `Another query runs under client_query_id ${id}. Use another id, or cancel that one first.`
  throw new AppError("conflict", { attr: "client_query_id", detail })
}
