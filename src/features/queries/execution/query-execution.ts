import type { ProjectId } from "../../../kernel/ids.js"
import { toCacheKey } from "../cache/cache-key.js"
import { findRangeEnd } from "../cache/range-end.js"
import type { ProjectSettings, QueryObject, QueryRequest, QuerySettingsReader } from "../queries.types.js"

/** A query with the project's settings that its answer depends on. */
export interface ResolvedQuery {
  readonly query: QueryObject
  readonly settings: ProjectSettings
  readonly cacheKey: string
  /** Of the project's answers, when this was looked up. */
  readonly generation: number
  /** End of the query's dates, in milliseconds since the epoch; null when it moves or is open. */
  readonly rangeEndMs: number | null
}

/** One query on its way from request to answer: the record that every step takes. */
export interface QueryExecution extends ResolvedQuery {
  readonly projectId: ProjectId
  readonly request: QueryRequest
  /** Id of its run where it is tracked: the caller's own, or a made-up one. */
  readonly id: string
  /** The engine's id of the work, unless equal work is in progress already. */
  readonly engineQueryId: string
  /** Whether a worker executes it, with the limits of background work. */
  readonly isBackground: boolean
}

/** Looks up what decides the answer of a query. */
export async function resolveQuery(
  projects: QuerySettingsReader,
  projectId: ProjectId,
  query: QueryObject,
): Promise<ResolvedQuery> {
  const { generation, ...settings } = await projects.settings(projectId)
  const cacheKey = toCacheKey(projectId, query, settings, generation)
  return { query, settings, cacheKey, generation, rangeEndMs: findRangeEnd(query, settings.timezone) }
}
