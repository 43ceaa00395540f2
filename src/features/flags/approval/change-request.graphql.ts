import { ArgsType, Field, ID, ObjectType } from "type-graphql"
import type { Json } from "../../../kernel/json.js"
import { ConnectionArgs, createConnectionType } from "../../../platform/graphql/connection.js"
import { type EnumValue, registerEnum } from "../../../platform/graphql/enum.js"
import { DateTimeScalar, JsonScalar } from "../../../platform/graphql/scalars.js"

const RequestStateEnum = registerEnum("ChangeRequestState", "What became of a change that was asked for.", {
  WAITING: ["waiting", "Nobody has decided yet."],
  APPROVED: ["approved", "A second person approved it, and it was made."],
  REJECTED: ["rejected", "It was rejected, or withdrawn by who had asked."],
})
type RequestStateEnum = EnumValue<typeof RequestStateEnum>

@ObjectType("FeatureFlagChangeRequest", { description: "A change of a flag that a second person has to approve." })
export class ChangeRequestType {
  @Field(() => ID, { description: "Number of the request, for deciding." })
  id!: number
  @Field(() => JsonScalar, { description: "What becomes of which field; of encrypted payloads only that they change." })
  changes!: Json
  @Field(() => RequestStateEnum, { description: "What became of it." })
  state!: RequestStateEnum
  @Field(() => DateTimeScalar, { description: "When it was asked for." })
  createdAt!: Date
  @Field(() => DateTimeScalar, { nullable: true, description: "When it was decided; null while it waits." })
  decidedAt!: Date | null
  @Field(() => String, { description: "What was said with the decision; may be empty." })
  comment!: string
}

export const ChangeRequestConnection = createConnectionType("FeatureFlagChangeRequest", () => ChangeRequestType)

@ArgsType()
export class ChangeRequestArgs extends ConnectionArgs {
  @Field(() => ID, { nullable: true, description: "Only those about the flag of this number." })
  flagId?: string | null
  @Field(() => RequestStateEnum, { nullable: true, description: "Only those of which this became." })
  state?: RequestStateEnum | null
}
