import type { ProjectId } from "../../../kernel/ids.js"
import type { AnswerFrame } from "../answers/query-answers.js"
import { cacheKeyOf } from "../cache/cache-key.js"
import { rangeEndOf } from "../cache/range-end.js"
import type { ProjectSettingsReader, QueryObject } from "../queries.types.js"

/** What every answer to a query shows beside its result. */
export type ShownQuery = Omit<AnswerFrame, "isCached" | "isStale">

/** Reads what answers to a query show, with the project's settings of now. */
export async function showQuery(
  projects: ProjectSettingsReader,
  projectId: ProjectId,
  query: QueryObject,
): Promise<ShownQuery> {
  const settings = await projects.settings(projectId)
  const { timezone } = settings
  const cacheKey = cacheKeyOf(projectId, query, settings)
  return { cacheKey, timezone, query, rangeEndMs: rangeEndOf(query, timezone) }
}
