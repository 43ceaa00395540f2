import type { ProjectId } from "../../kernel/ids.js"
import { type Stream, streamUntilLeft } from "../../kernel/stream-until-left.js"
import type { QueryOutcome } from "./answers/query-outcome.js"
import type { QueryRequest, RefreshMode } from "./queries.types.js"
import type { QueryRun } from "./runs/query-run.js"
import type { QueryRunTracker } from "./runs/query-run-tracker.js"

/** What a query comes to, step by step: its last item is the answer, a run that ended without one, or a miss. */
export type Outcomes = AsyncIterableIterator<QueryOutcome>

export interface RunAndFollowDependencies {
  readonly answer: (projectId: ProjectId, request: QueryRequest) => Promise<QueryOutcome>
  readonly tracker: Pick<QueryRunTracker, "watch">
}

/** Whoever follows a query waits for no answer, so what would be calculated at once is calculated by a run. */
const FOLLOWED: Readonly<Record<RefreshMode, RefreshMode>> = {
  blocking: "async",
  async: "async",
  lazy_async: "lazy_async",
  force_blocking: "force_async",
  force_async: "force_async",
  force_cache: "force_cache",
}

/**
 * Runs a query and follows it: a stale answer first where the mode allows one, then each state of the run, last the
 * answer. A reader that is slower than the changes gets the newest.
 */
export function createRunAndFollow({ answer, tracker }: RunAndFollowDependencies) {
  return async (projectId: ProjectId, request: QueryRequest): Promise<Outcomes> => {
    const outcome = await answer(projectId, { ...request, refresh: FOLLOWED[request.refresh] })
    if (outcome.is !== "started") return toSingle(outcome)
    const showsStale = request.refresh !== "blocking" && outcome.stale !== null
    const runs = await tracker.watch([{ projectId, id: outcome.run.id }])
    return streamUntilLeft(toOutcomes(showsStale ? outcome : null, runs), () => runs.return())
  }
}

async function* toSingle(outcome: QueryOutcome): AsyncGenerator<QueryOutcome> {
  yield outcome
}

async function* toOutcomes(stale: QueryOutcome | null, runs: Stream<QueryRun>): AsyncGenerator<QueryOutcome> {
  if (stale !== null) yield stale
  for await (const run of runs) yield toOutcome(run)
}

const toOutcome = (run: QueryRun): QueryOutcome =>
  run.answer === null ? { is: "started", run, stale: null } : { is: "answered", body: run.answer }
