import { Field, ObjectType } from "type-graphql"
import { DateTimeScalar } from "../../../platform/graphql/scalars.js"
import type { Flag } from "../flags.types.js"
import { FlagType } from "../manage/flags.graphql.js"

@ObjectType("StaleFeatureFlag", { description: "A flag that has probably had its day." })
export class StaleFlagType {
  @Field(() => FlagType, { description: "The flag." })
  flag!: Flag
  @Field(() => [String], {
    description: "Some of SAME_FOR_EVERYBODY, OFF_FOR_EVERYBODY, INACTIVE and NOT_CALLED.",
  })
  reasons!: string[]
  @Field(() => DateTimeScalar, { description: "Since when nobody changed it." })
  unchangedSince!: Date
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When an SDK last reported its use within the period; null when none did or that is not known.",
  })
  lastCalledAt!: Date | null
}
