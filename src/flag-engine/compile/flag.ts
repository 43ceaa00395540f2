import type { Json, JsonObject } from "../../kernel/json.js"
import { type FlagDefinition, readFlagDefinition } from "../definition/read-definition.js"
import type { EvaluationScope, FlagEvaluator, FlagResult, ScopeTest } from "../evaluation.types.js"
import { FlagHash } from "../hashing/flag-hash.js"
import { compileCondition } from "./condition.js"
import type { CompileContext } from "./filter.js"
import { createFlagAnswers, type FlagAnswers } from "./flag-answers.js"
import { compileHoldout } from "./holdout.js"
import type { Bucketing, BucketingIdentifier } from "./identifier.js"
import { type PlainFlag, toPlainFlag } from "./plain-flag.js"
import { compileReleaseConditions } from "./release-conditions.js"
import { compileSuperCondition, type SuperConditionTest } from "./super-condition.js"
import { compileVariantDraw, type VariantDraw } from "./variant-draw.js"

/** One stored flag, as far as evaluation is concerned. */
export interface FlagInput {
  readonly id: number
  readonly key: string
  readonly version: number
  /** The stored `filters`, whatever its shape. */
  readonly filters: Json
  readonly bucketingIdentifier: BucketingIdentifier
  readonly ensureExperienceContinuity: boolean
  /**
   * Whether a flag it depends on is missing or part of a circle; such a flag is off
   * (`docs/contract/flags.md#order-of-evaluation`).
   */
  readonly hasMissingDependency: boolean
}

/** A compiled flag. */
export interface EvaluableFlag {
  readonly evaluate: FlagEvaluator
  /** The hashes it may ask for, to be worked out along with those of other flags. */
  readonly hashes: readonly FlagHash[]
  /** The same as data; null when it takes more than conditions on persons and variants. */
  readonly plain: PlainFlag | null
}

/**
 * Compiles a stored flag into its evaluator, in the order of `docs/contract/flags.md#order-of-evaluation`. A definition
 * that cannot be read gives an evaluator that fails, so that it spoils only its own flag.
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
  const bucketing: Bucketing = {
    flagKey: flag.key,
    identifier: flag.bucketingIdentifier,
    continuity: flag.ensureExperienceContinuity,
    rollout: new FlagHash(`${flag.key}.`, ""),
  }
  const draw = compileVariantDraw(definition.variants, bucketing)
  const conditions = definition.conditions.map((condition) => compileCondition(condition, bucketing, context))
  const answers = createFlagAnswers(flag, (variant) => payloadOf(definition.payloads, variant))
  const stages = {
    superCondition: compileSuperCondition(definition, bucketing, context),
    isHeldOut: compileHoldout(definition, bucketing),
    release: compileReleaseConditions(definition, conditions, draw, answers),
  }
  const rollout = hasPartialRollout(definition) ? bucketing.rollout : null
  return {
    evaluate: inOrder(stages, definition, draw, answers),
    hashes: [rollout, draw.hash].filter((hash) => hash !== null),
    plain: toPlainFlag(definition, bucketing, conditions, { rollout, draw: draw.hash }),
  }
}

interface Stages {
  readonly superCondition: SuperConditionTest | null
  readonly isHeldOut: ScopeTest | null
  readonly release: FlagEvaluator
}

/** Asks enrolment first, then the holdout, then the release conditions. A fault on the way is the result. */
function inOrder(
  { superCondition, isHeldOut, release }: Stages,
  { holdout, groupTypeIndex }: FlagDefinition,
  draw: VariantDraw,
  answers: FlagAnswers,
): FlagEvaluator {
  const compute = (scope: EvaluationScope): FlagResult => {
    const enrolled = superCondition === null ? null : superCondition(scope)
    if (enrolled !== null)
      return enrolled ? answers.on(null, "super_condition_value", 0) : answers.off("super_condition_value", 0, false)
    if (isHeldOut?.(scope)) {
      const variant = holdout?.variant ?? draw.variantFor(scope, groupTypeIndex) ?? "holdout"
      return answers.on(variant, "holdout_condition_value", null)
    }
    return release(scope)
  }

  return (scope) => {
    scope.fault = null
    try {
      const result = compute(scope)
      return scope.fault === null ? result : answers.failed(scope.fault)
    } catch {
      return answers.failed("flag_data_parsing_error")
    }
  }
}

/** The payload of a flag that is on, with or without a variant. */
function payloadOf(payloads: JsonObject, variant: string | null): Json {
  const key = variant ?? "true"
  return Object.hasOwn(payloads, key) ? (payloads[key] as Json) : null
}

const hasPartialRollout = ({ conditions, superCondition }: FlagDefinition): boolean =>
  [...conditions, superCondition].some((one) => (one?.rolloutPercentage ?? 100) < 100)
