import type { Holdout } from "../definition/read-definition.js"
import type { BucketingIdentifier } from "../definition/rule-document.types.js"
import type { ScopeTest } from "../evaluation.types.js"
import type { HashInput } from "../hashing/hash-batch.types.js"
import type { FlagResult } from "../results/flag-result.types.js"
import type { FlagResults } from "../results/flag-results.js"
import type { PropertyLookup } from "./property-lookup.js"

/** How a flag chooses the identifier that is hashed. */
export interface Bucketing {
  readonly flagKey: string
  readonly identifier: BucketingIdentifier
  /** Experience continuity; holds only for persons told apart by distinct id. */
  readonly continuity: boolean
}

/** A release condition, ready to evaluate. */
export interface CompiledCondition {
  /** Group type the condition is about; null for persons. */
  readonly groupTypeIndex: number | null
  /** All of them must hold; cohort filters come last. */
  readonly tests: readonly ScopeTest[]
  /** 0 to 100. */
  readonly rolloutPercentage: number
  /** Position of the variant that the condition serves; -1 when that is drawn. */
  readonly variantIndex: number
}

/** Who is on or off whatever the release conditions say, because they enrolled or left (`docs/contract/flags.md#order-of-evaluation`). */
export type SuperCondition =
  | { readonly kind: "enrolment"; readonly enrolment: PropertyLookup }
  | {
      /** The older form decides only for persons who have one of its properties at all. */
      readonly kind: "properties"
      readonly lookups: readonly PropertyLookup[]
      readonly tests: readonly ScopeTest[]
      readonly rolloutPercentage: number
    }

/** What the definition of one flag compiles to. Kept from one version of the rules to the next while it stays the same. */
export interface FlagRule {
  readonly results: FlagResults
  /** What everybody gets from a flag that depends on a missing one, or whose definition cannot be read. */
  readonly fixedResult: FlagResult | null
  readonly bucketing: Bucketing
  readonly superCondition: SuperCondition | null
  readonly holdout: Holdout | null
  readonly conditions: readonly CompiledCondition[]
  /** Where the shares of its variants end, 0 to 1. */
  readonly variantBounds: readonly number[]
  readonly groupTypeIndex: number | null
  readonly earlyExit: boolean
  /** Hashes it may ask for; null for one that it never does. */
  readonly rollout: HashInput | null
  readonly variantDraw: HashInput | null
  readonly holdoutDraw: HashInput | null
}
