import { Field, ObjectType } from "type-graphql"
import type { Json } from "../../../kernel/json.js"
import { JsonScalar } from "../../../platform/graphql/scalars.js"

@ObjectType("FlagDefinitions", { description: "Definitions for SDKs that evaluate flags themselves." })
export class FlagDefinitionsType {
  @Field(() => String, { description: "Changes whenever the definitions do; for `ETag` and `If-None-Match`." })
  revision!: string
  @Field(() => JsonScalar, {
    nullable: true,
    description: "Body of `/flags/definitions`: `flags`, `group_type_mapping`, `cohorts`; null when you have it.",
  })
  body!: Json
}
