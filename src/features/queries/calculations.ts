import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type {
  CachedAnswer,
  IngestionReach,
  ProjectSettingsReader,
  QueryKind,
  QueryObject,
  QueryResultCache,
} from "./queries.types.js"
import { withoutCache } from "./query-answers.js"
import type { QueryTurns } from "./query-turns.js"
import { type JoinedWork, SharedWork } from "./shared-work.js"

/** Time limit of background runs and exports (`reference/management.md` 7.7). */
export const BACKGROUND_SECONDS = 600
/** Time for the engine to say that a limit has been reached, on top of the limit. */
const LIMIT_GRACE_SECONDS = 5

export interface CalculationsDependencies {
  readonly kinds: readonly QueryKind[]
  readonly cache: QueryResultCache
  readonly projects: ProjectSettingsReader
  readonly reach: IngestionReach
  readonly turns: QueryTurns
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
  /** Background work is bounded by its workers, blocking work by turns. */
  readonly isBackground: boolean
}

export type Calculations = ReturnType<typeof createCalculations>

/** Calculates queries: equal ones once, blocking ones a few at a time, and keeps the results. Faults are not kept. */
export function createCalculations(dependencies: CalculationsDependencies) {
  const { cache, projects, reach, turns, blockingSeconds, clock } = dependencies
  const kinds = new Map(dependencies.kinds.map((kind) => [kind.kind, kind]))
  const shared = new SharedWork<CachedAnswer>()

  /** @throws AppError invalid_input for a kind that does not exist. */
  function kindOf(query: QueryObject): QueryKind {
    const kind = kinds.get(query.kind)
    if (kind !== undefined) return kind
    throw new AppError("invalid_input", {
      attr: "query__kind",
      detail: `Unsupported query kind: ${query.kind.slice(0, 100)}`,
    })
  }

  async function calculate(
    { projectId, query, cacheKey, isBackground }: CalculationRequest,
    engineQueryId: string,
    signal: AbortSignal,
  ): Promise<CachedAnswer> {
    const kind = kindOf(query)
    const endTurn = isBackground ? () => undefined : await turns.take(projectId, signal)
    try {
      const maxExecutionSeconds = isBackground ? BACKGROUND_SECONDS : blockingSeconds
      const limit = AbortSignal.timeout((maxExecutionSeconds + LIMIT_GRACE_SECONDS) * 1000)
      const settings = await projects.settings(projectId)
      const nowMs = clock.now()
      const scope = {
        ...{ projectId, nowMs, timezone: settings.timezone, weekStartDay: settings.weekStartDay },
        ...{ engineQueryId, maxExecutionSeconds, signal: AbortSignal.any([signal, limit]) },
      }
      // Before anything is read of the events: what is stored later may be missing.
      const [dataThroughMs] = await Promise.all([reach.dataThroughMs(projectId), kind.prepare?.(scope)])
      const answer = await kind.run(query, scope)
      const result = { answer, calculatedAtMs: nowMs, dataThroughMs }
      if (kind.isLive) return result
      return (await cache.keep(cacheKey, result)) ? result : { ...result, answer: withoutCache(answer) }
    } finally {
      endTurn()
    }
  }

  return {
    kindOf,

    /** Begins a calculation, or joins an equal one that is under way. */
    begin: (request: CalculationRequest): JoinedWork<CachedAnswer> =>
      shared.join({
        ...request,
        key: `${request.cacheKey}${request.isBackground ? " background" : ""}`,
        start: (engineQueryId, signal) => calculate(request, engineQueryId, signal),
      }),
  }
}
