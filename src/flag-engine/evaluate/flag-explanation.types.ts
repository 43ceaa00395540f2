import type { Json } from "../../kernel/json.js"
import type { ConditionOutcome, FlagErrorCode, FlagResult } from "../results/flag-result.types.js"

/** What one filter of a condition came to for one user. */
export interface FilterExplanation {
  /** `person`, `group`, `cohort`, `flag` or `person_metadata`. */
  readonly type: string
  readonly key: string
  readonly operator: string
  /** What the definition compares with. */
  readonly expected: Json
  /** What it was compared with: the property, the value of the other flag, or whether the user is in the cohort. */
  readonly actual: Json
  /** Whether the property is there at all; one that is there may be null. */
  readonly isSet: boolean
  readonly matched: boolean
  /** Why it could not be told. */
  readonly error: FlagErrorCode | null
}

/** What one release condition came to for one user, whether or not an earlier one already decided. */
export interface ConditionExplanation {
  /** Stored position, from 0. */
  readonly index: number
  readonly matched: boolean
  readonly outcome: ConditionOutcome
  readonly filters: readonly FilterExplanation[]
  readonly rolloutPercentage: number
  /** Group type the condition is about; null for persons. */
  readonly groupTypeIndex: number | null
  /** What is hashed: a distinct id, a device id, a group key or the id kept over a login; null when there is none. */
  readonly identifier: string | null
  /** Where the identifier falls, 0 to 1; inside the rollout when it is at most the percentage divided by 100. */
  readonly bucket: number | null
  /** Variant that the condition serves to everybody it matches. */
  readonly variant: string | null
}

/** Why a flag is as it is for one user. */
export interface FlagExplanation {
  readonly key: string
  readonly active: boolean
  /** The decision, as `/decide` makes it; null for an inactive flag. */
  readonly result: FlagResult | null
  readonly conditions: readonly ConditionExplanation[]
}
