import type { FlagDefinition } from "../definition/read-definition.js"
import type { ScopeTest } from "../evaluation.types.js"
import type { Variant } from "../hashing/bucketing.js"
import type { FlagHash } from "../hashing/flag-hash.js"
import type { CompiledCondition } from "./condition.js"
import type { Bucketing } from "./identifier.js"

/**
 * A flag that has nothing but conditions on persons told apart by distinct id, and perhaps variants: most flags. It says in
 * data what its evaluator does in code, so that a plan can lay out the data of all flags side by side.
 */
export interface PlainFlag {
  /** At least one. */
  readonly conditions: readonly PlainCondition[]
  readonly variants: readonly Variant[]
  /** Null when nobody is left out by a rollout. */
  readonly rollout: FlagHash | null
  /** Null when there are no variants. */
  readonly draw: FlagHash | null
}

/** One release condition as data. */
export interface PlainCondition {
  readonly tests: readonly ScopeTest[]
  readonly rolloutPercentage: number
  /** Place of the variant it serves; -1 when that is drawn. */
  readonly variantIndex: number
}

/** A flag as data; null when it takes more than conditions on persons and variants. */
export function toPlainFlag(
  definition: FlagDefinition,
  { identifier, continuity }: Bucketing,
  conditions: readonly CompiledCondition[],
  hashes: Pick<PlainFlag, "rollout" | "draw">,
): PlainFlag | null {
  const { variants, holdout, earlyExit, featureEnrollment, superCondition } = definition
  const hasSpecialCases = featureEnrollment || superCondition !== null || holdout !== null || earlyExit
  const isByDistinctId = identifier === "distinct_id" && !continuity
  const isAboutPersons = conditions.every((condition) => condition.groupTypeIndex === null)
  if (hasSpecialCases || !isByDistinctId || conditions.length === 0 || !isAboutPersons) return null
  const toPlain = ({ tests, rolloutPercentage, variant }: CompiledCondition): PlainCondition => {
    const variantIndex = variants.findIndex(({ key }) => key === variant)
    return { tests, rolloutPercentage, variantIndex }
  }
  return { conditions: conditions.map(toPlain), variants, ...hashes }
}
