import type { FlagResult, ReasonCode } from "../evaluate/evaluation.types.js"

const REASON_TEXT: Readonly<Record<Exclude<ReasonCode, "condition_match">, string>> = {
  no_condition_match: "No matching condition set",
  out_of_rollout_bound: "Out of rollout bound",
  no_group_type: "No group type",
  super_condition_value: "Super condition value",
  holdout_condition_value: "Holdout condition value",
  flag_disabled: "Feature flag is disabled",
  missing_dependency: "Flag cannot be evaluated due to missing dependency",
}

/** The sentence SDKs show for a reason (`reference/flags.md` 3.2); conditions are counted from 1. */
export function reasonText({ reason, conditionIndex }: FlagResult): string {
  return reason === "condition_match" ? `Matched condition set ${(conditionIndex ?? 0) + 1}` : REASON_TEXT[reason]
}
