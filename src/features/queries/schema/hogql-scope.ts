import type { HogqlScope } from "../../../hogql/index.js"
import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { ProjectSettingsReader, RunScope } from "../queries.types.js"
import type { QuerySchema, QuerySchemaReader } from "./query-schema.types.js"

/** The scope of a project with this schema, for one run. */
export function toHogqlScope(
  schema: QuerySchema,
  run: Pick<
    RunScope,
    "projectId" | "timezone" | "weekStartDay" | "nowMs" | "rowLimit" | "testAccountFilters" | "pathCleaning"
  >,
): HogqlScope {
  const { projectId, timezone, weekStartDay, nowMs, rowLimit, testAccountFilters, pathCleaning } = run
  return {
    ...schema,
    ...(testAccountFilters && { testAccountFilters }),
    ...(rowLimit && { rowLimit }),
    ...(pathCleaning && { pathCleaning }),
    projectId,
    timezone,
    weekStartDay: weekStartDay === 1 ? "monday" : "sunday",
    nowMs,
  }
}

/**
 * What HogQL means in a project just now, over the same definitions that queries are compiled with: for features that make
 * conditions of their own. Throws AppError not_found for no such project.
 */
export const createHogqlScopes =
  (schemas: QuerySchemaReader, projects: ProjectSettingsReader, clock: Clock) =>
  async (projectId: ProjectId): Promise<HogqlScope> => {
    const [schema, settings] = await Promise.all([schemas.read(projectId), projects.settings(projectId)])
    return toHogqlScope(schema, { projectId, ...settings, nowMs: clock.now() })
  }
