import { Field, Float, InputType, Int, ObjectType } from "type-graphql"
import type { Json } from "../../../kernel/json.js"
import { DateTimeScalar, JsonScalar } from "../../../platform/graphql/scalars.js"
import { FlagDecisionEntryType } from "../decide/decide.graphql.js"

@InputType("FlagExplanationInput", { description: "For whom to explain a flag." })
export class FlagExplanationInput {
  @Field(() => String, { description: "The user." })
  distinctId!: string
  @Field(() => JsonScalar, { nullable: true, description: "Group id per group type; for flags about groups." })
  groups?: Json
  @Field(() => JsonScalar, { nullable: true, description: "Person properties that win over the stored ones." })
  personProperties?: Json
  @Field(() => JsonScalar, { nullable: true, description: "Group properties per type that win over the stored ones." })
  groupProperties?: Json
}

@ObjectType("FlagFilterExplanation", { description: "What one filter of a condition came to." })
class FlagFilterExplanationType {
  @Field(() => String, { description: "What is asked: person, group, cohort, flag or person_metadata." })
  type!: string
  @Field(() => String, { description: "Property, or flag, that is asked about." })
  key!: string
  @Field(() => String, { description: "How it is compared." })
  operator!: string
  @Field(() => JsonScalar, { nullable: true, description: "What the definition compares with." })
  expected!: Json
  @Field(() => JsonScalar, {
    nullable: true,
    description:
      "What it was compared with: the property, the other flag's value, or whether the user is in the cohort.",
  })
  actual!: Json
  @Field(() => Boolean, { description: "Whether there is such a property at all; it may be null." })
  isSet!: boolean
  @Field(() => Boolean, { description: "Whether the filter holds." })
  matched!: boolean
  @Field(() => String, { nullable: true, description: "Error code when that could not be told." })
  error!: string | null
}

@ObjectType("FlagConditionExplanation", { description: "What one release condition came to, decisive or not." })
class FlagConditionExplanationType {
  @Field(() => Int, { description: "Position of the condition, from 0." })
  index!: number
  @Field(() => Boolean, { description: "Whether all filters hold and the rollout includes the user." })
  matched!: boolean
  @Field(() => String, {
    description: "One of condition_match, no_condition_match, out_of_rollout_bound and no_group_type.",
  })
  outcome!: string
  @Field(() => [FlagFilterExplanationType], { description: "The filters in stored order." })
  filters!: readonly FlagFilterExplanationType[]
  @Field(() => Float, { description: "Percentage of those matched that the condition includes." })
  rolloutPercentage!: number
  @Field(() => Int, { nullable: true, description: "Group type the condition is about; null for persons." })
  groupTypeIndex!: number | null
  @Field(() => String, { nullable: true, description: "What is hashed; null when the user has no such id." })
  identifier!: string | null
  @Field(() => Float, { nullable: true, description: "Where it falls, 0 to 1; included up to percentage / 100." })
  bucket!: number | null
  @Field(() => String, { nullable: true, description: "Variant that the condition serves to all it matches." })
  variant!: string | null
}

@ObjectType("FlagExplanation", { description: "Why a flag has its value for one user." })
export class FlagExplanationType {
  @Field(() => String, { description: "Key of the flag." })
  key!: string
  @Field(() => Boolean, { description: "Whether the flag is evaluated at all." })
  active!: boolean
  @Field(() => FlagDecisionEntryType, { nullable: true, description: "The decision; null for an inactive flag." })
  decision!: FlagDecisionEntryType | null
  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      "When the properties of the person were as they count here: at the last event until the moment that was asked about. Null for those of now.",
  })
  personAt!: Date | null
  @Field(() => [FlagConditionExplanationType], { description: "Every condition in stored order." })
  conditions!: readonly FlagConditionExplanationType[]
}
