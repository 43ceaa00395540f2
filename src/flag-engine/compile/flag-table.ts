import type { ScopeTest } from "../evaluation.types.js"
import type { CreateHashBatch, HashBatch, HashInput } from "../hashing/hash-batch.types.js"
import type { FlagResult } from "../results/flag-result.types.js"
import type { FlagRule } from "./flag-rule.types.js"

/**
 * The rules of several flags as a structure of arrays: one array per property, instead of one object per flag. An evaluation
 * reads all flags from first to last, so that arrays are read in the order in which they lie in memory. Objects are not: each
 * flag is spread over ten cache lines, and waiting for those took longer than all the work (decision 0042).
 *
 * Flags, conditions and so on are numbered through all flags. What belongs to one, such as the conditions of flag `f`, lies
 * from `firstCondition[f]` up to, but not including, `firstCondition[f + 1]`.
 */
export interface FlagTable {
  readonly hashes: HashBatch
  /** By flag: what is rarely needed of it. */
  readonly rules: readonly FlagRule[]
  /** By flag: 1 when its conditions alone decide, for persons told apart by their distinct id, which is so for most flags. */
  readonly isPlain: Uint8Array
  readonly firstCondition: Int32Array
  readonly firstVariant: Int32Array
  /** By flag: numbers of its hashes; -1 for one that it never asks for. */
  readonly rolloutHash: Int32Array
  readonly variantHash: Int32Array
  readonly holdoutHash: Int32Array
  /** By condition: -1 for persons. */
  readonly groupTypeIndex: Int32Array
  readonly firstTest: Int32Array
  /** By condition: 0 to 100. */
  readonly rolloutPercentage: Float64Array
  /** By condition: which of the flag's variants it serves, from 0; -1 when that is drawn. */
  readonly variantIndex: Int32Array
  readonly firstResult: Int32Array
  readonly tests: readonly ScopeTest[]
  /** By variant: where its share ends, 0 to 1. */
  readonly variantBounds: Float64Array
  /** By condition and place (`PLACES`): results that some evaluation has come to. */
  readonly results: (FlagResult | undefined)[]
}

/** Places of a condition's results, counted from its first. Those of matches with a variant follow, in their order. */
export const PLACES = {
  no_condition_match: 0,
  skipped_groups: 1,
  out_of_rollout_bound: 2,
  no_group_type: 3,
  match_without_variant: 4,
  first_variant: 5,
} as const

/** Lays rules out, in the order in which they are to be evaluated. */
export function toFlagTable(rules: readonly FlagRule[], createHashBatch: CreateHashBatch): FlagTable {
  const inputs: HashInput[] = []
  const toNumbers = (select: (rule: FlagRule) => HashInput | null): Int32Array =>
    Int32Array.from(rules, (rule) => {
      const input = select(rule)
      return input === null ? -1 : inputs.push(input) - 1
    })
  const conditions = rules.flatMap((rule) => rule.conditions)
  const resultCounts = rules.flatMap(({ conditions: own, variantBounds }) =>
    own.map(() => PLACES.first_variant + variantBounds.length),
  )
  const firstResult = toStarts(resultCounts)
  const hashNumbers = {
    rolloutHash: toNumbers((rule) => rule.rollout),
    variantHash: toNumbers((rule) => rule.variantDraw),
    holdoutHash: toNumbers((rule) => rule.holdoutDraw),
  }
  return {
    hashes: createHashBatch(inputs),
    rules,
    isPlain: Uint8Array.from(rules, (rule) => Number(isPlain(rule))),
    firstCondition: toStarts(rules.map((rule) => rule.conditions.length)),
    firstVariant: toStarts(rules.map((rule) => rule.variantBounds.length)),
    ...hashNumbers,
    groupTypeIndex: Int32Array.from(conditions, (condition) => condition.groupTypeIndex ?? -1),
    firstTest: toStarts(conditions.map(({ tests }) => tests.length)),
    rolloutPercentage: Float64Array.from(conditions, (condition) => condition.rolloutPercentage),
    variantIndex: Int32Array.from(conditions, (condition) => condition.variantIndex),
    firstResult,
    tests: conditions.flatMap(({ tests }) => tests),
    variantBounds: Float64Array.from(rules.flatMap((rule) => rule.variantBounds)),
    results: Array.from({ length: firstResult.at(-1) ?? 0 }, () => undefined),
  }
}

function isPlain({ fixedResult, superCondition, holdout, earlyExit, bucketing, conditions }: FlagRule): boolean {
  const isAboutPersons = conditions.every(({ groupTypeIndex }) => groupTypeIndex === null)
  const isByDistinctId = bucketing.identifier === "distinct_id" && !bucketing.continuity
  const isByConditions = fixedResult === null && superCondition === null && holdout === null && !earlyExit
  return isByConditions && isByDistinctId && isAboutPersons && conditions.length > 0
}

/** Where each run begins when runs of these lengths lie one behind the other, and where the last one ends. */
function toStarts(lengths: readonly number[]): Int32Array {
  const starts = new Int32Array(lengths.length + 1)
  let end = 0
  for (const [index, length] of lengths.entries()) {
    end += length
    starts[index + 1] = end
  }
  return starts
}
