import type { Clock } from "../../kernel/clock.js"
import { assertNever } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"
import { answerBody, cacheMissBody, statusBody } from "./answers/query-answers.js"
import { decideRefresh } from "./cache/refresh-decision.js"
import type { Calculations } from "./execution/calculations.js"
import { type ShownQuery, showQuery } from "./execution/shown-query.js"
import type { CachedAnswer, ProjectSettingsReader, QueryRequest, QueryResultCache } from "./queries.types.js"
import { draftRun, isForced, joinRun, queueRun } from "./runs/make-run.js"
import type { QueryRun } from "./runs/query-run.js"
import type { RunBoard, RunDraft } from "./runs/run-board.js"
import type { BegunWork, RunPerformer } from "./runs/run-performer.js"

export interface RunQueryDependencies {
  readonly board: RunBoard
  readonly performer: RunPerformer
  readonly calculations: Calculations
  readonly cache: QueryResultCache
  readonly projects: ProjectSettingsReader
  readonly clock: Clock
  readonly newId: () => string
}

/** Use cases that answer a query. */
export interface RunQuery {
  /**
   * Answers a query by its refresh mode. The result is the body of `POST …/query`.
   * @throws AppError of the query itself (blocking modes); background failures show in the run's state instead.
   */
  run(projectId: ProjectId, request: QueryRequest): Promise<JsonObject>
  /** Performs a background run that a worker has claimed. */
  performClaimed(run: QueryRun, signal: AbortSignal): Promise<JsonObject>
}

/** Answers queries over the given ports. `stopping` gives up what callers wait for. */
export function createRunQuery(dependencies: RunQueryDependencies, stopping: AbortSignal): RunQuery {
  const { board, performer, calculations, cache, projects, clock, newId } = dependencies

  function begin(draft: RunDraft, shown: ShownQuery, isBackground: boolean, signal: AbortSignal): BegunWork {
    const { projectId, request, cacheKey, engineQueryId } = draft
    const asked = { projectId, query: shown.query, cacheKey, engineQueryId, isBackground, signal }
    const isFreshEnough = (cached: CachedAnswer): boolean =>
      decideRefresh({ mode: request.refresh, ...shown, cached, nowMs: clock.now() }).do === "serve"
    const { runsUnder, result } = calculations.begin({ ...asked, mayJoin: !isForced(request), isFreshEnough })
    return {
      runsUnder,
      answer: result.then((fresh) => answerBody(fresh, { ...shown, isCached: false, isStale: false })),
    }
  }

  /** A blocking query under the caller's own id can be followed and cancelled like any other. */
  async function calculateNow(draft: RunDraft, shown: ShownQuery): Promise<JsonObject> {
    const beginNow = (signal: AbortSignal): BegunWork => begin(draft, shown, false, signal)
    if (draft.request.clientQueryId === null) return beginNow(stopping).answer
    // That there is anything to calculate means that an earlier answer is too old.
    const run = await board.begin({ ...draft, replacesComplete: true })
    if (run !== null) return performer.perform(run, stopping, beginNow)
    return performer.accompany(await joinRun(board, draft), beginNow)
  }

  return {
    async run(projectId, request) {
      calculations.kindOf(request.query)
      const shown = await showQuery(projects, projectId, request.query)
      const { cacheKey } = shown
      const cached = isForced(request) ? null : await cache.find(cacheKey)
      const decision = decideRefresh({ mode: request.refresh, ...shown, cached, nowMs: clock.now() })
      const draft = (): RunDraft => draftRun(projectId, request, cacheKey, newId)
      switch (decision.do) {
        case "serve": {
          const body = answerBody(decision.cached, { ...shown, isCached: true, isStale: decision.isStale })
          // A client that asks for the status of its id would else be told 404.
          if (request.clientQueryId !== null && request.refresh !== "force_cache") await board.record(draft(), body)
          return body
        }
        case "calculate":
          return calculateNow(draft(), shown)
        case "start": {
          const run = await queueRun(board, draft())
          const stale = decision.stale && answerBody(decision.stale, { ...shown, isCached: true, isStale: true })
          return { ...stale, cache_key: cacheKey, query_status: statusBody(run) }
        }
        case "report-miss":
          return cacheMissBody(cacheKey)
        default:
          return assertNever(decision)
      }
    },

    async performClaimed(run, signal) {
      const shown = await showQuery(projects, run.projectId, run.request.query)
      return performer.perform(run, signal, async (ending) => {
        // An equal run may have ended while this one was waiting.
        const cached = await cache.find(run.cacheKey)
        if (cached === null || cached.calculatedAtMs < run.queuedAt.getTime())
          return begin({ ...run, replacesComplete: false }, shown, true, ending)
        const body = answerBody(cached, { ...shown, isCached: true, isStale: false })
        return { runsUnder: async () => null, answer: Promise.resolve(body) }
      })
    },
  }
}
