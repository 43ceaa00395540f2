import type { EvaluableFlag } from "../compile/flag.js"
import type { EvaluationFacts, FlagResult } from "../evaluation.types.js"
import { batchHashes } from "../hashing/flag-hash.js"
import { createScope } from "./evaluation-scope.js"
import { FlagPlan } from "./flag-plan.js"

/** A compiled flag at its place in the dependency order. */
export interface OrderedFlag extends EvaluableFlag {
  readonly position: number
}

const plans = new WeakMap<readonly OrderedFlag[], FlagPlan>()

/** Lays a list of flags out for evaluation; worth it for lists that many requests are about. */
export function planFlags(flags: readonly OrderedFlag[]): void {
  const batch = batchHashes(flags.flatMap(({ hashes }) => hashes))
  const plain = flags.map((flag) => flag.plain)
  if (batch !== null) plans.set(flags, new FlagPlan(plain, batch))
}

/**
 * Computes flags for one caller. `flags` come in dependency order and keep their positions in the whole list, so that a
 * flag left out of them counts as off for the flags depending on it.
 */
export function evaluateFlags(flags: readonly OrderedFlag[], flagCount: number, facts: EvaluationFacts): FlagResult[] {
  const scope = createScope(facts, flagCount)
  const known = plans.get(flags)
  const plan = known?.begin(scope) === true ? known : null
  const results: FlagResult[] = []
  for (let index = 0; index < flags.length; index++) {
    const flag = flags[index] as OrderedFlag
    const result = plan === null ? flag.evaluate(scope) : plan.resultOf(index, flag.evaluate, scope)
    scope.results[flag.position] = result
    results.push(result)
  }
  return results
}
