import { setTimeout as sleep } from "node:timers/promises"
import type { Clock } from "../../../kernel/clock.js"
import type { FairConcurrencyLimiter } from "../../../platform/limits/fair-concurrency-limiter.js"
import { decideRefresh, isForced } from "../cache/refresh-decision.js"
import { findKind, isLive } from "../kinds/find-kind.js"
import type {
  CachedAnswer,
  EngineControl,
  IngestionWatermark,
  QueryAnswer,
  QueryKind,
  QueryResultCache,
} from "../queries.types.js"
import type { QueryExecution } from "./query-execution.js"
import { MAX_STOPPING_MS } from "./query-limits.js"
import { RequestCoalescer } from "./request-coalescer.js"
import { type SingleFlight, WITHIN_ONE_PROCESS } from "./single-flight.types.js"

/** Time limit of background runs and exports (`docs/contract/queries.md#limits-of-queries`). */
export const BACKGROUND_SECONDS = 600
/** Time for the engine to say that a limit has been reached, on top of the limit. */
const LIMIT_GRACE_SECONDS = 5
/** How often an execution waits for an equal one of another process that then leaves no result. */
const MAX_WAITS = 2
/** How often the engine is asked whether it has stopped. */
const STOPPING_LOOK_MS = 200

export interface QueryExecutorDependencies {
  readonly kinds: readonly QueryKind[]
  readonly cache: QueryResultCache
  readonly watermark: IngestionWatermark
  readonly limiters: { readonly blocking: FairConcurrencyLimiter; readonly background: FairConcurrencyLimiter }
  readonly engine: Pick<EngineControl, "progress">
  readonly singleFlight: SingleFlight
  /** Time limit of blocking queries. */
  readonly blockingSeconds: number
  readonly clock: Clock
}

/** A query whose work has been started. */
export interface StartedQuery<Result> {
  /** The engine's id of the work, also in another process; null while there is none, or it is unknown. */
  readonly findEngineQueryId: () => Promise<string | null>
  /** Rejects with the signal's reason once the caller's own signal aborts. */
  readonly result: Promise<Result>
}

interface Attempt {
  readonly signal: AbortSignal
  readonly maxExecutionSeconds: number
  readonly singleFlight: SingleFlight
}

/**
 * Executes queries that the cache does not answer: coalesce → admit → single flight → execute → store. Equal queries of this
 * process are coalesced before they are admitted, so that they take one slot together; equal queries of other processes are
 * found by the single flight.
 */
export class QueryExecutor {
  readonly #coalescer = new RequestCoalescer<CachedAnswer>()
  /** Engine ids of executions that wait for another process. */
  readonly #waiting = new Set<string>()

  constructor(private readonly dependencies: QueryExecutorDependencies) {}

