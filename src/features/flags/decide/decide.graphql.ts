import { Field, ID, InputType, Int, ObjectType } from "type-graphql"
import type { Json } from "../../../kernel/json.js"
import { DateTimeScalar, JsonScalar } from "../../../platform/graphql/scalars.js"

@InputType("FlagDecisionInput", { description: "Whom to decide flags for, with the same meaning as on `/decide`." })
export class FlagDecisionInput {
  @Field(() => String, { description: "Project API key (`phc_…`)." })
  apiKey!: string
  @Field(() => String, { description: "The user to evaluate for." })
  distinctId!: string
  @Field(() => JsonScalar, { nullable: true, description: "Group id per group type; for flags about groups." })
  groups?: Json
  @Field(() => JsonScalar, { nullable: true, description: "Person properties that win over the stored ones." })
  personProperties?: Json
  @Field(() => JsonScalar, {
    nullable: true,
    description: "Group properties per group type that win over the stored ones.",
  })
  groupProperties?: Json
  @Field(() => [String], { nullable: true, description: "Only these flags and what they depend on." })
  flagKeys?: string[] | null
}

@ObjectType("FlagReason", { description: "Why a flag has its value." })
class FlagReasonType {
  @Field(() => String, {
    description: "`condition_match`, `no_condition_match` and so on; an error code when it failed.",
  })
  code!: string
  @Field(() => Int, { nullable: true, description: "Position of the release condition that decided, from 0." })
  conditionIndex!: number | null
  @Field(() => String, { description: "The reason as a sentence." })
  description!: string
}

@ObjectType("FlagDecisionEntry", { description: "The value of one flag for one user." })
export class FlagDecisionEntryType {
  @Field(() => ID, { description: "Key of the flag." })
  key!: string
  @Field(() => Boolean, { description: "Whether the flag is on." })
  enabled!: boolean
  @Field(() => String, { nullable: true, description: "Variant of a flag with several." })
  variant!: string | null
  @Field(() => JsonScalar, { nullable: true, description: "Payload of the value, as JSON text." })
  payload!: Json
  @Field(() => Boolean, { description: "Whether the flag could not be computed; its value means nothing then." })
  failed!: boolean
  @Field(() => FlagReasonType, { description: "Why it has this value." })
  reason!: FlagReasonType
}

@ObjectType("FlagDecision", { description: "All flags for one user." })
export class FlagDecisionType {
  @Field(() => [FlagDecisionEntryType], { description: "The flags; none when the quota is used up." })
  flags!: FlagDecisionEntryType[]
  @Field(() => Boolean, { description: "Whether some flag could not be computed." })
  errorsWhileComputingFlags!: boolean
  @Field(() => [String], { description: "`feature_flags` when the organization has used up its decisions." })
  quotaLimited!: string[]
  @Field(() => ID, { description: "Names this decision in reports." })
  requestId!: string
  @Field(() => DateTimeScalar, { description: "When it was made." })
  evaluatedAt!: Date
}
