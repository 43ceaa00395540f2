import type { Clock } from "../../kernel/clock.js"
import { AppError, assertNever } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"
import { cacheKeyOf } from "./answers/cache-key.js"
import type { Calculations } from "./answers/calculations.js"
import { type AnswerFrame, answerBody, cacheMissBody, statusBody } from "./answers/query-answers.js"
import { decideRefresh } from "./answers/refresh-decision.js"
import type { CachedAnswer, ProjectSettingsReader, QueryRequest, QueryResultCache } from "./queries.types.js"
import { rangeEndOf } from "./request/range-end.js"
import { isFinal, type QueryRun } from "./runs/query-run.js"
import type { RunBoard, RunDraft } from "./runs/run-board.js"
import type { BegunWork, RunPerformer } from "./runs/run-performer.js"
import { waitForChange } from "./runs/wait-for-change.js"

/** More background queries of one project than this do not wait in line. */
const MAX_QUEUED_PER_PROJECT = 2_000
const RETRY_AFTER_SECONDS = 30

export interface QueriesDependencies {
  readonly board: RunBoard
  readonly performer: RunPerformer
  readonly calculations: Calculations
  readonly cache: QueryResultCache
  readonly projects: ProjectSettingsReader
  readonly clock: Clock
  readonly newId: () => string
}

export type QueriesService = ReturnType<typeof createQueriesService>

type Shown = Omit<AnswerFrame, "isCached" | "isStale">

/** How long a status request may be held until something changes. */
export interface StatusWait {
  readonly waitMs: number
  /** Whether progress counts as a change, or only another state. */
  readonly wakesOnProgress: boolean
}

