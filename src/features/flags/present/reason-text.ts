import type { FlagResult, ReasonCode } from "../../../flag-engine/index.js"

const REASON_TEXT: Readonly<Record<Exclude<ReasonCode, "condition_match">, string>> = {
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

/** Why a flag is as it is, as clients read it. */
export interface PresentedReason {
  readonly code: string
  readonly conditionIndex: number | null
  /** A sentence for people. */
  readonly description: string
}

/** The reason SDKs show (`docs/contract/flags.md#detail-objects`); conditions are counted from 1 in the sentence. */
export function presentReason({ reason, conditionIndex, error, hasSkippedGroups }: FlagResult): PresentedReason {
  if (error !== null) return { code: error, conditionIndex: null, description: "The flag could not be computed" }
  const description =
    reason === "condition_match"
      ? `Matched condition set ${(conditionIndex ?? 0) + 1}`
      : `${REASON_TEXT[reason]}${hasSkippedGroups === true ? SKIPPED_GROUPS : ""}`
  return { code: reason, conditionIndex, description }
}
