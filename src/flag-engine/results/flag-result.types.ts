import type { Json } from "../../kernel/json.js"

/** What a release condition says of a caller who meets it, or why they do not (`docs/contract/flags.md#detail-objects`). */
export type ConditionOutcome = "condition_match" | "out_of_rollout_bound" | "no_condition_match" | "no_group_type"

/** Why a flag has its value, as SDKs report it (`docs/contract/flags.md#detail-objects`). */
export type ReasonCode =
  | ConditionOutcome
  | "super_condition_value"
  | "holdout_condition_value"
  | "missing_dependency"
  | "flag_disabled"

/** Why a flag could not be computed (`docs/contract/flags.md#detail-objects`). */
export type FlagErrorCode =
  | "timeout_error"
  | "database_unavailable"
  | "hash_key_override_error"
  | "dependency_not_found_cohort"
  | "dependency_cycle_cohort"
  | "dependency_cycle_flag"
  | "flag_data_parsing_error"

/** What a flag came to, for whom it may concern. */
export interface FlagOutcome {
  readonly id: number
  readonly key: string
  readonly version: number
  readonly enabled: boolean
  readonly variant: string | null
  /** Stored payload of the value served; null when there is none or the flag is off. */
  readonly payload: Json
  readonly reason: ReasonCode
  /** Stored position of the condition that decided, from 0. */
  readonly conditionIndex: number | null
  /** Set when the flag could not be computed; `enabled` is false then and means nothing. */
  readonly error: FlagErrorCode | null
  /** The reason as a sentence for people. */
  readonly description: string
}

/** The result of one flag for one caller; the same object for everybody whom the flag gives the same. */
export interface FlagResult extends FlagOutcome {
  readonly text: ResultText
}

/** A result as JSON text behind a comma, with the flag's key in front where it is a member of a map. */
export interface ResultText {
  readonly key: string
  /** The value SDKs read: the variant, else whether the flag is on. */
  readonly value: string
  /** Null when there is no payload for the value. */
  readonly payload: string | null
  /** The detail object (`docs/contract/flags.md#detail-objects`). */
  readonly detail: string
}
