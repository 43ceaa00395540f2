import type { EvaluationFacts, FlagResult } from "./evaluation.types.js"
import { createScope } from "./evaluation-scope.js"
import type { FlagEvaluator } from "./flag.js"

/** A compiled flag at its place in the dependency order. */
export interface OrderedFlag {
  readonly position: number
  readonly evaluate: FlagEvaluator
}

/**
 * Computes flags for one caller. `flags` come in dependency order and keep their positions in the whole list, so that a
 * flag left out of them counts as off for the flags depending on it.
 */
export function evaluateFlags(flags: readonly OrderedFlag[], flagCount: number, facts: EvaluationFacts): FlagResult[] {
  const scope = createScope(facts, flagCount)
  const results: FlagResult[] = []
  for (let index = 0; index < flags.length; index++) {
    const flag = flags[index] as OrderedFlag
    const result = flag.evaluate(scope)
    scope.results[flag.position] = result
    results.push(result)
  }
  return results
}
