import type { Condition } from "../definition/read-definition.js"
import type { EvaluationScope, ScopeTest } from "../evaluation.types.js"
import { isWithinRollout } from "../hashing/bucketing.js"
import { type CompileContext, compileFilter } from "./filter.js"
import { type Bucketing, rolloutIdentifier } from "./identifier.js"
import { groupOf } from "./property-lookup.js"

/** What one release condition says of a caller; those that do not match become the reason of the flag. */
export type ConditionOutcome = "condition_match" | "out_of_rollout_bound" | "no_condition_match" | "no_group_type"

/** A release condition, ready to evaluate. */
export interface CompiledCondition {
  readonly variant: string | null
  readonly groupTypeIndex: number | null
  /** All of them must hold; cohort filters come last. */
  readonly tests: readonly ScopeTest[]
  readonly rolloutPercentage: number
  /** What the condition says of the caller; means nothing once it has set the scope's fault. */
  readonly test: (scope: EvaluationScope) => ConditionOutcome
  /** Whether a caller left out by rollout may end the flag early; a missing device id does not. */
  readonly canExitEarly: (scope: EvaluationScope) => boolean
}

/** Compiles one release condition: filters in stored order, cohort filters last, then the rollout. */
export function compileCondition(
  condition: Condition,
  bucketing: Bucketing,
  context: CompileContext,
): CompiledCondition {
  const { groupTypeIndex, rolloutPercentage } = condition
  const cohortsLast = [...condition.filters].sort(byCohortLast)
  const tests = cohortsLast.map((filter) => compileFilter(filter, groupTypeIndex, context))
  const needsDevice = groupTypeIndex === null && bucketing.identifier === "device_id"
  const hasDevice = (scope: EvaluationScope): boolean => !needsDevice || (scope.facts.deviceId ?? "") !== ""

  const test = (scope: EvaluationScope): ConditionOutcome => {
    if (groupTypeIndex !== null && groupOf(scope, groupTypeIndex) === undefined) return "no_group_type"
    if (needsDevice && !hasDevice(scope)) return "out_of_rollout_bound"
    for (let index = 0; index < tests.length; index++)
      if (!(tests[index] as ScopeTest)(scope)) return "no_condition_match"
    if (rolloutPercentage >= 100) return "condition_match"
    const identifier = rolloutIdentifier(scope, bucketing, groupTypeIndex)
    if (identifier === null) return "out_of_rollout_bound"
    return isWithinRollout(bucketing.rollout.of(identifier), rolloutPercentage)
      ? "condition_match"
      : "out_of_rollout_bound"
  }
  return { variant: condition.variant, groupTypeIndex, tests, rolloutPercentage, test, canExitEarly: hasDevice }
}

const byCohortLast = (left: { type: string }, right: { type: string }): number =>
  Number(left.type === "cohort") - Number(right.type === "cohort")
