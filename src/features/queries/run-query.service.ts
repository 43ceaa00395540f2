import type { Clock } from "../../kernel/clock.js"
import { assertNever } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"
import { answerBody } from "./answers/query-answers.js"
import { outcomeBody, type QueryOutcome } from "./answers/query-outcome.js"
import { decideRefresh, isForced, type RefreshDecision } from "./cache/refresh-decision.js"
import { type QueryExecution, resolveQuery } from "./execution/query-execution.js"
import type { QueryExecutor, StartedQuery } from "./execution/query-executor.js"
import { findKind } from "./kinds/find-kind.js"
import type { QueryAnswer, QueryKind, QueryRequest, QueryResultCache, QuerySettingsReader } from "./queries.types.js"
import type { QueryRun } from "./runs/query-run.js"
import type { QueryRunExecutor } from "./runs/query-run-executor.js"
import type { QueryRunTracker } from "./runs/query-run-tracker.js"
import { findEqualRun, queueRun } from "./runs/queue-run.js"
import { watchRunEnd } from "./runs/run-end.js"

export interface RunQueryDependencies {
  readonly kinds: readonly QueryKind[]
  readonly tracker: QueryRunTracker
  readonly runExecutor: QueryRunExecutor
  readonly queryExecutor: QueryExecutor
  readonly cache: QueryResultCache
  readonly projects: QuerySettingsReader
  readonly clock: Clock
  readonly newId: () => string
}

/**
 * Answers queries in these steps, each of which takes the same `QueryExecution`: resolve → decide from the cache → coalesce →
 * admit → execute → store → publish. `QueryExecutor` does coalesce to store; publishing progress and outcome is for queries that
 * are tracked by a run, and done by the run's executor. `stopping` ends all waiting.
 */
export function createRunQuery(dependencies: RunQueryDependencies, stopping: AbortSignal) {
  const { kinds, tracker, runExecutor, queryExecutor, cache, projects, clock, newId } = dependencies

  async function resolve(projectId: ProjectId, request: QueryRequest): Promise<QueryExecution> {
    findKind(kinds, request.query)
    return {
      ...(await resolveQuery(projects, projectId, request.query)),
      projectId,
      request,
      id: request.clientQueryId ?? newId(),
      engineQueryId: newId(),
      isBackground: false,
    }
  }

  async function decide(execution: QueryExecution): Promise<RefreshDecision> {
    const cached = isForced(execution.request) ? null : await cache.find(execution.cacheKey)
    return decideRefresh({ mode: execution.request.refresh, ...execution, cached, nowMs: clock.now() })
  }

  function start(execution: QueryExecution, signal: AbortSignal): StartedQuery<QueryAnswer> {
    const { findEngineQueryId, result } = queryExecutor.start(execution, signal)
    return {
      findEngineQueryId,
      result: result.then((fresh) => answerBody(fresh, execution, { isCached: false, isStale: false })),
    }
  }

  /** A blocking query under the caller's own id can be followed and cancelled like any other. */
  async function executeTracked(execution: QueryExecution): Promise<JsonObject> {
    const run = await tracker.start(execution)
    if (run === null) return awaitRun(await findEqualRun(tracker, execution), execution)
    const executing = await runExecutor.begin(run, stopping)
    return executing.finish(start(execution, executing.signal))
  }

  /** The answer of a run that is executed elsewhere; equal work is joined here, or waited for. */
  async function awaitRun(run: QueryRun, execution: QueryExecution): Promise<JsonObject> {
    const end = await watchRunEnd(tracker, run)
    try {
      return await start(execution, end.signal).result
    } finally {
      await end.stopWatching()
    }
  }

  /** Takes the result of an equal run that was stored while this one was queued, or starts the work. */
  async function startClaimed(run: QueryRun, signal: AbortSignal): Promise<StartedQuery<QueryAnswer>> {
    const resolved = await resolveQuery(projects, run.projectId, run.request.query)
    // The key of now: the one of when it was queued may name answers that have been given up.
    const execution: QueryExecution = { ...run, ...resolved, isBackground: true }
    const cached = await cache.find(execution.cacheKey)
    if (cached === null || cached.calculatedAtMs < run.queuedAt.getTime()) return start(execution, signal)
    const body = answerBody(cached, execution, { isCached: true, isStale: false })
    return { findEngineQueryId: async () => null, result: Promise.resolve(body) }
  }

  /**
   * Answers a query by its refresh mode.
   * @throws AppError of the query itself (blocking modes); background failures show in the run's state instead.
   */
  async function answer(projectId: ProjectId, request: QueryRequest): Promise<QueryOutcome> {
    const execution = await resolve(projectId, request)
    const decision = await decide(execution)
    switch (decision.do) {
      case "serve": {
        const body = answerBody(decision.cached, execution, { isCached: true, isStale: decision.isStale })
        // Otherwise a client that asks for the status of its id would get 404.
        if (request.clientQueryId !== null && request.refresh !== "force_cache") await tracker.record(execution, body)
        return { is: "answered", body }
      }
      case "calculate": {
        const isTracked = request.clientQueryId !== null
        const body = isTracked ? await executeTracked(execution) : await start(execution, stopping).result
        return { is: "answered", body }
      }
      case "start": {
        const run = await queueRun(tracker, execution)
        const stale = decision.stale && answerBody(decision.stale, execution, { isCached: true, isStale: true })
        return { is: "started", run, stale }
      }
      case "report-miss":
        return { is: "missed", cacheKey: execution.cacheKey }
      default:
        return assertNever(decision)
    }
  }

  return {
    answer,

    /** As `answer`; the result is the body of `POST …/query`. */
    run: async (projectId: ProjectId, request: QueryRequest): Promise<JsonObject> =>
      outcomeBody(await answer(projectId, request)),

    /** Executes a background run that a worker has claimed. `signal` gives it up. */
    async executeClaimed(run: QueryRun, signal: AbortSignal): Promise<JsonObject> {
      const executing = await runExecutor.begin(run, signal)
      return executing.finish(startClaimed(run, executing.signal))
    },
  }
}
