import { ArgsType, Field, InputType, Int, registerEnumType } from "type-graphql"
import { ConnectionArgs } from "../../platform/graphql/connection.js"

export enum FlagKindEnum {
  BOOLEAN = "boolean",
  MULTIVARIANT = "multivariant",
  REMOTE_CONFIG = "remote_config",
}
registerEnumType(FlagKindEnum, {
  name: "FeatureFlagType",
  description: "What a flag delivers.",
  valuesConfig: {
    BOOLEAN: { description: "On or off." },
    MULTIVARIANT: { description: "One of several variants." },
    REMOTE_CONFIG: { description: "Its payload alone." },
  },
})

export enum FlagOrderEnum {
  CREATED_AT = "createdAt",
  UPDATED_AT = "updatedAt",
  KEY = "key",
  NAME = "name",
  ACTIVE = "active",
  CREATED_BY = "createdById",
}
registerEnumType(FlagOrderEnum, {
  name: "FeatureFlagOrder",
  description: "Fields by which flags can be ordered.",
  valuesConfig: {
    CREATED_AT: { description: "Time of creation." },
    UPDATED_AT: { description: "Time of the last change." },
    KEY: { description: "Name that code asks for." },
    NAME: { description: "Description for people." },
    ACTIVE: { description: "Whether it is evaluated." },
    CREATED_BY: { description: "Number of the user who created it." },
  },
})

@InputType("FeatureFlagFilter", { description: "Which flags; absent fields do not count." })
export class FlagFilterInput {
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
    description: "true: only those that have had their day, as staleFeatureFlags.",
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
