import type { HogqlScope } from "../../../hogql/index.js"
import type { RunScope } from "../queries.types.js"
import type { QuerySchema } from "./query-schema.types.js"

/** The scope of a project with this schema, for one run. */
export function toHogqlScope(
  schema: QuerySchema,
  run: Pick<RunScope, "projectId" | "timezone" | "weekStartDay" | "nowMs" | "rowLimit" | "testAccountFilters">,
): HogqlScope {
  const { projectId, timezone, weekStartDay, nowMs, rowLimit } = run
  return {
    ...(rowLimit && { rowLimit }),
    projectId,
    timezone,
    weekStartDay: weekStartDay === 1 ? "monday" : "sunday",
    propertyDefinitions: {
      event: schema.eventProperties,
      person: schema.personProperties,
      group: schema.groupProperties,
    },
    groupTypes: schema.groupTypes,
    cohorts: schema.cohorts,
    cohortsById: schema.cohortsById,
    testAccountFilters: run.testAccountFilters ?? schema.testAccountFilters,
    nowMs,
  }
}
