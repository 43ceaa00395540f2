import { Field, Float, Int, ObjectType } from "type-graphql"
import { type Cohort, CohortType } from "../../cohorts/index.js"
import type { Flag } from "../flags.types.js"
import { FlagType } from "../manage/flags.graphql.js"

@ObjectType("CohortUses", { description: "What asks for a cohort." })
export class CohortUsesType {
  @Field(() => [FlagType], { description: "Flags that ask for it, directly or through another cohort." })
  featureFlags!: readonly Flag[]
  @Field(() => [CohortType], { description: "Cohorts whose conditions name it." })
  cohorts!: readonly Cohort[]
}

@ObjectType("FeatureFlagReach", { description: "How many persons or groups a stored release condition is about." })
export class FlagReachType {
  @Field(() => Int, { description: "Position of the condition, from 0." })
  index!: number
  @Field(() => Int, { nullable: true, description: "Group type that is counted; null for persons." })
  groupTypeIndex!: number | null
  @Field(() => Float, { description: "How many its properties hold for, whatever its rollout." })
  affected!: number
  @Field(() => Float, { description: "How many there are." })
  total!: number
  @Field(() => Boolean, { description: "Whether the first number is worked out from 5,000 of them, taken at random." })
  isEstimated!: boolean
}
