import { ArgsType, Field, InputType, Int } from "type-graphql"
import { ConnectionArgs } from "../../../platform/graphql/connection.js"
import { type EnumValue, registerEnum } from "../../../platform/graphql/enum.js"

const FlagKindEnum = registerEnum("FeatureFlagType", "What a flag delivers.", {
  BOOLEAN: ["boolean", "On or off."],
  MULTIVARIANT: ["multivariant", "One of several variants."],
  REMOTE_CONFIG: ["remote_config", "Its payload alone."],
})
type FlagKindEnum = EnumValue<typeof FlagKindEnum>

const FlagOrderEnum = registerEnum("FeatureFlagOrder", "Fields by which flags can be ordered.", {
  CREATED_AT: ["createdAt", "Time of creation."],
  UPDATED_AT: ["updatedAt", "Time of the last change."],
  KEY: ["key", "Name that code asks for."],
  NAME: ["name", "Description for people."],
  ACTIVE: ["active", "Whether it is evaluated."],
  CREATED_BY: ["createdById", "Number of the user who created it."],
})
type FlagOrderEnum = EnumValue<typeof FlagOrderEnum>

@InputType("FeatureFlagFilter", { description: "Which flags; absent fields do not count." })
class FlagFilterInput {
  @Field(() => FlagKindEnum, { nullable: true, description: "What they deliver." })
  type?: FlagKindEnum | null
  @Field(() => Int, { nullable: true, description: "Number of the user who created them." })
  createdById?: number | null
  @Field(() => String, { nullable: true, description: "Where they are evaluated: all, client or server." })
  evaluationRuntime?: string | null
  @Field(() => [String], { nullable: true, description: "Flags that have any of these labels." })
  tags?: string[] | null
  @Field(() => Boolean, {
    nullable: true,
    description: "true: only stale ones, as staleFeatureFlags lists them.",
  })
  stale?: boolean | null
}

@ArgsType()
export class FlagListArgs extends ConnectionArgs {
  @Field(() => String, { nullable: true, description: "Part of key or description, any case." })
  search?: string | null
  @Field(() => Boolean, { nullable: true, description: "Only active (true) or inactive (false) flags." })
  active?: boolean | null
  @Field(() => FlagFilterInput, { nullable: true, description: "Which ones." })
  filter?: FlagFilterInput | null
  @Field(() => FlagOrderEnum, { nullable: true, description: "Time of creation, newest first, when absent." })
  orderBy?: FlagOrderEnum | null
  @Field(() => Boolean, { nullable: true, description: "False when absent; counts with `orderBy`." })
  descending?: boolean | null
}
