import type { FlagDefinition } from "../definition/read-definition.js"
import type { EvaluationScope, FlagEvaluator, FlagResult } from "../evaluation.types.js"
import type { CompiledCondition, ConditionOutcome } from "./condition.js"
import type { FlagAnswers } from "./flag-answers.js"
import type { VariantDraw } from "./variant-draw.js"

/** How much each outcome says about a flag that matched nothing; ties go to the later condition. */
function weightOf(outcome: ConditionOutcome): number {
  if (outcome === "no_condition_match") return 1
  return outcome === "out_of_rollout_bound" ? 2 : 0
}

/**
 * Compiles what a flag's release conditions come to together: the first that matches decides, and when none does, the one
 * that says most gives the reason.
 */
export function compileReleaseConditions(
  { variants, earlyExit }: FlagDefinition,
  conditions: readonly CompiledCondition[],
  draw: VariantDraw,
  answers: FlagAnswers,
): FlagEvaluator {
  const declared = new Set(variants.map((variant) => variant.key))

  const matched = (scope: EvaluationScope, condition: CompiledCondition, index: number): FlagResult => {
    const { variant, groupTypeIndex } = condition
    const served = variant !== null && declared.has(variant) ? variant : draw.variantFor(scope, groupTypeIndex)
    return answers.on(served, "condition_match", index)
  }

  return (scope) => {
    let reason: ConditionOutcome = "no_condition_match"
    let reasonIndex: number | null = null
    let hasSkippedGroups = false
    for (let index = 0; index < conditions.length; index++) {
      const condition = conditions[index] as CompiledCondition
      const outcome = condition.test(scope)
      if (scope.fault !== null) break
      if (outcome === "condition_match") return matched(scope, condition, index)
      if (outcome === "no_group_type") hasSkippedGroups = true
      if (reasonIndex === null || weightOf(outcome) >= weightOf(reason)) {
        reason = outcome
        reasonIndex = index
      }
      if (earlyExit && outcome === "out_of_rollout_bound" && condition.canExitEarly(scope))
        return answers.off(outcome, index, false)
    }
    return answers.off(reason, reasonIndex, hasSkippedGroups && reason === "no_condition_match")
  }
}
