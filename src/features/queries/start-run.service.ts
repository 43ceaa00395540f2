import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { QueryOutcome } from "./answers/query-outcome.js"
import type { QueryObject, QueryRequest } from "./queries.types.js"
import type { QueryRun } from "./runs/query-run.js"
import type { QueryRunTracker } from "./runs/query-run-tracker.js"

export interface StartRunDependencies {
  readonly answer: (projectId: ProjectId, request: QueryRequest) => Promise<QueryOutcome>
  readonly tracker: Pick<QueryRunTracker, "find">
  readonly newId: () => string
}

/** A query to be run in the background. */
export interface RunToStart {
  readonly query: QueryObject
  /** The caller's own id; made up when null. */
  readonly clientQueryId: string | null
  /** Whether a fresh answer that is kept will do: the run is complete at once. */
  readonly takesKept: boolean
}

/** Starts a background run, or gives the one under way that has its id. @throws AppError as `queueRun`. */
export function createStartRun({ answer, tracker, newId }: StartRunDependencies) {
  return async (projectId: ProjectId, { query, clientQueryId, takesKept }: RunToStart): Promise<QueryRun> => {
    const id = clientQueryId ?? newId()
    const refresh = takesKept ? "async" : "force_async"
    const outcome = await answer(projectId, { query, clientQueryId: id, refresh })
    if (outcome.is === "started") return outcome.run
    const run = await tracker.find(projectId, id)
    if (run !== null) return run
    throw new AppError("conflict", { detail: `Query ${id} ended while it was started. Please retry.` })
  }
}
