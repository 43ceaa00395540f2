import type { ProjectId } from "../../kernel/ids.js"
import type { Json } from "../../kernel/json.js"

/** Raised when the shape below changes, so that a process never reads what another version wrote. */
export const RULE_DOCUMENT_FORMAT = 2

/** Where a flag may be evaluated; `all` is the default. */
export type EvaluationRuntime = "all" | "client" | "server"

/** What a flag's persons are told apart by. */
export type BucketingIdentifier = "distinct_id" | "device_id"

/** A flag as the store holds it, as far as rules need it. */
export interface StoredFlag {
  readonly id: number
  readonly key: string
  /** The description; shown in definitions and in the list of early access features. */
  readonly name: string
  readonly version: number
  readonly active: boolean
  /** Delivers its payload only; left out of what SDKs evaluate locally. */
  readonly isRemoteConfiguration: boolean
  readonly filters: Json
  readonly ensureExperienceContinuity: boolean
  readonly bucketingIdentifier: BucketingIdentifier
  readonly evaluationRuntime: EvaluationRuntime
  /** Tags that restrict where the flag is evaluated; empty means everywhere. */
  readonly evaluationContexts: readonly string[]
}

/** A cohort as the store holds it, as far as rules need it. */
export interface StoredCohort {
  readonly id: number
  readonly isStatic: boolean
  readonly filters: Json
}

/** A type of groups and the index by which conditions name it. */
export interface GroupType {
  readonly index: number
  readonly name: string
}

/** Facts a flag may ask for, so that a decision gathers no others. */
export interface FactNeeds {
  readonly personProperties: readonly string[]
  /** Property keys per group type index. */
  readonly groupProperties: readonly { readonly groupTypeIndex: number; readonly keys: readonly string[] }[]
  readonly personCreatedAt: boolean
  readonly staticCohorts: boolean
  /** Stored hash keys of experience continuity; false where they cannot change the answer. */
  readonly hashKeys: boolean
}

/** An active or inactive flag with what building the document worked out. */
export interface RuleFlag extends StoredFlag {
  /** Positions of the flags this one depends on; always before its own. */
  readonly dependencies: readonly number[]
  readonly dependencyFault: "missing" | "cycle" | null
  readonly needs: FactNeeds
}

/** Everything a decision needs to know of a project's flags: plain JSON, what the rule cache and the disk hold. */
export interface RuleDocument {
  readonly format: typeof RULE_DOCUMENT_FORMAT
  readonly projectId: ProjectId
  /** Grows with every change of the project's flags, cohorts or group types. */
  readonly version: number
  /** IANA name of the project's time zone. */
  readonly timeZone: string
  readonly groupTypes: readonly GroupType[]
  /** In dependency order. */
  readonly flags: readonly RuleFlag[]
  /** Cohorts that some flag asks for, nested ones included. */
  readonly cohorts: readonly StoredCohort[]
}

/** What a rule document is built from. */
export interface RuleSource {
  readonly projectId: ProjectId
  readonly version: number
  readonly timeZone: string
  readonly groupTypes: readonly GroupType[]
  /** Flags that are not deleted, inactive ones included. */
  readonly flags: readonly StoredFlag[]
  readonly cohorts: readonly StoredCohort[]
}
