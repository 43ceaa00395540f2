import type { Json } from "../../kernel/json.js"
import { type Condition, type FlagDefinition, readFlagDefinition, type Variant } from "../definition/read-definition.js"
import type { BucketingIdentifier } from "../definition/rule-document.types.js"
import { toUpperBounds } from "../hashing/bucketing.js"
import type { HashInput } from "../hashing/hash-batch.types.js"
import { FlagResults } from "../results/flag-results.js"
import type { CompileContext } from "./compile-context.js"
import { compileFilter } from "./compile-filter.js"
import type { CompiledCondition, FlagRule, SuperCondition } from "./flag-rule.types.js"
import { personProperty } from "./property-lookup.js"

/** One stored flag, as far as evaluation is concerned. */
export interface FlagInput {
  readonly id: number
  readonly key: string
  readonly version: number
  /** The stored `filters`, whatever its shape. */
  readonly filters: Json
  readonly bucketingIdentifier: BucketingIdentifier
  readonly ensureExperienceContinuity: boolean
  /** Whether a flag it depends on is missing or part of a circle; such a flag is off (`docs/contract/flags.md#order-of-evaluation`). */
  readonly dependencyFault: "missing" | "cycle" | null
}

/** Compiles a stored flag. A definition that cannot be read compiles to a rule that fails: it spoils only its own flag. */
export function compileFlag(flag: FlagInput, context: CompileContext): FlagRule {
  if (flag.dependencyFault !== null) {
    const results = new FlagResults(flag)
    return { ...withoutConditions(flag, results), fixedResult: results.off("missing_dependency", null) }
  }
  try {
    return compileDefinition(flag, readFlagDefinition(flag.filters), context)
  } catch {
    const results = new FlagResults(flag)
    return { ...withoutConditions(flag, results), fixedResult: results.failed("flag_data_parsing_error") }
  }
}

function compileDefinition(flag: FlagInput, definition: FlagDefinition, context: CompileContext): FlagRule {
  const { conditions, variants, payloads, holdout, groupTypeIndex, earlyExit, superCondition } = definition
  const variantKeys = variants.map(({ key }) => key)
  const isAlwaysComplete = [...conditions, superCondition].every((one) => (one?.rolloutPercentage ?? 100) >= 100)
  return {
    ...withoutConditions(flag, new FlagResults(flag, variantKeys, payloads)),
    superCondition: compileSuperCondition(flag.key, definition, context),
    holdout,
    conditions: conditions.map((condition) => compileCondition(condition, variants, context)),
    variantBounds: toUpperBounds(variants.map(({ rolloutPercentage }) => rolloutPercentage)),
    groupTypeIndex,
    earlyExit,
    rollout: isAlwaysComplete ? null : toRolloutInput(flag.key),
    variantDraw: variants.length === 0 ? null : { prefix: `${flag.key}.`, salt: "variant" },
    holdoutDraw: holdout === null || holdout.percentage >= 100 ? null : HOLDOUT_DRAW,
  }
}

/** Everybody is hashed for all holdouts alike (`docs/contract/flags.md#hashing`). */
const HOLDOUT_DRAW: HashInput = { prefix: "holdout-", salt: "" }

/** What an identifier is hashed with for the rollout of a flag. */
export const toRolloutInput = (flagKey: string): HashInput => ({ prefix: `${flagKey}.`, salt: "" })

const withoutConditions = (
  { key, bucketingIdentifier, ensureExperienceContinuity }: FlagInput,
  results: FlagResults,
): FlagRule => ({
  results,
  fixedResult: null,
  bucketing: { flagKey: key, identifier: bucketingIdentifier, continuity: ensureExperienceContinuity },
  superCondition: null,
  holdout: null,
  conditions: [],
  variantBounds: [],
  groupTypeIndex: null,
  earlyExit: false,
  rollout: null,
  variantDraw: null,
  holdoutDraw: null,
})

/** Compiles one release condition: filters in stored order, but cohort filters last. */
function compileCondition(
  { filters, groupTypeIndex, rolloutPercentage, variant }: Condition,
  variants: readonly Variant[],
  context: CompileContext,
): CompiledCondition {
  const cohortsLast = [...filters].sort((left, right) => isCohort(left) - isCohort(right))
  const tests = cohortsLast.map((filter) => compileFilter(filter, groupTypeIndex, context))
  const variantIndex = variants.findIndex(({ key }) => key === variant)
  return { groupTypeIndex, tests, rolloutPercentage, variantIndex }
}

const isCohort = ({ type }: { readonly type: string }): number => (type === "cohort" ? 1 : 0)

/** Compiles early-access enrolment, in its present form or as the older `super_groups` (`docs/contract/flags.md#order-of-evaluation`). */
function compileSuperCondition(
  flagKey: string,
  { featureEnrollment, superCondition }: FlagDefinition,
  context: CompileContext,
): SuperCondition | null {
  if (featureEnrollment) return { kind: "enrolment", enrolment: personProperty(`$feature_enrollment/${flagKey}`) }
  if (superCondition === null) return null
  const { filters, rolloutPercentage } = superCondition
  return {
    kind: "properties",
    lookups: filters.map((filter) => personProperty(filter.key)),
    tests: filters.map((filter) => compileFilter(filter, null, context)),
    rolloutPercentage,
  }
}
