import type { HogqlScope } from "../../../hogql/index.js"
import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { ProjectSettingsReader } from "../queries.types.js"
import { toHogqlScope } from "./hogql-scope.js"
import type { QuerySchemaReader } from "./query-schema.types.js"

/** What HogQL means in a project just now, for features that make conditions of their own. */
export type HogqlScopes = (projectId: ProjectId) => Promise<HogqlScope>

/** Scopes over the same definitions that queries are compiled with. They throw AppError not_found for no such project. */
export function createHogqlScopes(
  schemas: QuerySchemaReader,
  projects: ProjectSettingsReader,
  clock: Clock,
): HogqlScopes {
  return async (projectId) => {
    const [schema, { timezone, weekStartDay }] = await Promise.all([
      schemas.read(projectId),
      projects.settings(projectId),
    ])
    return toHogqlScope(schema, { projectId, timezone, weekStartDay, nowMs: clock.now() })
  }
}
