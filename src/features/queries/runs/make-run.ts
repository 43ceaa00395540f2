import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { QueryRequest } from "../queries.types.js"
import type { QueryRun } from "./query-run.js"
import type { RunBoard, RunDraft } from "./run-board.js"

/** Most background queries of one project that may wait in line. */
const MAX_QUEUED_PER_PROJECT = 2_000
const RETRY_AFTER_SECONDS = 30

/** Whether a request wants a new calculation, whatever is kept. */
export const isForced = ({ refresh }: QueryRequest): boolean =>
  refresh === "force_blocking" || refresh === "force_async"

/** A run for a request: under the caller's own id when there is one. */
export const draftRun = (
  projectId: ProjectId,
  request: QueryRequest,
  cacheKey: string,
  newId: () => string,
): RunDraft => ({
  ...{ projectId, request, cacheKey },
  engineQueryId: newId(),
  id: request.clientQueryId ?? newId(),
  replacesComplete: isForced(request),
})

/**
 * Queues a run for a background worker, or answers the one that has its id already.
 * @throws AppError rate_limited when too many of the project wait; conflict as `joinRun`.
 */
export async function queueRun(board: RunBoard, draft: RunDraft): Promise<QueryRun> {
  if ((await board.countQueued(draft.projectId)) >= MAX_QUEUED_PER_PROJECT)
    throw new AppError("rate_limited", {
      detail: `Too many queries of this project wait: at most ${MAX_QUEUED_PER_PROJECT}. Please retry later.`,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  return (await board.queue(draft)) ?? joinRun(board, draft)
}

/**
 * The run that has the id of a draft already.
 * @throws AppError conflict when it has just ended, or is of another query: that one must not answer for this.
 */
export async function joinRun(board: RunBoard, { projectId, id, cacheKey }: RunDraft): Promise<QueryRun> {
  const run = await board.find(projectId, id)
  if (run === null) throw new AppError("conflict", { detail: `Query ${id} ended while it was joined. Please retry.` })
  if (run.cacheKey === cacheKey) return run
  const detail = `Another query runs under client_query_id ${id}. Use another id, or cancel that one first.`
  throw new AppError("conflict", { attr: "client_query_id", detail })
}