  /** Starts the work of a query, or joins equal work that is in progress. `signal` gives up this caller's part in it. */
  start(execution: QueryExecution, signal: AbortSignal): StartedQuery<CachedAnswer> {
    const key = toFlightKey(execution)
    const { engineQueryId, result } = this.#coalescer.join({
      key,
      engineQueryId: execution.engineQueryId,
      signal,
      mayJoin: !isForced(execution.request),
      start: (lastLeft) => this.#execute(execution, lastLeft),
    })
    const { singleFlight } = this.dependencies
    const findEngineQueryId = async () =>
      this.#waiting.has(engineQueryId) ? singleFlight.findEngineQueryId(key) : engineQueryId
    return { findEngineQueryId, result }
  }

  /**
   * Executes a query, or waits for another process that is executing the same and takes its result from the cache. If that one
   * leaves no fresh result, because it failed, was cancelled or died, the query is executed here in the remaining time.
   */
  async #execute(execution: QueryExecution, signal: AbortSignal): Promise<CachedAnswer> {
    const { kinds, cache, singleFlight, blockingSeconds, clock } = this.dependencies
    const { engineQueryId, request, isBackground } = execution
    const isShared = !isForced(request) && !isLive(kinds, execution.query)
    const limitSeconds = isBackground ? BACKGROUND_SECONDS : blockingSeconds
    const startedAtMs = performance.now()
    for (let waits = 0; ; waits++) {
      const spentSeconds = waits === 0 ? 0 : Math.floor((performance.now() - startedAtMs) / 1000)
      const result = await this.#attempt(execution, {
        signal,
        maxExecutionSeconds: Math.max(1, limitSeconds - spentSeconds),
        singleFlight: isShared && waits < MAX_WAITS ? singleFlight : WITHIN_ONE_PROCESS,
      })
      if (result !== null) return result
      this.#waiting.add(engineQueryId)
      await singleFlight
        .waitForRelease(toFlightKey(execution), signal)
        .finally(() => this.#waiting.delete(engineQueryId))
      const cached = await cache.find(execution.cacheKey)
      const decision = decideRefresh({ mode: request.refresh, ...execution, cached, nowMs: clock.now() })
      if (decision.do === "serve") return decision.cached
    }
  }

  /**
   * Resolves once the engine has nothing of a query left that was given up: until then it works for its project as much as
   * before. After a minute at most, whatever the engine says.
   */
  async #untilStopped(engineQueryId: string): Promise<void> {
    const { engine } = this.dependencies
    const givenUpAtMs = performance.now()
    while (performance.now() - givenUpAtMs < MAX_STOPPING_MS) {
      // An engine that is too busy to say has not stopped.
      const progress = await engine.progress(engineQueryId).catch(() => undefined)
      if (progress === null) return
      await sleep(STOPPING_LOOK_MS, undefined, { ref: false })
    }
  }

  /** Null when another process is executing the same. */
  async #attempt(execution: QueryExecution, attempt: Attempt): Promise<CachedAnswer | null> {
    const { kinds, cache, watermark, limiters, clock } = this.dependencies
    const { projectId, query, settings, engineQueryId } = execution
    const { signal, maxExecutionSeconds, singleFlight } = attempt
    const key = toFlightKey(execution)
    const kind = findKind(kinds, query)
    const limiter = execution.isBackground ? limiters.background : limiters.blocking
    const releaseSlot = await limiter.acquire(projectId, signal)
    const claim = singleFlight.claim(key)
    let ending: AbortSignal | null = null
    try {
      const limit = AbortSignal.timeout((maxExecutionSeconds + LIMIT_GRACE_SECONDS) * 1000)
      // Read before any event is, because events stored later may be missing from the result; the query is compiled
      // at the same time.
      const mayRead = watermark.dataThroughMs(projectId)
      mayRead.catch(() => undefined)
      const nowMs = clock.now()
      const testAccounts = settings.settings?.test_account_filters
      if ((await claim) === null) return null
      ending = AbortSignal.any([signal, limit])
      const endAnnouncement = singleFlight.announce(key, engineQueryId, maxExecutionSeconds)
      const answer = await kind
        .run(query, {
          projectId,
          nowMs,
          mayRead,
          timezone: settings.timezone,
          weekStartDay: settings.weekStartDay,
          pathCleaning: settings.pathCleaning,
          testAccountFilters: Array.isArray(testAccounts) ? testAccounts : undefined,
          engineQueryId,
          maxExecutionSeconds,
          signal: ending,
        })
        .finally(endAnnouncement)
      const result = { answer, calculatedAtMs: nowMs, dataThroughMs: await mayRead }
      const isStored = isLive(kinds, query) || (await cache.keep(execution, result))
      return isStored ? result : { ...result, answer: toUncacheable(answer) }
    } finally {
      if (ending?.aborted) void this.#untilStopped(engineQueryId).finally(releaseSlot)
      else releaseSlot()
      void claim.then((releaseKey) => releaseKey?.())
    }
  }
}

/** Background work has other limits, so a blocking query does not wait for it. */
const toFlightKey = ({ cacheKey, isBackground }: QueryExecution): string =>
  `${cacheKey}${isBackground ? " background" : ""}`

/** Says in the answer that it will not be found in the cache. */
const toUncacheable = (answer: QueryAnswer): QueryAnswer => ({
  ...answer,
  is_cacheable: false,
  warnings: [
    ...(Array.isArray(answer.warnings) ? answer.warnings : []),
    "The answer is too large for the result cache: the same query is calculated again each time. Ask for fewer rows or columns, or export it.",
  ],
})
