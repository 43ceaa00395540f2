import type { FlagResult, ReasonCode } from "../../../flag-engine/index.js"
import type { JsonObject } from "../../../kernel/json.js"

/** Our reasons in the words of OpenFeature. */
const REASONS: Readonly<Record<ReasonCode, string>> = {
  condition_match: "TARGETING_MATCH",
  super_condition_value: "TARGETING_MATCH",
  holdout_condition_value: "SPLIT",
  out_of_rollout_bound: "SPLIT",
  no_condition_match: "DEFAULT",
  no_group_type: "DEFAULT",
  missing_dependency: "DEFAULT",
  flag_disabled: "DISABLED",
}

/** One flag as OpenFeature's remote evaluation protocol shows it: its variant, or whether it is on, as the value. */
export function presentOfrepFlag(result: FlagResult): JsonObject {
  const { key, variant, enabled, version, payload, reason, conditionIndex, error } = result
  if (error !== null)
    return {
      key,
      errorCode: "GENERAL",
      errorDetails: `The flag could not be computed (${error}).`,
    }
  return {
    key,
    reason: REASONS[reason],
    variant: variant ?? String(enabled),
    value: variant ?? enabled,
    // Metadata holds plain values only, so a payload stays the text it is stored as.
    metadata: {
      version,
      reasonCode: reason,
      ...(conditionIndex === null ? {} : { conditionIndex }),
      ...(typeof payload === "string" ? { payload } : {}),
    },
  }
}
