import { Field, ID, InputType, Int, ObjectType } from "type-graphql"
import type { Json } from "../../../kernel/json.js"
import { createConnectionType } from "../../../platform/graphql/connection.js"
import { DateTimeScalar, JsonScalar } from "../../../platform/graphql/scalars.js"

@ObjectType("FeatureFlag", { description: "A feature flag: who gets which value of a feature." })
export class FlagType {
  @Field(() => Int, { description: "Number of the flag." })
  id!: number
  @Field(() => ID, { description: "Name that code asks for; unique among the project's flags." })
  key!: string
  @Field(() => String, { description: "Description for people." })
  name!: string
  @Field(() => JsonScalar, {
    nullable: true,
    description:
      "Release conditions, variants and payloads, as the REST interface shows them; of encrypted payloads only that they are there. Null only where a definition was damaged in the store.",
  })
  filters!: Json
  @Field(() => Boolean, { description: "Whether the flag is evaluated at all." })
  active!: boolean
  @Field(() => Boolean, { description: "Soft-delete flag; deleted flags leave every list and every answer." })
  deleted!: boolean
  @Field(() => Int, {
    description: "Counts the changes of the flag; send it back to notice a change by somebody else.",
  })
  version!: number
  @Field(() => Boolean, { description: "Whether a person keeps the value they had before they logged in." })
  ensureExperienceContinuity!: boolean
  @Field(() => String, { description: "What persons are told apart by: distinct_id or device_id." })
  bucketingIdentifier!: string
  @Field(() => String, { description: "Where the flag is evaluated: all, client or server." })
  evaluationRuntime!: string
  @Field(() => [String], { description: "Contexts in which the flag is evaluated; empty means all." })
  evaluationContexts!: string[]
  @Field(() => [String], { description: "Free labels." })
  tags!: string[]
  @Field(() => Boolean, { description: "Whether the flag only delivers its payload as configuration." })
  isRemoteConfiguration!: boolean
  @Field(() => Boolean, { description: "Whether its payloads are encrypted." })
  hasEncryptedPayloads!: boolean
  @Field(() => DateTimeScalar, { description: "When it was created." })
  createdAt!: Date
  @Field(() => DateTimeScalar, { description: "When it last changed." })
  updatedAt!: Date
}

export const FlagConnection = createConnectionType("FeatureFlag", () => FlagType)

@InputType("FeatureFlagInput", { description: "Writable fields of a feature flag; an absent field stays as it is." })
export class FlagInput {
  @Field(() => String, { nullable: true, description: "Letters, digits, hyphens, underscores and dots; at most 400." })
  key?: string | null
  @Field(() => String, { nullable: true, description: "Description for people." })
  name?: string | null
  @Field(() => JsonScalar, { nullable: true, description: "Release conditions, variants and payloads." })
  filters?: Json
  @Field(() => Boolean, { nullable: true, description: "false switches the flag off for everybody." })
  active?: boolean | null
  @Field(() => Boolean, { nullable: true, description: "true deletes softly, false restores." })
  deleted?: boolean | null
  @Field(() => Boolean, { nullable: true, description: "Keep the value over a login." })
  ensureExperienceContinuity?: boolean | null
  @Field(() => String, { nullable: true, description: "distinct_id or device_id; null means distinct_id." })
  bucketingIdentifier?: string | null
  @Field(() => String, { nullable: true, description: "all, client or server; null means all." })
  evaluationRuntime?: string | null
  @Field(() => [String], { nullable: true, description: "At most 50 contexts of at most 255 characters." })
  evaluationContexts?: string[] | null
  @Field(() => [String], { nullable: true, description: "At most 50 labels of at most 255 characters." })
  tags?: string[] | null
  @Field(() => Boolean, { nullable: true, description: "The flag only delivers its payload." })
  isRemoteConfiguration?: boolean | null
  @Field(() => Boolean, {
    nullable: true,
    description:
      "Keep its payloads secret, encrypted where they are stored; only for a flag that delivers its payload.",
  })
  hasEncryptedPayloads?: boolean | null
  @Field(() => Int, {
    nullable: true,
    description: "Version you saw; when the flag has a later one, it is a conflict.",
  })
  version?: number | null
}
