import type { FlagErrorCode, ReasonCode } from "./flag-result.types.js"

const SENTENCES: Readonly<Record<Exclude<ReasonCode, "condition_match">, string>> = {
  no_condition_match: "No matching condition set",
  out_of_rollout_bound: "Out of rollout bound",
  no_group_type: "No group type",
  super_condition_value: "Super condition value",
  holdout_condition_value: "Holdout condition value",
  flag_disabled: "Feature flag is disabled",
  missing_dependency: "Flag cannot be evaluated due to missing dependency",
}

/** The usual cause of a group flag that is off: the app did not say which group its user is in. */
const SKIPPED_GROUPS = "; conditions on groups were skipped because the request names no group of their type"

/** What a reason is told from. */
export interface Reason {
  readonly reason: ReasonCode
  /** From 0. */
  readonly conditionIndex: number | null
  readonly error: FlagErrorCode | null
  /** Whether conditions were not even tried, because the request names no group of their type. */
  readonly hasSkippedGroups: boolean
}

/** The sentence that SDKs show (`docs/contract/flags.md#detail-objects`); conditions are counted from 1 in it. */
export function describeReason({ reason, conditionIndex, error, hasSkippedGroups }: Reason): string {
  if (error !== null) return "The flag could not be computed"
  if (reason === "condition_match") return `Matched condition set ${(conditionIndex ?? 0) + 1}`
  return `${SENTENCES[reason]}${hasSkippedGroups ? SKIPPED_GROUPS : ""}`
}
