import type { FactNeeds, RuleDocument, RuleFlag, StoredCohort } from "../../../flag-engine/index.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"

/** A release condition by itself. */
export interface LooseCondition {
  /** As in `filters.groups`. */
  readonly condition: Json
  /** Type of the groups that it is about; null for persons. */
  readonly groupTypeIndex: number | null
}

/**
 * A document whose only active flags give everybody the conditions whatever their rollout, each with the place of its
 * condition as number. The project's own flags are not evaluated: a filter on one of them finds it off.
 * @param cohorts all of the project's; rules have only those that some flag asks for already.
 */
export function toConditionDocument(
  document: RuleDocument,
  cohorts: readonly StoredCohort[],
  conditions: readonly LooseCondition[],
): RuleDocument {
  const own = document.flags.map((flag) => ({ ...flag, active: false }))
  return { ...document, cohorts, flags: [...own, ...conditions.map(toFlag)] }
}

/** No key of a flag begins like these. */
const toFlag = ({ condition, groupTypeIndex }: LooseCondition, index: number): RuleFlag => ({
  id: index,
  key: `:${index}`,
  name: "",
  version: 0,
  active: true,
  isRemoteConfiguration: false,
  filters: {
    groups: isJsonObject(condition) ? [{ ...condition, rollout_percentage: 100 }] : [],
    aggregation_group_type_index: groupTypeIndex,
  },
  ensureExperienceContinuity: false,
  bucketingIdentifier: "distinct_id",
  evaluationRuntime: "all",
  evaluationContexts: [],
  dependencies: [],
  dependencyFault: null,
  needs: NO_NEEDS,
})

/** Subjects come with all that is stored of them. */
const NO_NEEDS: FactNeeds = {
  personProperties: [],
  groupProperties: [],
  personCreatedAt: false,
  staticCohorts: false,
  hashKeys: false,
}
