import type { CompiledFlag, CompiledRules } from "../compile/compiled-rules.types.js"
import type { EvaluationFacts, EvaluationScope } from "../evaluation.types.js"
import { cutIdentifier } from "../hashing/bucketing.js"
import { WORK_PER_DECISION } from "../operators/work-budget.js"
import type { FlagResult } from "../results/flag-result.types.js"
import { FlagEvaluator } from "./flag-evaluator.js"

/**
 * Decides flags for one caller.
 * @param flags some flags of the rules, in dependency order; any other one counts as off for those that depend on it.
 */
export function evaluateFlags(
  rules: CompiledRules,
  flags: readonly CompiledFlag[],
  facts: EvaluationFacts,
): FlagResult[] {
  const scope = createScope(rules, facts)
  const evaluator = new FlagEvaluator(rules.table, scope)
  const results: FlagResult[] = []
  for (const flag of flags) {
    const result = evaluator.evaluate(flag.number)
    scope.results[flag.position] = result
    results.push(result)
  }
  return results
}

/** Begins an evaluation with a project's rules. */
export const createScope = ({ context, document }: CompiledRules, facts: EvaluationFacts): EvaluationScope => ({
  number: context.sharedTests.beginEvaluation(),
  facts,
  identifier: cutIdentifier(facts.distinctId),
  results: new Array<FlagResult | undefined>(document.flags.length),
  fault: null,
  workLeft: WORK_PER_DECISION,
})
