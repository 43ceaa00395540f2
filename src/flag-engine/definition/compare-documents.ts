import { isDeepStrictEqual } from "node:util"
import type { RuleDocument, RuleFlag, StoredFlag } from "./rule-document.types.js"
import { listFilters } from "./stored-filters.js"

/** What of a project's last rules holds for its present ones: a change of one flag must not cost the work of all. */
export interface DocumentComparison {
  /** Whether every cohort is as it was, so that tests of membership and the facts they need are too. */
  readonly areCohortsSame: boolean
  /** Last position of a flag of which all that it says and refers to is unchanged; null for any other. */
  findSame(flag: RuleFlag): number | null
}

/** Compares two documents of one project; the time zone is part of every date filter, so another one changes all. */
export function compareDocuments(last: RuleDocument | null, present: RuleDocument): DocumentComparison {
  if (last === null || last.timeZone !== present.timeZone) return { areCohortsSame: false, findSame: () => null }
  const areCohortsSame = isDeepStrictEqual(last.cohorts, present.cohorts)
  const positions = new Map(last.flags.map((flag, position) => [flag.id, position]))

  /** A filter on another flag holds the place of that flag's result, found by its number or its key. */
  const areDependenciesSame = (flag: RuleFlag, before: RuleFlag): boolean =>
    flag.dependencyFault === before.dependencyFault &&
    flag.dependencies.length === before.dependencies.length &&
    flag.dependencies.every((position, index) => {
      if (before.dependencies[index] !== position) return false
      const [now, then] = [present.flags[position], last.flags[position]]
      return now?.id === then?.id && now?.key === then?.key
    })

  return {
    areCohortsSame,
    findSame: (flag) => {
      const position = positions.get(flag.id)
      const before = position === undefined ? undefined : last.flags[position]
      if (position === undefined || before === undefined) return null
      if (!isSameDefinition(flag, before) || !areDependenciesSame(flag, before)) return null
      return areCohortsSame || !usesCohort(flag) ? position : null
    },
  }
}

/** Whether two states of a flag are evaluated alike and need the same facts, as far as the flag alone says. */
export const isSameDefinition = (flag: StoredFlag, before: StoredFlag): boolean =>
  flag.key === before.key &&
  flag.version === before.version &&
  flag.bucketingIdentifier === before.bucketingIdentifier &&
  flag.ensureExperienceContinuity === before.ensureExperienceContinuity &&
  isDeepStrictEqual(flag.filters, before.filters)

/** Whether a flag asks for a cohort at all. */
export const usesCohort = (flag: Pick<StoredFlag, "filters">): boolean =>
  listFilters(flag.filters).some((filter) => filter.type === "cohort")
