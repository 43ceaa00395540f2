import { ArgsType, Field, ID, Int, ObjectType } from "type-graphql"
import type { OrganizationId, ProjectId, UserId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import { ConnectionArgs, createConnectionType } from "../../../platform/graphql/connection.js"
import { DateTimeScalar, JsonScalar } from "../../../platform/graphql/scalars.js"

@ObjectType("Activity", { description: "An entry of the audit log: somebody changed something." })
export class ActivityType {
  @Field(() => ID, { description: "UUID of the entry." })
  id!: string
  @Field(() => Int, { nullable: true, description: "Project of the thing; null for what belongs to none." })
  projectId!: ProjectId | null
  @Field(() => ID, { nullable: true, description: "Organization of the thing; null for what belongs to a user." })
  organizationId!: OrganizationId | null
  @Field(() => String, { description: "Kind of the thing, for example `FeatureFlag` or `PersonalApiKey`." })
  scope!: string
  @Field(() => String, { description: "Id of the thing." })
  itemId!: string
  @Field(() => String, { description: "What happened, for example `created`, `updated`, `rolled` or `revoked`." })
  activity!: string
  @Field(() => JsonScalar, { description: "What changed; never a secret." })
  changes!: Json
  @Field(() => DateTimeScalar, { description: "When." })
  createdAt!: Date
  /** Null when the system itself did it. */
  readonly userId!: UserId | null
}

/** An entry of the audit log. */
export type Activity = Readonly<ActivityType>

export const ActivityConnection = createConnectionType("Activity", () => ActivityType)

@ArgsType()
export class ActivityArgs extends ConnectionArgs {
  @Field(() => String, { nullable: true, description: "Only things of this kind." })
  scope?: string | null
  @Field(() => String, { nullable: true, description: "Only the thing with this id." })
  itemId?: string | null
}
