import type { PlainFlag } from "../compile/plain-flag.js"
import type { EvaluationScope, FlagEvaluator, FlagResult, ScopeTest } from "../evaluation.types.js"
import { cutIdentifier, upperBoundsOf } from "../hashing/bucketing.js"
import type { FlagHash } from "../hashing/flag-hash.js"
import type { HashBatch } from "../hashing/sha1-lanes.js"

/**
 * Places of a condition's results, counted from its first: its tests fail (0), left out by the rollout, matched without
 * a variant, then one per variant.
 */
const LEFT_OUT = 1
const MATCHED = 2
const FIRST_VARIANT = 3
const TO_BE_ASKED = -1

/**
 * The plain flags of a list, laid out column by column. What the evaluators of 50 flags are made of is spread over more memory
 * than the processor keeps near, and fetching it takes longer than all that is done with it (decision 0027).
 */
export class FlagPlan {
  readonly #batch: HashBatch
  /**
   * By flag: where its conditions begin, which is where those of the flag before end. A flag without conditions is not
   * plain.
   */
  readonly #firstCondition: Int32Array
  readonly #firstBound: Int32Array
  readonly #rollout: Int32Array
  readonly #draw: Int32Array
  /** By condition. */
  readonly #firstTest: Int32Array
  readonly #shares: Float64Array
  readonly #variantIndexes: Int32Array
  readonly #firstResult: Int32Array
  readonly #tests: readonly ScopeTest[]
  readonly #bounds: Float64Array
  /** Results that evaluators gave; undefined where no evaluation has come to that result so far. */
  readonly #results: (FlagResult | undefined)[]
  /** Identifier of the present evaluation. */
  #identifier = ""

  constructor(flags: readonly (PlainFlag | null)[], batch: HashBatch) {
    this.#batch = batch
    const isIn = (hash: FlagHash | null): boolean => hash === null || hash.batch === batch
    const planned = flags.map((flag) => (flag !== null && isIn(flag.rollout) && isIn(flag.draw) ? flag : null))
    const conditions = planned.flatMap((flag) => flag?.conditions ?? [])
    const resultCounts = planned.flatMap((flag) =>
      (flag?.conditions ?? []).map(() => FIRST_VARIANT + (flag?.variants.length ?? 0)),
    )
    this.#firstCondition = startsOf(planned.map((flag) => flag?.conditions.length ?? 0))
    this.#firstBound = startsOf(planned.map((flag) => flag?.variants.length ?? 0))
    this.#rollout = Int32Array.from(planned, (flag) => flag?.rollout?.member ?? 0)
    this.#draw = Int32Array.from(planned, (flag) => flag?.draw?.member ?? 0)
    this.#firstTest = startsOf(conditions.map(({ tests }) => tests.length))
    this.#shares = Float64Array.from(conditions, ({ rolloutPercentage }) => rolloutPercentage / 100)
    this.#variantIndexes = Int32Array.from(conditions, ({ variantIndex }) => variantIndex)
    this.#firstResult = startsOf(resultCounts)
    this.#tests = conditions.flatMap(({ tests }) => tests)
    this.#bounds = Float64Array.from(planned.flatMap((flag) => upperBoundsOf(flag?.variants ?? [])))
    this.#results = Array.from({ length: this.#firstResult.at(-1) as number }, () => undefined)
  }

  /** Begins an evaluation; false when it has to do without a plan. */
  begin(scope: EvaluationScope): boolean {
    this.#identifier = cutIdentifier(scope.facts.distinctId)
    return this.#identifier !== ""
  }

  /**
   * The result of a flag. Its evaluator is asked where the plan cannot tell, or comes to a result for the first time.
   */
  resultOf(flag: number, evaluate: FlagEvaluator, scope: EvaluationScope): FlagResult {
    const place = this.#placeOrAsk(flag, scope)
    const known = place === TO_BE_ASKED ? undefined : this.#results[place]
    if (known !== undefined) return known
    const result = evaluate(scope)
    if (place !== TO_BE_ASKED && result.error === null) this.#results[place] = result
    return result
  }

  #placeOrAsk(flag: number, scope: EvaluationScope): number {
    scope.fault = null
    try {
      return this.#placeOf(flag, scope)
    } catch {
      // A test that throws is the evaluator's to answer for.
      return TO_BE_ASKED
    }
  }

  /** To be asked: flags that are not plain, identifiers too long for the batch, and facts that could not be read. */
  #placeOf(flag: number, scope: EvaluationScope): number {
    const end = this.#firstCondition[flag + 1] as number
    let found = TO_BE_ASKED
    let isLeftOut = false
    for (let condition = this.#firstCondition[flag] as number; condition < end; condition++) {
      const first = this.#firstResult[condition] as number
      const holds = this.#holds(condition, scope)
      if (scope.fault !== null) return TO_BE_ASKED
      if (!holds) {
        if (!isLeftOut) found = first
        continue
      }
      const share = this.#shares[condition] as number
      if (share < 1) {
        const fraction = this.#batch.fractionOf(this.#rollout[flag] as number, this.#identifier)
        if (fraction < 0) return TO_BE_ASKED
        if (fraction > share) {
          isLeftOut = true
          found = first + LEFT_OUT
          continue
        }
      }
      return this.#matched(flag, condition, first)
    }
    return found
  }

  #holds(condition: number, scope: EvaluationScope): boolean {
    const end = this.#firstTest[condition + 1] as number
    for (let test = this.#firstTest[condition] as number; test < end; test++)
      if (!(this.#tests[test] as ScopeTest)(scope)) return false
    return true
  }

  #matched(flag: number, condition: number, firstResult: number): number {
    const given = this.#variantIndexes[condition] as number
    if (given >= 0) return firstResult + FIRST_VARIANT + given
    const first = this.#firstBound[flag] as number
    const end = this.#firstBound[flag + 1] as number
    if (first === end) return firstResult + MATCHED
    const fraction = this.#batch.fractionOf(this.#draw[flag] as number, this.#identifier)
    if (fraction < 0) return TO_BE_ASKED
    for (let bound = first; bound < end; bound++)
      if (fraction < (this.#bounds[bound] as number)) return firstResult + FIRST_VARIANT + bound - first
    return firstResult + MATCHED
  }
}

/** Where each run begins when runs of these lengths lie one behind the other, and where the last one ends. */
function startsOf(lengths: readonly number[]): Int32Array {
  const starts = new Int32Array(lengths.length + 1)
  for (let index = 0; index < lengths.length; index++)
    starts[index + 1] = (starts[index] as number) + (lengths[index] as number)
  return starts
}
