import type { Holdout } from "../definition/read-definition.js"
import type {
  BucketingIdentifier,
  EvaluationRuntime,
  FactNeeds,
  RuleDocument,
} from "../definition/rule-document.types.js"
import type { ScopeTest } from "../evaluation.types.js"
import type { HashBatch, HashInput } from "../hashing/hash-batch.types.js"
import type { FlagResult } from "../results/flag-result.types.js"
import type { FlagResults } from "../results/flag-results.js"
import type { CompileContext } from "./compile-context.js"
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
  /** Results that evaluations have come to by this condition, by their places (`RESULT_PLACES`). */
  readonly results: (FlagResult | undefined)[]
}

/** Places of a condition's results. Those of matches with a variant follow, in the order of the flag's variants. */
export const RESULT_PLACES = {
  no_condition_match: 0,
  skipped_groups: 1,
  out_of_rollout_bound: 2,
  no_group_type: 3,
  match_without_variant: 4,
  first_variant: 5,
} as const

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

/** An active flag at its place in the rules. */
export interface CompiledFlag extends FlagRule {
  /** In dependency order. */
  readonly position: number
  readonly key: string
  /** Positions among the hashes of the rules; -1 for one that the flag never asks for. */
  readonly rolloutHash: number
  readonly variantHash: number
  readonly holdoutHash: number
  readonly evaluationRuntime: EvaluationRuntime
  readonly evaluationContexts: readonly string[]
  readonly dependencies: readonly number[]
  /** Part of a circle of dependencies, or behind one. */
  readonly isInCycle: boolean
  readonly needs: FactNeeds
}

/** Facts that some flags ask for together. */
export interface ListNeeds extends FactNeeds {
  /** Keys of the flags that keep their value over a login. */
  readonly continuityFlagKeys: readonly string[]
  /** Whether one of the properties is where the caller is (`$geoip_…`). */
  readonly geoIp: boolean
}

/** Flags that are evaluated together, in dependency order. */
export interface FlagList {
  readonly flags: readonly CompiledFlag[]
  readonly needs: ListNeeds
  /** Whether one of the flags is in a circle of dependencies or behind one. */
  readonly hasCycle: boolean
}

/** A project's rules in memory, ready to evaluate. */
export interface CompiledRules {
  readonly document: RuleDocument
  /** Active flags in dependency order. */
  readonly flags: readonly CompiledFlag[]
  /** Active flags by their position in the document. */
  readonly flagAt: ReadonlyMap<number, CompiledFlag>
  /** What most requests are about: the flags that are open to callers who run there; null for who does not tell. */
  readonly listsByRuntime: ReadonlyMap<EvaluationRuntime | null, FlagList>
  readonly groupTypeIndexByName: ReadonlyMap<string, number>
  readonly hashes: HashBatch
  readonly context: CompileContext
}
