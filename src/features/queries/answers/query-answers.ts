import type { JsonObject } from "../../../kernel/json.js"
import { isFinalResult } from "../cache/refresh-decision.js"
import type { ResolvedQuery } from "../execution/query-execution.js"
import type { CachedAnswer, EngineProgress } from "../queries.types.js"
import { isFinal, type QueryRun, type RunError } from "../runs/query-run.js"

/** A caller that may choose `async` should not ask again before this (`docs/contract/queries.md#query-answer`). */
const CLIENT_REFRESH_MS = 60_000

/** Accepted events are in queries after this; a result that misses older ones says so. */
const USUAL_LAG_MS = 5_000

/** How old the result of an answer is. */
export interface AnswerAge {
  readonly isCached: boolean
  /** Whether the result is older than its refresh mode calls fresh. */
  readonly isStale: boolean
}

/**
 * Body of an answered query: the kind's own fields and the cache part. `data_through` says until when accepted events are
 * in it; `is_stale` that it is known to miss some: an old result, or one made while ingestion was behind.
 */
export function answerBody(result: CachedAnswer, resolved: ResolvedQuery, age: AnswerAge): JsonObject {
  const { query, settings, cacheKey, rangeEndMs } = resolved
  const isLagging = result.calculatedAtMs - result.dataThroughMs > USUAL_LAG_MS
  return {
    ...result.answer,
    query,
    is_cached: age.isCached,
    is_stale: (age.isStale || isLagging) && !isFinalResult(result, rangeEndMs),
    data_through: new Date(result.dataThroughMs).toISOString(),
    last_refresh: new Date(result.calculatedAtMs).toISOString(),
    next_allowed_client_refresh: new Date(result.calculatedAtMs + CLIENT_REFRESH_MS).toISOString(),
    cache_key: cacheKey,
    cache_target_age: null,
    calculation_trigger: null,
    timezone: settings.timezone,
    query_status: null,
  }
}

/** `force_cache` without a cached result: no `results` key at all. */
export const cacheMissBody = (cacheKey: string): JsonObject => ({ cache_key: cacheKey, query_status: null })

export interface StatusBodyOptions {
  /** `query_progress` is null unless it is asked for (`docs/contract/queries.md#query-status`). */
  readonly showsProgress?: boolean
}

/** The query status object of `docs/contract/queries.md#query-status`. */
export function statusBody(run: QueryRun, { showsProgress = false }: StatusBodyOptions = {}): JsonObject {
  return {
    id: run.id,
    team_id: run.projectId,
    query_async: true,
    complete: isFinal(run.state),
    error: run.state === "failed" || run.state === "cancelled",
    error_message: run.errorMessage,
    error_code: run.error?.code ?? null,
    error_position: toPosition(run.error),
    results: run.answer,
    start_time: run.queuedAt.toISOString(),
    pickup_time: run.pickedUpAt?.toISOString() ?? null,
    end_time: run.endedAt?.toISOString() ?? null,
    expiration_time: run.expiresAt.toISOString(),
    query_progress: showsProgress && run.progress !== null ? progressBody(run.progress) : null,
    insight_id: null,
    dashboard_id: null,
    task_id: null,
    labels: null,
  }
}

const toPosition = (error: RunError | null): JsonObject | null =>
  error?.start == null ? null : { start: error.start, end: error.end }

const progressBody = (progress: EngineProgress): JsonObject => ({
  rows_read: progress.rowsRead,
  bytes_read: progress.bytesRead,
  estimated_rows_total: progress.estimatedRowsTotal,
  time_elapsed: Math.round(progress.elapsedMs),
  active_cpu_time: 0,
  percentage: toPercentage(progress),
})

/** How much of the rows to read has been read, 0 to 100; null while the engine cannot tell. */
export function toPercentage({ rowsRead, estimatedRowsTotal }: EngineProgress): number | null {
  if (estimatedRowsTotal <= 0) return null
  return Math.min(100, Math.round((1000 * rowsRead) / estimatedRowsTotal) / 10)
}
