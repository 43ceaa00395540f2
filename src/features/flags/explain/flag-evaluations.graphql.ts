import { Field, Float, ObjectType } from "type-graphql"
import { FlagDecisionEntryType } from "../decide/decide.graphql.js"
import type { Flag } from "../flags.types.js"
import { FlagType } from "../manage/flags.graphql.js"

@ObjectType("MyFeatureFlag", { description: "An active flag and what it is for the caller." })
export class MyFeatureFlagType {
  @Field(() => FlagType, { description: "The flag." })
  flag!: Flag
  @Field(() => FlagDecisionEntryType, { description: "The caller's own decision." })
  decision!: FlagDecisionEntryType
}

@ObjectType("ConditionReach", { description: "How many persons or groups a release condition is about." })
export class ConditionReachType {
  @Field(() => Float, { description: "How many its properties hold for, whatever its rollout." })
  affected!: number
  @Field(() => Float, { description: "How many there are." })
  total!: number
  @Field(() => Boolean, { description: "Whether the first number is worked out from 5,000 of them, taken at random." })
  isEstimated!: boolean
}
