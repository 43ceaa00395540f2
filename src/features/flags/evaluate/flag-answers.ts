import type { Json } from "../../../kernel/json.js"
import type { FlagErrorCode, FlagResult, ReasonCode } from "./evaluation.types.js"

/** Makes the results of one flag. */
export interface FlagAnswers {
  on(variant: string | null, reason: ReasonCode, conditionIndex: number | null): FlagResult
  off(reason: ReasonCode, conditionIndex: number | null): FlagResult
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
  const made = { on: new ResultTable(), off: new ResultTable(), failed: new ResultTable() }
  const offResult = { id, key, version, enabled: false, variant: null, payload: null, error: null }
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
    off: (reason, conditionIndex) =>
      made.off.get(reason, null, conditionIndex) ?? made.off.set({ ...offResult, reason, conditionIndex }),
    failed: (error) =>
      made.failed.get(error, null, null) ??
      made.failed.set({ ...offResult, reason: "no_condition_match", conditionIndex: null, error }),
  }
}

/** Results by error or reason, variant and condition. */
class ResultTable {
  readonly #byCode = new Map<ReasonCode | FlagErrorCode, Map<string | null, Map<number | null, FlagResult>>>()

  get(code: ReasonCode | FlagErrorCode, variant: string | null, conditionIndex: number | null): FlagResult | undefined {
    return this.#byCode.get(code)?.get(variant)?.get(conditionIndex)
  }

  set(result: FlagResult): FlagResult {
    const code = result.error ?? result.reason
    const byVariant = this.#byCode.get(code) ?? new Map<string | null, Map<number | null, FlagResult>>()
    const byIndex = byVariant.get(result.variant) ?? new Map<number | null, FlagResult>()
    this.#byCode.set(code, byVariant.set(result.variant, byIndex.set(result.conditionIndex, result)))
    return result
  }
}
