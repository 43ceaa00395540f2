import type { Json } from "../../kernel/json.js"
import type { FlagErrorCode, FlagResult, ReasonCode } from "../evaluation.types.js"

/** Makes the results of one flag. */
export interface FlagAnswers {
  on(variant: string | null, reason: ReasonCode, conditionIndex: number | null): FlagResult
  off(reason: ReasonCode, conditionIndex: number | null, hasSkippedGroups: boolean): FlagResult
  failed(error: FlagErrorCode): FlagResult
}

/** What results repeat of their flag. */
export interface AnsweringFlag {
  readonly id: number
  readonly key: string
  readonly version: number
}

/** What tells the results of one flag apart. */
type Outcome = Pick<FlagResult, "enabled" | "variant" | "reason" | "conditionIndex" | "error" | "hasSkippedGroups">

/**
 * Each result is made once and given to everybody it belongs to: a flag has as many as it has conditions and variants, and
 * what is worked out for one, such as its text on the wire, can be kept with it.
 */
export function createFlagAnswers(
  { id, key, version }: AnsweringFlag,
  payloadOf: (variant: string | null) => Json,
): FlagAnswers {
  /** By condition; the first place is for those that no condition decided. */
  const made: FlagResult[][] = []

  const make = ({ enabled, variant, reason, conditionIndex, error, hasSkippedGroups }: Outcome): FlagResult => {
    const payload = enabled ? payloadOf(variant) : null
    // All results have all properties in this order, so that reading one is the same machine code for every flag.
    return {
      id,
      key,
      version,
      enabled,
      variant,
      payload,
      reason,
      conditionIndex,
      hasSkippedGroups,
      error,
      text: undefined,
    }
  }

  /** One condition has few results, so that looking through them takes less than any hashing. */
  const once = (
    enabled: boolean,
    variant: string | null,
    reason: ReasonCode,
    conditionIndex: number | null,
    error: FlagErrorCode | null,
    hasSkippedGroups?: true,
  ): FlagResult => {
    const place = conditionIndex === null ? 0 : conditionIndex + 1
    const results = made[place] ?? []
    for (let index = 0; index < results.length; index++) {
      const one = results[index] as FlagResult
      if (one.enabled !== enabled || one.variant !== variant || one.reason !== reason) continue
      if (one.error === error && one.hasSkippedGroups === hasSkippedGroups) return one
    }
    const result = make({ enabled, variant, reason, conditionIndex, error, hasSkippedGroups })
    results.push(result)
    made[place] = results
    return result
  }

  return {
    on: (variant, reason, conditionIndex) => once(true, variant, reason, conditionIndex, null),
    off: (reason, conditionIndex, hasSkippedGroups) =>
      once(false, null, reason, conditionIndex, null, hasSkippedGroups ? true : undefined),
    failed: (error) => once(false, null, "no_condition_match", null, error),
  }
}
