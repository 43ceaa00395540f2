import type { Json, JsonObject } from "../kernel/json.js"

/** Why a flag has its value, as SDKs report it (`docs/contract/flags.md#detail-objects`). */
export type ReasonCode =
  | "condition_match"
  | "no_condition_match"
  | "out_of_rollout_bound"
  | "no_group_type"
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

/** What a client sees as the value of a flag: the variant, or whether it is on. */
export type FlagValue = boolean | string

/** The answer for one flag and one caller. */
export interface FlagResult {
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
  /** Set when no condition matched and some were not even tried, because the request names no group of their type. */
  readonly hasSkippedGroups?: true
  /** Set when the flag could not be computed; `enabled` is false then and means nothing. */
  readonly error: FlagErrorCode | null
  /** Kept here once somebody has worked it out (`present/result-text.ts`), as a result is given to many. */
  text?: ResultText
}

/** One flag's result as JSON text behind a comma, with its key in front where it is a member of a map. */
export interface ResultText {
  readonly key: string
  /** The value SDKs read: the variant, else whether the flag is on. */
  readonly value: string
  /** Null when there is no payload for the value. */
  readonly payload: string | null
  /** The detail object (`docs/contract/flags.md#detail-objects`). */
  readonly detail: string
}

/** Properties of one person or group: what the caller sent wins over what is stored. */
export interface PropertySource {
  readonly overrides: JsonObject
  /** Stored properties; an empty object for somebody unknown. */
  readonly stored: JsonObject
  /** Set when the stored properties could not be read: only overrides can be relied on. */
  readonly unavailable: FlagErrorCode | null
}

/** Properties of a group that the request names. */
export interface GroupSource extends PropertySource {
  /** Group key as text; never empty. */
  readonly key: string
}

/** That indexes of group types could not be read, and which are known all the same. */
export interface UnreadGroupTypes {
  readonly error: FlagErrorCode
  readonly knownIndexes: ReadonlySet<number>
}

/** Everything an evaluation may know about one caller. Gathered beforehand; evaluation itself reads nothing else. */
export interface EvaluationFacts {
  readonly nowMs: number
  readonly distinctId: string
  readonly deviceId: string | null
  /** `$anon_distinct_id` of the request, for flags with experience continuity. */
  readonly anonymousDistinctId: string | null
  readonly person: PropertySource
  /** When the person was first seen, ISO 8601; null when unknown. */
  readonly personCreatedAt: string | null
  /** Group per group type index; a type that was not sent is absent. */
  readonly groups: ReadonlyMap<number, GroupSource>
  /** Set when the request names types whose indexes could not be read: any that is not known may be one of them. */
  readonly unreadGroupTypes?: UnreadGroupTypes | null
  /** Static cohorts the person belongs to, or why that is not known. */
  readonly staticCohortIds: ReadonlySet<number> | FlagErrorCode
  /** Stored hash key per flag key, or why they are not known. */
  readonly hashKeys: ReadonlyMap<string, string> | FlagErrorCode
}

/** One evaluation under way: the facts, the values of flags already computed, and the first fault of the present flag. */
export interface EvaluationScope {
  /** Different for every evaluation, so that an answer kept from another one is not taken for one of this. */
  readonly turn: number
  readonly facts: EvaluationFacts
  /** Result per position in the rules' dependency order; filtered-out flags stay undefined and count as off. */
  readonly results: (FlagResult | undefined)[]
  fault: FlagErrorCode | null
}

/** Whether one filter, or a tree of them, holds. May set `scope.fault`, after which the answer means nothing. */
export type ScopeTest = (scope: EvaluationScope) => boolean

/** Computes one flag for one caller; never throws for anything a definition or a caller can hold. */
export type FlagEvaluator = (scope: EvaluationScope) => FlagResult
