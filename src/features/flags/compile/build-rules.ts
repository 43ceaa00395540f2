import { orderByDependency } from "./dependency-order.js"
import { cohortsReachedFrom, factNeedsOf } from "./fact-needs.js"
import { RULE_DOCUMENT_FORMAT, type RuleDocument, type RuleSource } from "./rule-document.types.js"
import { filtersOfFlag } from "./stored-filters.js"

/** Builds the rule document of a project from what its stores hold: dependency order and needs are worked out here once. */
export function buildRules(source: RuleSource): RuleDocument {
  const { projectId, version, timeZone, groupTypes } = source
  const cohorts = new Map(source.cohorts.map((cohort) => [cohort.id, cohort]))
  const ordered = orderByDependency(source.flags)
  const positions = new Map(ordered.map(({ flag }, position) => [flag.id, position]))
  const wanted = cohortsReachedFrom(
    source.flags.flatMap((flag) => filtersOfFlag(flag.filters)),
    cohorts,
  )
  return {
    format: RULE_DOCUMENT_FORMAT,
    projectId,
    version,
    timeZone,
    groupTypes,
    flags: ordered.map(({ flag, dependencyIds, dependencyFault }) => ({
      ...flag,
      dependencies: dependencyIds.flatMap((id) => positions.get(id) ?? []),
      dependencyFault,
      needs: factNeedsOf(flag, cohorts),
    })),
    cohorts: source.cohorts.filter((cohort) => wanted.has(cohort.id)),
  }
}
