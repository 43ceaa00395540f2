import { isSameDefinition, usesCohort } from "./compare-documents.js"
import { orderByDependency } from "./dependency-order.js"
import { findReachedCohorts, listFactNeeds } from "./fact-needs.js"
import {
  type FactNeeds,
  RULE_DOCUMENT_FORMAT,
  type RuleDocument,
  type RuleSource,
  type StoredFlag,
} from "./rule-document.types.js"
import { listFilters } from "./stored-filters.js"

/**
 * Builds the rule document of a project from what its stores hold: dependency order and needs are worked out here once.
 * @param last the project's document until now; needs of flags that are unchanged are taken from it.
 */
export function buildRules(source: RuleSource, last: RuleDocument | null = null): RuleDocument {
  const { projectId, version, timeZone, groupTypes } = source
  const cohorts = new Map(source.cohorts.map((cohort) => [cohort.id, cohort]))
  const ordered = orderByDependency(source.flags)
  const positions = new Map(ordered.map(({ flag }, position) => [flag.id, position]))
  const wanted = findReachedCohorts(
    source.flags.flatMap((flag) => listFilters(flag.filters)),
    cohorts,
  )
  const lastFlags = new Map(last?.flags.map((flag) => [flag.id, flag]))
  const needsOf = (flag: StoredFlag): FactNeeds => {
    const before = lastFlags.get(flag.id)
    const isKnown = before !== undefined && !usesCohort(flag) && isSameDefinition(flag, before)
    return isKnown ? before.needs : listFactNeeds(flag, cohorts)
  }
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
      needs: needsOf(flag),
    })),
    cohorts: source.cohorts.filter((cohort) => wanted.has(cohort.id)),
  }
}
