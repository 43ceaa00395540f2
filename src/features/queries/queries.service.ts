import type { Clock } from "../../kernel/clock.js"
import { AppError, assertNever } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"
import { cacheKeyOf } from "./cache-key.js"
import type {
  CachedAnswer,
  EngineControl,
  ProjectSettingsReader,
  QueryKind,
  QueryObject,
  QueryRequest,
  QueryResultCache,
  RunScope,
} from "./queries.types.js"
import { cacheMissBody, freshBody, statusBody } from "./query-answers.js"
import { isFinal, type QueryRun } from "./query-run.js"
import { decideRefresh } from "./refresh-decision.js"
import type { RunBoard } from "./run-board.js"

/** Time limits of the contract's two ways to run (`reference/management.md` 7.7). */
const BLOCKING_SECONDS = 60
const BACKGROUND_SECONDS = 600

export interface QueriesDependencies {
  readonly kinds: readonly QueryKind[]
  readonly board: RunBoard
  readonly cache: QueryResultCache
  readonly projects: ProjectSettingsReader
  readonly engine: EngineControl
  readonly clock: Clock
  readonly newId: () => string
}

export type QueriesService = ReturnType<typeof createQueriesService>

/** Use cases of queries: run by refresh mode, follow, cancel. */
export function createQueriesService(dependencies: QueriesDependencies) {
  const { board, cache, projects, engine, clock, newId } = dependencies
  const kinds = new Map(dependencies.kinds.map((kind) => [kind.kind, kind]))
  const underWay = new Map<string, Promise<CachedAnswer>>()

  function kindOf(query: QueryObject): QueryKind {
    const kind = kinds.get(query.kind)
    if (kind !== undefined) return kind
    throw new AppError("invalid_input", { attr: "query__kind", detail: `Unsupported query kind: ${query.kind}` })
  }

  async function calculate(
    projectId: ProjectId,
    query: QueryObject,
    cacheKey: string,
    limits: Pick<RunScope, "engineQueryId" | "maxExecutionSeconds" | "signal">,
  ): Promise<CachedAnswer> {
    const settings = await projects.settings(projectId)
    const nowMs = clock.now()
    const answer = await kindOf(query).run(query, { projectId, nowMs, ...settings, ...limits })
    const result = { answer, calculatedAtMs: clock.now() }
    await cache.keep(cacheKey, result)
    return result
  }

  /** Equal queries that arrive while one is calculated share its work. */
  function calculateOnce(projectId: ProjectId, query: QueryObject, cacheKey: string): Promise<CachedAnswer> {
    const known = underWay.get(cacheKey)
    if (known !== undefined) return known
    const limits = {
      engineQueryId: newId(),
      maxExecutionSeconds: BLOCKING_SECONDS,
      signal: AbortSignal.timeout((BLOCKING_SECONDS + 5) * 1000),
    }
    const work = calculate(projectId, query, cacheKey, limits).finally(() => underWay.delete(cacheKey))
    underWay.set(cacheKey, work)
    return work
  }

  async function start(projectId: ProjectId, request: QueryRequest, cacheKey: string): Promise<QueryRun> {
    const id = request.clientQueryId ?? newId()
    const queued = await board.queue({ projectId, id, request, cacheKey, engineQueryId: newId() })
    const run = queued ?? (await board.find(projectId, id))
    if (run === null) throw new AppError("conflict", { detail: `Query ${id} ended while it was joined. Please retry.` })
    return run
  }

  return {
    /**
     * Answers a query by its refresh mode. The result is the body of `POST …/query`.
     * @throws AppError of the query itself (blocking modes); background failures show in the run's state instead.
     */
    async run(projectId: ProjectId, request: QueryRequest): Promise<JsonObject> {
      kindOf(request.query)
      const settings = await projects.settings(projectId)
      const cacheKey = cacheKeyOf(projectId, request.query, settings)
      const cached =
        request.refresh.startsWith("force_") && request.refresh !== "force_cache" ? null : await cache.find(cacheKey)
      const decision = decideRefresh(request.refresh, request.query, cached, clock.now())
      const shown = { cacheKey, timezone: settings.timezone, query: request.query }
      switch (decision.do) {
        case "serve":
          return freshBody(decision.cached, true, shown)
        case "calculate":
          return freshBody(await calculateOnce(projectId, request.query, cacheKey), false, shown)
        case "start": {
          const run = await start(projectId, request, cacheKey)
          return {
            ...(decision.stale && freshBody(decision.stale, true, shown)),
            cache_key: cacheKey,
            query_status: statusBody(run),
          }
        }
        case "report-miss":
          return cacheMissBody(cacheKey)
        default:
          return assertNever(decision)
      }
    },

    /** Calculates a background run; called by the worker that claimed it. */
    async calculateRun(run: QueryRun, signal: AbortSignal) {
      const limits = { engineQueryId: run.engineQueryId, maxExecutionSeconds: BACKGROUND_SECONDS, signal }
      const result = await calculate(run.projectId, run.request.query, run.cacheKey, limits)
      const settings = await projects.settings(run.projectId)
      return freshBody(result, false, { cacheKey: run.cacheKey, timezone: settings.timezone, query: run.request.query })
    },

    /** @throws AppError not_found for an unknown, expired or foreign id. */
    async status(projectId: ProjectId, id: string): Promise<QueryRun> {
      const run = await board.find(projectId, id)
      if (run === null) throw unknownRun(projectId, id)
      return run
    },

    /** The present state first, each later one, and last the final one. @throws AppError not_found. */
    async watch(projectId: ProjectId, id: string): Promise<AsyncIterableIterator<QueryRun>> {
      if ((await board.find(projectId, id)) === null) throw unknownRun(projectId, id)
      return board.watch(projectId, id)
    },

    /**
     * Stops a run and the engine's work for it. The status of a finished run is dropped instead: in both cases REST knows
     * the id no more (`reference/management.md` 7.4). @throws AppError not_found.
     */
    async cancel(projectId: ProjectId, id: string): Promise<QueryRun> {
      const run = await board.find(projectId, id)
      if (run === null) throw unknownRun(projectId, id)
      if (isFinal(run.state)) {
        await board.forget(run)
        return run
      }
      const cancelled = await board.move(run, "cancelled", { errorMessage: "The query was cancelled." })
      await engine.kill(run.engineQueryId)
      return cancelled ?? (await board.find(projectId, id)) ?? run
    },
  }
}

const unknownRun = (projectId: ProjectId, id: string): AppError =>
  new AppError("not_found", { detail: `Query ${id} not found for team ${projectId}` })
