import { Field, ID, Int, ObjectType } from "type-graphql"
import type { Flag } from "../flags.types.js"
import { FlagType } from "../manage/flags.graphql.js"

@ObjectType("FeatureFlagCopy", { description: "What came of copying a flag to one project." })
export class FlagCopyType {
  @Field(() => ID, { description: "The project as it was named." })
  target!: string
  @Field(() => Int, { nullable: true, description: "Number of the project; null when the flag could not be copied." })
  projectId!: number | null
  @Field(() => FlagType, { nullable: true, description: "The flag there; null when it could not be copied." })
  flag!: Flag | null
  @Field(() => String, { nullable: true, description: "Why it could not be copied; null when it was." })
  error!: string | null
}
