import type { Json } from "../../../kernel/json.js"
import type { FlagErrorCode, FlagResult, ReasonCode } from "./evaluation.types.js"

/** Makes the results of one flag. */
export interface FlagAnswers {
  on(variant: string | null, reason: ReasonCode, conditionIndex: number | null): FlagResult
  off(reason: ReasonCode, conditionIndex: number | null, hasSkippedGroups: boolean): FlagResult
  failed(error: FlagErrorCode): FlagResult
}

export interface AnsweringFlag {
  readonly id: number
  readonly key: string
  readonly version: number
}

/**
 * Each result is made once and given to everybody it belongs to: a flag has as many as it has conditions and variants, and
 * what is worked out for one, such as its text on the wire, can be kept beside it.
 */
export function createFlagAnswers(
  { id, key, version }: AnsweringFlag,
  payloadOf: (variant: string | null) => Json,
): FlagAnswers {
  const made = {
    on: new ResultTable(),
    off: new ResultTable(),
    offSkipped: new ResultTable(),
    failed: new ResultTable(),
  }
  const offResult = { id, key, version, enabled: false, variant: null, payload: null }
  return {
    on: (variant, reason, conditionIndex) =>
      made.on.get(reason, variant, conditionIndex) ??
      made.on.set({
        id,
        key,
        version,
        enabled: true,
        variant,
        payload: payloadOf(variant),
        reason,
        conditionIndex,
        error: null,
      }),
    off: (reason, conditionIndex, hasSkippedGroups) => {
      const table = hasSkippedGroups ? made.offSkipped : made.off
      return (
        table.get(reason, null, conditionIndex) ??
        table.set({ ...offResult, reason, conditionIndex, error: null, ...(hasSkippedGroups && { hasSkippedGroups }) })
      )
    },
    failed: (error) =>
      made.failed.get(error, null, null) ??
      made.failed.set({ ...offResult, reason: "no_condition_match", conditionIndex: null, error }),
  }
}

/** Results by condition. One condition has few of them, so that looking through them takes less than any hashing. */
class ResultTable {
  /** Place 0 is for results that no condition decided. */
  readonly #byCondition: FlagResult[][] = []

  get(code: ReasonCode | FlagErrorCode, variant: string | null, conditionIndex: number | null): FlagResult | undefined {
    const made = this.#byCondition[placeOf(conditionIndex)]
    if (made === undefined) return undefined
    for (const result of made) if (result.variant === variant && (result.error ?? result.reason) === code) return result
    return undefined
  }

  set(result: FlagResult): FlagResult {
    const place = placeOf(result.conditionIndex)
    const made = this.#byCondition[place] ?? []
    made.push(result)
    this.#byCondition[place] = made
    return result
  }
}

const placeOf = (conditionIndex: number | null): number => (conditionIndex === null ? 0 : conditionIndex + 1)
