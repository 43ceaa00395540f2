import type { PathCleaningRule } from "../../hogql/index.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { Json, JsonObject } from "../../kernel/json.js"

/** Values of `refresh` (`docs/contract/queries.md#refresh-modes`). */
export const REFRESH_MODES = [
  "blocking",
  "async",
  "lazy_async",
  "force_blocking",
  "force_async",
  "force_cache",
] as const
/** When a result is calculated and when a cached one will do (`docs/contract/queries.md#refresh-modes`). */
export type RefreshMode = (typeof REFRESH_MODES)[number]

/** A query object of the wire: names its kind, the rest depends on it. */
export type QueryObject = JsonObject & { readonly kind: string }

/** A query and how its caller wants it answered. */
export interface QueryRequest {
  readonly query: QueryObject
  /** The caller's own id of the run, for status and cancel. */
  readonly clientQueryId: string | null
  readonly refresh: RefreshMode
}

/** The answer to one query: the body of `docs/contract/queries.md#query-answer` without its cache part. */
export type QueryAnswer = JsonObject

/** An answer with the time its calculation began, as kept in the cache. */
export interface CachedAnswer {
  readonly answer: QueryAnswer
  readonly calculatedAtMs: number
  /** Every event accepted until then is in the answer. */
  readonly dataThroughMs: number
}

/** What a run of one kind needs to know besides the query. */
export interface RunScope {
  readonly projectId: ProjectId
  readonly timezone: string
  /** 0 is Sunday. */
  readonly weekStartDay: number
  readonly nowMs: number
  /** Id under which the engine's work can be watched and killed. */
  readonly engineQueryId: string
  readonly maxExecutionSeconds: number
  readonly signal: AbortSignal
  /** To be awaited before any of the project's data is read; absent when nothing is to be awaited. */
  readonly mayRead?: Promise<unknown>
  /** Other row limits than a query's usual ones; exports have them. */
  readonly rowLimit?: RowLimit
  /** The filters that the cache key was made from; those of the project's schema unless given. */
  readonly testAccountFilters?: readonly Json[]
  /** The project's rules, in the order in which they are applied; none when absent. */
  readonly pathCleaning?: readonly PathCleaningRule[]
}

/** Rows given when a query names no limit, and at most. */
export interface RowLimit {
  readonly defaultRows: number
  readonly maxRows: number
}

/** Calculates queries of one kind. */
export interface QueryKind {
  readonly kind: string
  /** Whether answers are never kept, because what they show changes all the time. */
  readonly isLive?: boolean
  /**
   * @throws AppError hogql_syntax_error, hogql_query_error, query_timeout, query_cancelled, query_memory_limit,
   * invalid_input (engine refusals that are the query's fault), store_unavailable.
   */
  run(query: QueryObject, scope: RunScope): Promise<QueryAnswer>
}

/** Settings of a project that queries depend on. */
export interface ProjectSettings {
  /** IANA name. */
  readonly timezone: string
  /** 0 is Sunday. */
  readonly weekStartDay: number
  /** Settings that people change; `test_account_filters` is used here. */
  readonly settings?: JsonObject
  readonly pathCleaning?: readonly PathCleaningRule[]
}

/** Reads settings of projects; implemented by the projects feature. */
export interface ProjectSettingsReader {
  settings(projectId: ProjectId): Promise<ProjectSettings>
}

/** What the answer to a query depends on besides the query and the events. */
export interface QuerySettings extends ProjectSettings {
  /** Raised when what answers may show is deleted. */
  readonly generation: number
}

/** Reads what answers depend on. */
export interface QuerySettingsReader {
  settings(projectId: ProjectId): Promise<QuerySettings>
}

/** How far the events of a project have been stored. */
export interface IngestionWatermark {
  /** Every event of the project that was accepted until then can be queried; milliseconds since the epoch. */
  dataThroughMs(projectId: ProjectId): Promise<number>
}

/** Tells that events have been stored, by whichever process. */
export interface StoredEvents {
  /** Calls `listener` soon after events of a project have been stored, until the returned function is called. */
  onStored(projectId: ProjectId, listener: () => void): Promise<() => Promise<void>>
}

/** Where the result of a query is kept, and of which generation of the project's answers it is. */
export interface ResultPlace {
  readonly projectId: ProjectId
  readonly cacheKey: string
  readonly generation: number
}

/** Results by cache key; losing one only costs a calculation. */
export interface QueryResultCache {
  find(cacheKey: string): Promise<CachedAnswer | null>
  /** Until it is given up. False when the result is too large to be kept. */
  keep(place: ResultPlace, result: CachedAnswer): Promise<boolean>
}

/** How far the engine is with a query. */
export interface EngineProgress {
  readonly rowsRead: number
  readonly bytesRead: number
  readonly estimatedRowsTotal: number
  readonly elapsedMs: number
}

/** Watches and stops work inside the engine. */
export interface EngineControl {
  progress(engineQueryId: string): Promise<EngineProgress | null>
  kill(engineQueryId: string): Promise<void>
}
