import type { RuleFlag } from "../definition/rule-document.types.js"
import type { HashInput } from "../hashing/hash-batch.types.js"
import type { CompiledFlag, FlagRule } from "./compiled-rules.types.js"

/**
 * Gives the rule of a flag its place among the rules.
 * @param inputs what the rules hash; those of the flag are added.
 */
export function placeFlag(flag: RuleFlag, position: number, rule: FlagRule, inputs: HashInput[]): CompiledFlag {
  const { key, evaluationRuntime, evaluationContexts, dependencies, dependencyFault, needs } = flag
  const add = (input: HashInput | null): number => (input === null ? -1 : inputs.push(input) - 1)
  return {
    ...rule,
    position,
    key,
    rolloutHash: add(rule.rollout),
    variantHash: add(rule.variantDraw),
    holdoutHash: add(rule.holdoutDraw),
    evaluationRuntime,
    evaluationContexts,
    dependencies,
    isInCycle: dependencyFault === "cycle",
    needs,
  }
}
