import type { HogqlScope, PropertyType } from "../../../src/hogql/index.js"
import { asProjectId } from "../../../src/kernel/ids.js"
import { type CaseDataset, cohortFilters } from "./dataset.js"

/** Project 1 with nothing defined, at noon of 15 March 2024. */
export const emptyScope: HogqlScope = {
  projectId: asProjectId(1),
  timezone: "UTC",
  weekStartDay: "sunday",
  propertyDefinitions: { event: new Map(), person: new Map(), group: new Map() },
  groupTypes: new Map(),
  nowMs: Date.UTC(2024, 2, 15, 12),
}

/** The scope of a dataset's own project. */
export function scopeOf(dataset: CaseDataset, timezone = dataset.team.timezone): HogqlScope {
  const definitions = (owner: string) =>
    new Map(
      dataset.property_definitions
        .filter((definition) => definition.type === owner)
        .map((definition) => [definition.name, definition.property_type as PropertyType] as const),
    )
  return {
    ...emptyScope,
    timezone,
    propertyDefinitions: { event: definitions("event"), person: definitions("person"), group: new Map() },
    groupTypes: new Map(dataset.group_type_mapping.map((item) => [item.group_type, item.group_type_index])),
    cohorts: new Map(dataset.cohorts.map(({ id }) => [`cohort ${id}`, id])),
    cohortsById: new Map(
      dataset.cohorts.map((cohort) => {
        const { id, is_static: isStatic } = cohort
        return [id, { id, name: `cohort ${id}`, isStatic, filters: cohortFilters(cohort) }]
      }),
    ),
  }
}
