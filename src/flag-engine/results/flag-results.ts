import type { Json, JsonObject } from "../../kernel/json.js"
import { describeReason } from "./describe-reason.js"
import type { ConditionOutcome, FlagErrorCode, FlagOutcome, FlagResult, ReasonCode } from "./flag-result.types.js"
import { toResultText } from "./result-text.js"

/** What results repeat of their flag. */
export interface FlagIdentity {
  readonly id: number
  readonly key: string
  readonly version: number
}

/** Absent fields are those of a flag that is off, without a condition that says so. */
type NewOutcome = Pick<FlagOutcome, "reason"> & Partial<FlagOutcome> & { readonly hasSkippedGroups?: boolean }

/**
 * The results that one flag can have: a few per condition and variant. Each is made when it first occurs and then given to
 * everybody, with its JSON text, because writing that text costs more than reaching the result.
 */
export class FlagResults {
  /** Keys of the flag's variants. */
  readonly variants: readonly string[]
  readonly #flag: FlagIdentity
  readonly #payloads: JsonObject
  readonly #made = new Map<string, FlagResult>()

  constructor({ id, key, version }: FlagIdentity, variants: readonly string[] = [], payloads: JsonObject = {}) {
    this.#flag = { id, key, version }
    this.variants = variants
    this.#payloads = payloads
  }

  /** A condition matched. @param variantIndex position among the flag's variants; -1 for a flag that is just on. */
  matched(conditionIndex: number, variantIndex: number): FlagResult {
    return this.on("condition_match", conditionIndex, this.variants[variantIndex] ?? null)
  }

  /** No condition matched; this one gives the reason. */
  missed(conditionIndex: number, reason: ConditionOutcome, hasSkippedGroups: boolean): FlagResult {
    return this.#get({ reason, conditionIndex, hasSkippedGroups })
  }

  on(reason: ReasonCode, conditionIndex: number | null, variant: string | null): FlagResult {
    return this.#get({ enabled: true, variant, reason, conditionIndex })
  }

  off(reason: ReasonCode, conditionIndex: number | null): FlagResult {
    return this.#get({ reason, conditionIndex })
  }

  failed(error: FlagErrorCode): FlagResult {
    return this.#get({ reason: "no_condition_match", error })
  }

  #get(outcome: NewOutcome): FlagResult {
    const name = JSON.stringify(outcome)
    let result = this.#made.get(name)
    if (result === undefined) {
      result = this.#make(outcome)
      this.#made.set(name, result)
    }
    return result
  }

  /** Every result has all properties in the same order, so that V8 reads all of them with the same machine code. */
  #make(outcome: NewOutcome): FlagResult {
    const { enabled = false, variant = null, reason, conditionIndex = null, error = null } = outcome
    const { hasSkippedGroups = false } = outcome
    const payload = enabled ? this.#findPayload(variant) : null
    const description = describeReason({ reason, conditionIndex, error, hasSkippedGroups })
    const { id, key, version } = this.#flag
    const result = { id, key, version, enabled, variant, payload, reason, conditionIndex, error, description }
    return { ...result, text: toResultText(result) }
  }

  #findPayload(variant: string | null): Json {
    const key = variant ?? "true"
    return Object.hasOwn(this.#payloads, key) ? (this.#payloads[key] ?? null) : null
  }
}
