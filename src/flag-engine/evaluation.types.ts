import type { JsonObject } from "../kernel/json.js"
import type { FlagErrorCode, FlagResult } from "./results/flag-result.types.js"

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

/** One evaluation under way: the facts, the results of flags already evaluated, and the first fault of the present flag. */
export interface EvaluationScope {
  /** Different for every evaluation with the same rules, so that an answer kept from another one is not taken for one of this. */
  readonly number: number
  readonly facts: EvaluationFacts
  /** The distinct id as it is hashed. */
  readonly identifier: string
  /** Result per position in the rules' dependency order; flags that are not evaluated stay undefined and count as off. */
  readonly results: (FlagResult | undefined)[]
  fault: FlagErrorCode | null
  /** What comparing may still take in this evaluation. */
  workLeft: number
}

/** Whether one filter, or a tree of them, holds. May set `scope.fault`, after which the answer means nothing. */
export type ScopeTest = (scope: EvaluationScope) => boolean
