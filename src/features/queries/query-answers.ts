import type { JsonObject } from "../../kernel/json.js"
import type { CachedAnswer, QueryObject } from "./queries.types.js"
import { isFinal, type QueryRun } from "./query-run.js"

/** A caller that may choose `async` should not ask again before this (`reference/management.md` 7.2). */
const CLIENT_REFRESH_MS = 60_000

export interface AnswerFrame {
  readonly cacheKey: string
  readonly timezone: string
  readonly query: QueryObject
}

/** Body of an answered query: the kind's own fields and the cache part. */
export function freshBody(result: CachedAnswer, isCached: boolean, frame: AnswerFrame): JsonObject {
  return {
    ...result.answer,
    query: frame.query,
    is_cached: isCached,
    last_refresh: new Date(result.calculatedAtMs).toISOString(),
    next_allowed_client_refresh: new Date(result.calculatedAtMs + CLIENT_REFRESH_MS).toISOString(),
    cache_key: frame.cacheKey,
    cache_target_age: null,
    calculation_trigger: null,
    timezone: frame.timezone,
    query_status: null,
  }
}

/** `force_cache` without a cached result: no `results` key at all. */
export const cacheMissBody = (cacheKey: string): JsonObject => ({ cache_key: cacheKey, query_status: null })

/** The query status object of `interface.md`. */
export function statusBody(run: QueryRun): JsonObject {
  return {
    id: run.id,
    team_id: run.projectId,
    query_async: true,
    complete: isFinal(run.state),
    error: run.state === "failed" || run.state === "cancelled",
    error_message: run.errorMessage,
    results: run.answer,
    start_time: run.queuedAt.toISOString(),
    pickup_time: run.pickedUpAt?.toISOString() ?? null,
    end_time: run.endedAt?.toISOString() ?? null,
    expiration_time: run.expiresAt.toISOString(),
    query_progress: run.progress && {
      rows_read: run.progress.rowsRead,
      bytes_read: run.progress.bytesRead,
      estimated_rows_total: run.progress.estimatedRowsTotal,
      time_elapsed: run.progress.elapsedMs,
      active_cpu_time: 0,
    },
    insight_id: null,
    dashboard_id: null,
    task_id: null,
    labels: null,
  }
}
