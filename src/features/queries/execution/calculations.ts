import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { withoutCache } from "../answers/query-answers.js"
import { findKind } from "../kinds/find-kind.js"
import type {
  CachedAnswer,
  IngestionWatermark,
  ProjectSettingsReader,
  QueryKind,
  QueryObject,
  QueryResultCache,
} from "../queries.types.js"
import { type FlightNotes, NO_NOTES } from "./flight-notes.cache.js"
import { FLIES_ALONE, type QueryFlights } from "./query-flights.types.js"
import type { QueryTurns } from "./query-turns.js"
import { SharedWork } from "./shared-work.js"

/** Time limit of background runs and exports (`reference/management.md` 7.7). */
export const BACKGROUND_SECONDS = 600
/** Time for the engine to say that a limit has been reached, on top of the limit. */
const LIMIT_GRACE_SECONDS = 5
/** How often a calculation waits for an equal one of another process that then leaves no result. */
const MAX_WAITS = 2

export interface CalculationsDependencies {
  readonly kinds: readonly QueryKind[]
  readonly cache: QueryResultCache
  readonly projects: ProjectSettingsReader
  readonly reach: IngestionWatermark
  readonly turns: QueryTurns
  readonly flights: QueryFlights
  readonly notes: FlightNotes
  /** Time limit of blocking queries. */
  readonly blockingSeconds: number
  readonly clock: Clock
}

/** One calculation that is asked for. */
export interface CalculationRequest {
  readonly projectId: ProjectId
  readonly query: QueryObject
  readonly cacheKey: string
  /** Under which the engine runs it if nobody runs it yet. */
  readonly engineQueryId: string
  readonly signal: AbortSignal
  /** Whether a calculation that began before this request will do. */
  readonly mayJoin: boolean
  /** Whether a kept result is as fresh as this request needs it. */
  readonly isFreshEnough: (kept: CachedAnswer) => boolean
  /** Background work is bounded by its workers, blocking work by turns. */
  readonly isBackground: boolean
}

/** A calculation that is under way, as one of its callers sees it. */
export interface BegunCalculation {
  /** Under which id the engine runs it, in whatever process; null while that is not known. */
  readonly runsUnder: () => Promise<string | null>
  /** Rejects with the signal's reason once the caller's own signal aborts. */
  readonly result: Promise<CachedAnswer>
}

export type Calculations = ReturnType<typeof createCalculations>

interface Attempt {
  readonly engineQueryId: string
  readonly signal: AbortSignal
  readonly maxExecutionSeconds: number
  /** Whether other processes do it once with this one. */
  readonly isShared: boolean
}

/** Calculates queries: equal ones once, blocking ones a few at a time, and keeps the results. Faults are not kept. */
export function createCalculations(dependencies: CalculationsDependencies) {
  const { kinds, cache, projects, reach, turns, flights, notes, blockingSeconds, clock } = dependencies
  const shared = new SharedWork<CachedAnswer>()
  /** Own ids of calculations that just now wait for another process. */
  const waiting = new Set<string>()

  const kindOf = (query: QueryObject): QueryKind => findKind(kinds, query)

  /** Null when another process is calculating the same. */
  async function attempt(request: CalculationRequest, allowed: Attempt): Promise<CachedAnswer | null> {
    const { projectId, query, cacheKey, isBackground } = request
    const { engineQueryId, maxExecutionSeconds, signal, isShared } = allowed
    const kind = kindOf(query)
    const endTurn = isBackground ? () => undefined : await turns.take(projectId, signal)
    // Begun beside the other reads, so that nothing waits for it alone.
    const flight = (isShared ? flights : FLIES_ALONE).begin(keyOf(request))
    try {
      const limit = AbortSignal.timeout((maxExecutionSeconds + LIMIT_GRACE_SECONDS) * 1000)
      // Asked before any event is read, because events stored later may be missing from the result. The query is
      // compiled meanwhile.
      const mayRead = reach.dataThroughMs(projectId)
      mayRead.catch(() => undefined)
      const settings = await projects.settings(projectId)
      const nowMs = clock.now()
      const testAccounts = settings.settings?.test_account_filters
      const scope = {
        ...{ projectId, nowMs, timezone: settings.timezone, weekStartDay: settings.weekStartDay, mayRead },
        testAccountFilters: Array.isArray(testAccounts) ? testAccounts : undefined,
        ...{ engineQueryId, maxExecutionSeconds, signal: AbortSignal.any([signal, limit]) },
      }
      if ((await flight) === null) return null
      const endNote = (isShared ? notes : NO_NOTES).tell(keyOf(request), engineQueryId, maxExecutionSeconds)
      const answer = await kind.run(query, scope).finally(endNote)
      const result = { answer, calculatedAtMs: nowMs, dataThroughMs: await mayRead }
      if (kind.isLive) return result
      return (await cache.keep(cacheKey, result)) ? result : { ...result, answer: withoutCache(answer) }
    } finally {
      endTurn()
      void flight.then((endFlight) => endFlight?.())
    }
  }

  /**
   * Calculates, or waits for another process that does and takes its result. One that leaves no result, because it failed, was
   * cancelled or died, is followed by a calculation here, in what is left of the time: an older result that happens to be kept
   * is as good as none.
   */
  async function calculate(request: CalculationRequest, engineQueryId: string, signal: AbortSignal) {
    const { query, cacheKey, isBackground, mayJoin, isFreshEnough } = request
    const isShared = mayJoin && kindOf(query).isLive !== true
    const limitSeconds = isBackground ? BACKGROUND_SECONDS : blockingSeconds
    const startedAtMs = clock.now()
    for (let waits = 0; ; waits++) {
      const spentSeconds = waits === 0 ? 0 : Math.floor((clock.now() - startedAtMs) / 1000)
      const result = await attempt(request, {
        ...{ engineQueryId, signal, maxExecutionSeconds: Math.max(1, limitSeconds - spentSeconds) },
        isShared: isShared && waits < MAX_WAITS,
      })
      if (result !== null) return result
      waiting.add(engineQueryId)
      await flights.ended(keyOf(request), signal).finally(() => waiting.delete(engineQueryId))
      const kept = await cache.find(cacheKey)
      if (kept !== null && isFreshEnough(kept)) return kept
    }
  }

  return {
    kindOf,

    /** Begins a calculation, or joins an equal one that is under way. */
    begin(request: CalculationRequest): BegunCalculation {
      const key = keyOf(request)
      const { engineQueryId, result } = shared.join({
        ...request,
        key,
        start: (ownId, signal) => calculate(request, ownId, signal),
      })
      const runsUnder = async () => (waiting.has(engineQueryId) ? notes.find(key) : engineQueryId)
      return { runsUnder, result }
    },
  }
}

/** Background work has other limits, so that it is not the same. */
const keyOf = ({ cacheKey, isBackground }: CalculationRequest): string =>
  `${cacheKey}${isBackground ? " background" : ""}`
