import { Field, ID, ObjectType } from "type-graphql"
import type { UserId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import { createConnectionType } from "../../../platform/graphql/connection.js"
import { DateTimeScalar, JsonScalar } from "../../../platform/graphql/scalars.js"

@ObjectType("FeatureFlagActivity", { description: "Somebody changed a flag." })
export class FlagActivityType {
  @Field(() => ID, { description: "UUID of the entry." })
  id!: string
  @Field(() => String, { description: "What was done: created, updated or deleted." })
  activity!: string
  @Field(() => JsonScalar, { description: "The new values." })
  changes!: Json
  @Field(() => DateTimeScalar, { description: "When." })
  createdAt!: Date
  readonly userId!: UserId | null
}

export const FlagActivityConnection = createConnectionType("FeatureFlagActivity", () => FlagActivityType)
