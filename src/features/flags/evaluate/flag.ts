import type { Json } from "../../../kernel/json.js"
import { holdoutHash, isWithinRollout, pickVariant } from "./bucketing.js"
import { type CompiledCondition, type ConditionOutcome, compileCondition } from "./condition.js"
import { type FlagDefinition, type Holdout, readFlagDefinition } from "./definition.js"
import type { EvaluationScope, FlagEvaluator, FlagResult } from "./evaluation.types.js"
import type { CompileContext } from "./filter.js"
import { createFlagAnswers } from "./flag-answers.js"
import { FlagHash } from "./flag-hash.js"
import type { PlainCondition, PlainFlag } from "./flag-plan.js"
import { type Bucketing, type BucketingIdentifier, holdoutIdentifier, rolloutIdentifier } from "./identifier.js"
import { compileSuperCondition } from "./super-condition.js"

/** One stored flag, as far as evaluation is concerned. */
export interface FlagInput {
  readonly id: number
  readonly key: string
  readonly version: number
  /** The stored `filters`, whatever its shape. */
  readonly filters: Json
  readonly bucketingIdentifier: BucketingIdentifier
  readonly ensureExperienceContinuity: boolean
  /** Whether a flag it depends on is missing or part of a circle; such a flag is off (`reference/flags.md` 4.5). */
  readonly hasMissingDependency: boolean
}

export interface EvaluableFlag {
  readonly evaluate: FlagEvaluator
  /** The hashes it may ask for, to be worked out along with those of other flags. */
  readonly hashes: readonly FlagHash[]
  /** The same as data; null when it takes more than conditions on persons and variants. */
  readonly plain: PlainFlag | null
}

/** How much each outcome says about a flag that matched nothing; ties go to the later condition. */
function weightOf(outcome: ConditionOutcome): number {
  if (outcome === "no_condition_match") return 1
  return outcome === "out_of_rollout_bound" ? 2 : 0
}

/**
 * Compiles a stored flag into its evaluator, in the order of `reference/flags.md` 4.5. A definition that cannot be read
 * gives an evaluator that fails, so that it spoils only its own flag.
 */
export function compileFlag(flag: FlagInput, context: CompileContext): EvaluableFlag {
  const answers = createFlagAnswers(flag, () => null)
  if (flag.hasMissingDependency)
    return { evaluate: () => answers.off("missing_dependency", null, false), hashes: [], plain: null }
  try {
    return compileDefinition(flag, readFlagDefinition(flag.filters), context)
  } catch {
    // Whatever is wrong with it, damaged data of one flag must not take the project's other flags down.
    return { evaluate: () => answers.failed("flag_data_parsing_error"), hashes: [], plain: null }
  }
}

function compileDefinition(flag: FlagInput, definition: FlagDefinition, context: CompileContext): EvaluableFlag {
  const draw = new FlagHash(`${flag.key}.`, "variant")
  const bucketing: Bucketing = {
    flagKey: flag.key,
    identifier: flag.bucketingIdentifier,
    continuity: flag.ensureExperienceContinuity,
    rollout: new FlagHash(`${flag.key}.`, ""),
  }
  const { variants, payloads, groupTypeIndex, earlyExit, holdout } = definition
  const declared = new Set(variants.map((variant) => variant.key))
  const conditions = definition.conditions.map((condition) => compileCondition(condition, bucketing, context))
  const superCondition = compileSuperCondition(definition, bucketing, context)

  const answers = createFlagAnswers(flag, (variant) => {
    const payloadKey = variant ?? "true"
    return Object.hasOwn(payloads, payloadKey) ? (payloads[payloadKey] as Json) : null
  })

  const hashedVariant = (scope: EvaluationScope, group: number | null): string | null => {
    if (variants.length === 0) return null
    const identifier = rolloutIdentifier(scope, bucketing, group)
    return identifier === null ? null : pickVariant(draw.of(identifier), variants)
  }

  const matched = (scope: EvaluationScope, condition: CompiledCondition, index: number): FlagResult => {
    const { variant } = condition
    const served = variant !== null && declared.has(variant) ? variant : hashedVariant(scope, condition.groupTypeIndex)
    return answers.on(served, "condition_match", index)
  }

  const isHeldOut = (holdout: Holdout, scope: EvaluationScope): boolean => {
    if (holdout.percentage >= 100) return true
    const identifier = holdoutIdentifier(scope, bucketing, groupTypeIndex)
    return identifier !== null && isWithinRollout(holdoutHash(identifier), Math.max(0, holdout.percentage))
  }

  const compute = (scope: EvaluationScope): FlagResult => {
    const enrolled = superCondition === null ? null : superCondition(scope)
    if (enrolled !== null)
      return enrolled ? answers.on(null, "super_condition_value", 0) : answers.off("super_condition_value", 0, false)
    if (holdout !== null && isHeldOut(holdout, scope)) {
      const variant = holdout.variant ?? hashedVariant(scope, groupTypeIndex) ?? "holdout"
      return answers.on(variant, "holdout_condition_value", null)
    }
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

  const evaluate = (scope: EvaluationScope): FlagResult => {
    scope.fault = null
    try {
      const result = compute(scope)
      return scope.fault === null ? result : answers.failed(scope.fault)
    } catch {
      return answers.failed("flag_data_parsing_error")
    }
  }

  const isPartial = [...definition.conditions, definition.superCondition].some(
    (one) => (one?.rolloutPercentage ?? 100) < 100,
  )
  const rollout = isPartial ? bucketing.rollout : null
  const drawn = variants.length > 0 ? draw : null
  const isPlain =
    superCondition === null &&
    holdout === null &&
    !earlyExit &&
    flag.bucketingIdentifier === "distinct_id" &&
    !flag.ensureExperienceContinuity &&
    conditions.length > 0 &&
    conditions.every((condition) => condition.groupTypeIndex === null)
  const plain = isPlain ? { conditions: conditions.map(toPlain), variants, rollout, draw: drawn } : null
  return { evaluate, hashes: [rollout, drawn].filter((hash) => hash !== null), plain }

  function toPlain({ tests, rolloutPercentage, variant }: CompiledCondition): PlainCondition {
    const variantIndex = variants.findIndex(({ key }) => key === variant)
    return { tests, rolloutPercentage, variantIndex }
  }
}
