import { cutIdentifier } from "./bucketing.js"
import type { EvaluationScope, FlagResult, ScopeTest } from "./evaluation.types.js"
import type { FlagHash } from "./flag-hash.js"
import type { HashBatch } from "./lanes/sha1-lanes.js"

/**
 * A flag that has nothing but conditions on persons told apart by distinct id, and perhaps variants: most flags. It says in
 * data what its evaluator does in code, so that a plan can lay out the data of all flags side by side.
 */
export interface PlainFlag {
  /** At least one. */
  readonly conditions: readonly PlainCondition[]
  /** Null when nobody is left out by a rollout. */
  readonly rollout: FlagHash | null
  /** Null when there are no variants. */
  readonly draw: FlagHash | null
  /** Where the variants' shares end, 0 to 1. */
  readonly upperBounds: readonly number[]
}

export interface PlainCondition {
  readonly tests: readonly ScopeTest[]
  /** Share of those it is open to; 1 and more is everybody. */
  readonly share: number
  /** Place of the variant it serves; -1 when that is drawn. */
  readonly variantIndex: number
  readonly whenTestFails: FlagResult
  readonly whenLeftOut: FlagResult
  /** First without a variant, then by variant. */
  readonly whenMatched: readonly FlagResult[]
}

/** Where results of a condition are, from its first one on. */
const LEFT_OUT = 1
const MATCHED = 2

/**
 * The plain flags of a list, laid out column by column. What the evaluators of 50 flags are made of is spread over more memory
 * than the processor keeps near, and fetching it takes longer than all that is done with it (decision 0021).
 */
export class FlagPlan {
  readonly #batch: HashBatch
  /** By flag; where one begins the one before ends. A flag without conditions is not plain. */
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
  readonly #results: readonly FlagResult[]
  /** What the present evaluation is for. */
  #identifier = ""

  constructor(flags: readonly (PlainFlag | null)[], batch: HashBatch) {
    this.#batch = batch
    const isIn = (hash: FlagHash | null): boolean => hash === null || hash.batch === batch
    const planned = flags.map((flag) => (flag !== null && isIn(flag.rollout) && isIn(flag.draw) ? flag : null))
    const conditions = planned.flatMap((flag) => flag?.conditions ?? [])
    this.#firstCondition = startsOf(planned.map((flag) => flag?.conditions.length ?? 0))
    this.#firstBound = startsOf(planned.map((flag) => flag?.upperBounds.length ?? 0))
    this.#rollout = Int32Array.from(planned, (flag) => flag?.rollout?.member ?? 0)
    this.#draw = Int32Array.from(planned, (flag) => flag?.draw?.member ?? 0)
    this.#firstTest = startsOf(conditions.map(({ tests }) => tests.length))
    this.#shares = Float64Array.from(conditions, ({ share }) => share)
    this.#variantIndexes = Int32Array.from(conditions, ({ variantIndex }) => variantIndex)
    const results = conditions.map((one) => [one.whenTestFails, one.whenLeftOut, ...one.whenMatched])
    this.#firstResult = startsOf(results.map(({ length }) => length))
    this.#tests = conditions.flatMap(({ tests }) => tests)
    this.#bounds = Float64Array.from(planned.flatMap((flag) => flag?.upperBounds ?? []))
    this.#results = results.flat()
  }

  /** Begins an evaluation; false when it has to do without a plan. */
  begin(scope: EvaluationScope): boolean {
    this.#identifier = cutIdentifier(scope.facts.distinctId)
    return this.#identifier !== ""
  }

  /**
   * What a flag's evaluator would answer; undefined when it has to be asked, because the flag is not plain, the identifier
   * too long or a fact could not be read.
   */
  resultOf(flag: number, scope: EvaluationScope): FlagResult | undefined {
    const end = this.#firstCondition[flag + 1] as number
    let found = -1
    let isLeftOut = false
    for (let condition = this.#firstCondition[flag] as number; condition < end; condition++) {
      const first = this.#firstResult[condition] as number
      if (!this.#holds(condition, scope)) {
        if (scope.fault !== null) return undefined
        if (!isLeftOut) found = first
        continue
      }
      if (scope.fault !== null) return undefined
      const share = this.#shares[condition] as number
      if (share < 1) {
        const fraction = this.#batch.fractionOf(this.#rollout[flag] as number, this.#identifier)
        if (fraction < 0) return undefined
        if (fraction > share) {
          isLeftOut = true
          found = first + LEFT_OUT
          continue
        }
      }
      const variant = this.#variantOf(flag, condition)
      return variant === undefined ? undefined : this.#results[first + MATCHED + variant + 1]
    }
    return this.#results[found]
  }

  #holds(condition: number, scope: EvaluationScope): boolean {
    const end = this.#firstTest[condition + 1] as number
    for (let test = this.#firstTest[condition] as number; test < end; test++)
      if (!(this.#tests[test] as ScopeTest)(scope)) return false
    return true
  }

  /** Place of the variant served, -1 for none; undefined when that cannot be told here. */
  #variantOf(flag: number, condition: number): number | undefined {
    const given = this.#variantIndexes[condition] as number
    const first = this.#firstBound[flag] as number
    const end = this.#firstBound[flag + 1] as number
    if (given >= 0 || first === end) return given
    const fraction = this.#batch.fractionOf(this.#draw[flag] as number, this.#identifier)
    if (fraction < 0) return undefined
    for (let bound = first; bound < end; bound++) if (fraction < (this.#bounds[bound] as number)) return bound - first
    return -1
  }
}

/** Where each of some runs begins when they lie one behind the other, and where the last one ends. */
function startsOf(lengths: readonly number[]): Int32Array {
  const starts = new Int32Array(lengths.length + 1)
  for (const [index, length] of lengths.entries()) starts[index + 1] = (starts[index] as number) + length
  return starts
}
