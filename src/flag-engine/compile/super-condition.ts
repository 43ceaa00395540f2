import type { Condition, FlagDefinition } from "../definition/read-definition.js"
import type { EvaluationScope } from "../evaluation.types.js"
import { isWithinRollout } from "../hashing/bucketing.js"
import { type CompileContext, compileFilter } from "./filter.js"
import { type Bucketing, rolloutIdentifier } from "./identifier.js"
import { personProperty } from "./property-lookup.js"

/** What the caller decided by enrolling: in, out, or null when they never did. */
export type SuperConditionTest = (scope: EvaluationScope) => boolean | null

/**
 * Compiles early-access enrolment, in its present form or as the older `super_groups`
 * (`docs/contract/flags.md#order-of-evaluation`); null for neither.
 */
export function compileSuperCondition(
  definition: FlagDefinition,
  bucketing: Bucketing,
  context: CompileContext,
): SuperConditionTest | null {
  if (definition.featureEnrollment) return byEnrolment(bucketing.flagKey)
  if (definition.superCondition !== null) return byFilters(definition.superCondition, bucketing, context)
  return null
}

/** Only `true` and the text of that name enrol; any other value is a person who left. */
function byEnrolment(flagKey: string): SuperConditionTest {
  const enrolment = personProperty(`$feature_enrollment/${flagKey}`)
  return (scope) => {
    const value = enrolment(scope)
    if (value === undefined) return null
    return value === true || value === "true"
  }
}

/** The older form decides only for persons who have one of its properties at all. */
function byFilters(condition: Condition, bucketing: Bucketing, context: CompileContext): SuperConditionTest {
  const lookups = condition.filters.map((filter) => personProperty(filter.key))
  const tests = condition.filters.map((filter) => compileFilter(filter, null, context))
  return (scope) => {
    if (!lookups.some((lookup) => lookup(scope) !== undefined)) return null
    if (!tests.every((test) => test(scope))) return false
    if (condition.rolloutPercentage >= 100) return true
    const identifier = rolloutIdentifier(scope, bucketing, null)
    return identifier !== null && isWithinRollout(bucketing.rollout.of(identifier), condition.rolloutPercentage)
  }
}
