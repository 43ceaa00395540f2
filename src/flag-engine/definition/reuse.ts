import type { RuleDocument, RuleFlag, StoredFlag } from "./rule-document.types.js"
import { isSameJson } from "./same-json.js"
import { filtersOfFlag } from "./stored-filters.js"

/** What of a project's last rules holds for its present ones: a change of one flag must not cost the work of all. */
export interface Reuse {
  /** Whether every cohort is as it was, so that tests of membership and the facts they need are too. */
  readonly areCohortsSame: boolean
  /** The flag as it was last, when what it says and what it refers to are unchanged; its position may be another one. */
  sameFlag(flag: RuleFlag): { readonly flag: RuleFlag; readonly position: number } | undefined
}

const NOTHING: Reuse = { areCohortsSame: false, sameFlag: () => undefined }

/** Compares two documents of one project; the time zone is part of every date filter, so another one changes all. */
export function reuseOf(last: RuleDocument | null, present: RuleDocument): Reuse {
  if (last === null || last.timeZone !== present.timeZone) return NOTHING
  const areCohortsSame = isSameJson(last.cohorts, present.cohorts)
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
    sameFlag: (flag) => {
      const position = positions.get(flag.id)
      const before = position === undefined ? undefined : last.flags[position]
      if (position === undefined || before === undefined || !isSameDefinition(flag, before)) return undefined
      if (!areDependenciesSame(flag, before)) return undefined
      return areCohortsSame || !namesCohort(flag) ? { flag: before, position } : undefined
    },
  }
}

/** Whether two states of a flag are evaluated alike and need the same facts, as far as the flag alone says. */
export const isSameDefinition = (flag: StoredFlag, before: StoredFlag): boolean =>
  flag.key === before.key &&
  flag.version === before.version &&
  flag.bucketingIdentifier === before.bucketingIdentifier &&
  flag.ensureExperienceContinuity === before.ensureExperienceContinuity &&
  isSameJson(flag.filters, before.filters)

/** Whether a flag asks for a cohort at all. */
export const namesCohort = (flag: Pick<StoredFlag, "filters">): boolean =>
  filtersOfFlag(flag.filters).some((filter) => filter.type === "cohort")
