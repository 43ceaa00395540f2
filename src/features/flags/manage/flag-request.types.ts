import type { Json } from "../../../kernel/json.js"

/** What a caller may write of a flag; an absent field stays as it is. */
export interface FlagRequest {
  readonly key?: string | null
  readonly name?: string | null
  readonly filters?: Json
  readonly active?: boolean | null
  readonly deleted?: boolean | null
  readonly ensureExperienceContinuity?: boolean | null
  readonly bucketingIdentifier?: string | null
  readonly evaluationRuntime?: string | null
  readonly evaluationContexts?: readonly string[] | null
  readonly tags?: readonly string[] | null
  readonly isRemoteConfiguration?: boolean | null
  readonly hasEncryptedPayloads?: boolean | null
}