/** Use cases of queries: run by refresh mode, follow, cancel. */
export function createQueriesService(dependencies: QueriesDependencies) {
  const { board, performer, calculations, cache, projects, clock, newId } = dependencies
  const stopping = new AbortController()

  async function frameOf(projectId: ProjectId, { query }: QueryRequest): Promise<Shown> {
    const settings = await projects.settings(projectId)
    const { timezone } = settings
    const cacheKey = cacheKeyOf(projectId, query, settings)
    return { cacheKey, timezone, query, rangeEndMs: rangeEndOf(query, timezone) }
  }

  const draftOf = (projectId: ProjectId, request: QueryRequest, cacheKey: string): RunDraft => ({
    ...{ projectId, request, cacheKey, engineQueryId: newId() },
    id: request.clientQueryId ?? newId(),
    replacesComplete: isForced(request),
  })

  function begin(draft: RunDraft, isBackground: boolean, shown: Shown, signal: AbortSignal): BegunWork {
    const { projectId, request, cacheKey, engineQueryId } = draft
    const asked = { projectId, query: shown.query, cacheKey, engineQueryId, isBackground, signal }
    const isFreshEnough = (cached: CachedAnswer): boolean =>
      decideRefresh({ mode: request.refresh, ...shown, cached, nowMs: clock.now() }).do === "serve"
    const { runsUnder, result } = calculations.begin({ ...asked, mayJoin: !isForced(request), isFreshEnough })
    return { runsUnder, answer: bodyOf(result, shown) }
  }

  /** A blocking query under the caller's own id can be followed and cancelled like any other. */
  async function calculateNow(projectId: ProjectId, request: QueryRequest, shown: Shown): Promise<JsonObject> {
    // That there is anything to calculate means that an earlier answer is too old.
    const draft = { ...draftOf(projectId, request, shown.cacheKey), replacesComplete: true }
    const beginNow = (signal: AbortSignal): BegunWork => begin(draft, false, shown, signal)
    if (request.clientQueryId === null) return beginNow(stopping.signal).answer
    const run = await board.begin(draft)
    if (run !== null) return performer.perform(run, stopping.signal, beginNow)
    return performer.accompany(await joined(draft), beginNow)
  }

  /** The run that has the id already. A run of another query must not answer for this one. */
  async function joined({ projectId, id, cacheKey }: RunDraft): Promise<QueryRun> {
    const run = await board.find(projectId, id)
    if (run === null) throw new AppError("conflict", { detail: `Query ${id} ended while it was joined. Please retry.` })
    if (run.cacheKey === cacheKey) return run
    const detail = `Another query runs under client_query_id ${id}. Use another id, or cancel that one first.`
    throw new AppError("conflict", { attr: "client_query_id", detail })
  }

  async function start(projectId: ProjectId, request: QueryRequest, cacheKey: string): Promise<QueryRun> {
    if ((await board.countQueued(projectId)) >= MAX_QUEUED_PER_PROJECT)
      throw new AppError("rate_limited", {
        detail: `Too many queries of this project wait: at most ${MAX_QUEUED_PER_PROJECT}. Please retry later.`,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    const draft = draftOf(projectId, request, cacheKey)
    return (await board.queue(draft)) ?? joined(draft)
  }

  /** An answer from the cache makes its id known too, or a client that asks for its status would be told 404. */
  async function serve(projectId: ProjectId, request: QueryRequest, body: JsonObject, cacheKey: string) {
    if (request.clientQueryId !== null && request.refresh !== "force_cache")
      await board.record(draftOf(projectId, request, cacheKey), body)
    return body
  }

  /** A run whose status has expired, with its answer when the result cache still has it. */
  async function revive(projectId: ProjectId, id: string): Promise<QueryRun | null> {
    const run = await board.findExpired(projectId, id)
    const cached = run && (await cache.find(run.cacheKey))
    if (!run || !cached) return null
    const shown = await frameOf(projectId, run.request)
    const decided = { mode: "force_cache", ...shown, cached, nowMs: clock.now() } as const
    const decision = decideRefresh(decided)
    const isStale = decision.do === "serve" && decision.isStale
    return { ...run, answer: answerBody(cached, { ...shown, isCached: true, isStale }) }
  }

  async function known(projectId: ProjectId, id: string): Promise<QueryRun> {
    const run = (await board.find(projectId, id)) ?? (await revive(projectId, id))
    if (run === null) throw unknownRun(projectId, id)
    return run
  }

  return {
    /**
     * Answers a query by its refresh mode. The result is the body of `POST …/query`.
     * @throws AppError of the query itself (blocking modes); background failures show in the run's state instead.
     */
    async run(projectId: ProjectId, request: QueryRequest): Promise<JsonObject> {
      calculations.kindOf(request.query)
      const shown = await frameOf(projectId, request)
      const { cacheKey } = shown
      const needsCache = request.refresh === "force_cache" || !isForced(request)
      const cached = needsCache ? await cache.find(cacheKey) : null
      const decision = decideRefresh({ mode: request.refresh, ...shown, cached, nowMs: clock.now() })
      switch (decision.do) {
        case "serve": {
          const body = answerBody(decision.cached, { ...shown, isCached: true, isStale: decision.isStale })
          return serve(projectId, request, body, cacheKey)
        }
        case "calculate":
          return calculateNow(projectId, request, shown)
        case "start": {
          const run = await start(projectId, request, cacheKey)
          const stale = decision.stale && answerBody(decision.stale, { ...shown, isCached: true, isStale: true })
          return { ...stale, cache_key: cacheKey, query_status: statusBody(run) }
        }
        case "report-miss":
          return cacheMissBody(cacheKey)
        default:
          return assertNever(decision)
      }
    },

    /** Performs a background run that a worker has claimed. */
    async performClaimed(run: QueryRun, signal: AbortSignal): Promise<JsonObject> {
      const shown = await frameOf(run.projectId, run.request)
      return performer.perform(run, signal, async (ending) => {
        // An equal run may have ended while this one was waiting.
        const cached = await cache.find(run.cacheKey)
        if (cached === null || cached.calculatedAtMs < run.queuedAt.getTime())
          return begin({ ...run, replacesComplete: false }, true, shown, ending)
        const body = answerBody(cached, { ...shown, isCached: true, isStale: false })
        return { runsUnder: async () => null, answer: Promise.resolve(body) }
      })
    },

    /** @throws AppError not_found for an unknown, expired or foreign id. */
    async status(projectId: ProjectId, id: string, wait: StatusWait | null = null): Promise<QueryRun> {
      const run = await known(projectId, id)
      if (wait === null || isFinal(run.state)) return run
      return waitForChange(board, run, { ...wait, signal: stopping.signal })
    },

    /** The present state first, each later one, and last the final one. @throws AppError not_found. */
    async watch(projectId: ProjectId, id: string): Promise<AsyncIterableIterator<QueryRun>> {
      if ((await board.find(projectId, id)) === null) throw unknownRun(projectId, id)
      return board.watch(projectId, id)
    },

    /**
     * Stops a run: whoever performs it stops the engine's work. The status of a finished run is dropped instead: in both
     * cases REST knows the id no more (`reference/management.md` 7.4). With `isDequeueOnly` a run that has been picked up
     * goes on. @throws AppError not_found.
     */
    async cancel(projectId: ProjectId, id: string, isDequeueOnly = false): Promise<QueryRun> {
      const run = await board.find(projectId, id)
      if (run === null) throw unknownRun(projectId, id)
      if (isFinal(run.state)) {
        await board.forget(run)
        return run
      }
      if (isDequeueOnly && run.state === "running") return run
      const cancelled = await board.move(run, "cancelled", { errorMessage: "The query was cancelled." })
      return cancelled ?? (await board.find(projectId, id)) ?? run
    },

    /** Gives up what this process calculates for callers, and ends their waiting. */
    stop(): void {
      stopping.abort(new AppError("query_cancelled", { detail: "The query was interrupted: the server stopped." }))
    },
  }
}

const isForced = ({ refresh }: QueryRequest): boolean => refresh.startsWith("force_")

const bodyOf = async (result: Promise<CachedAnswer>, shown: Shown): Promise<JsonObject> =>
  answerBody(await result, { ...shown, isCached: false, isStale: false })

const unknownRun = (projectId: ProjectId, id: string): AppError =>
  new AppError("not_found", { detail: `Query ${id} not found for team ${projectId}` })
