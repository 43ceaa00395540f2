import { Field, Int, ObjectType } from "type-graphql"
import type { UserId } from "../../../kernel/ids.js"
import { createConnectionType } from "../../../platform/graphql/connection.js"
import { DateTimeScalar } from "../../../platform/graphql/scalars.js"
import { OrganizationRoleEnum, UserType } from "./me.graphql.js"

@ObjectType("OrganizationMember", { description: "A user of an organization and what they may do there." })
export class OrganizationMemberType {
  @Field(() => UserType, { description: "Who." })
  user!: UserType
  @Field(() => OrganizationRoleEnum, { description: "What they may do." })
  role!: OrganizationRoleEnum
  @Field(() => DateTimeScalar, { description: "When they joined." })
  joinedAt!: Date
}

/** A user of an organization with their role there. */
export type OrganizationMember = Readonly<OrganizationMemberType>

export const OrganizationMemberConnection = createConnectionType("OrganizationMember", () => OrganizationMemberType)

@ObjectType("OrganizationInvitation", {
  description: "Somebody who was asked into an organization and has not joined.",
})
export class OrganizationInvitationType {
  @Field(() => Int, { description: "Number of the user, by which the invitation is withdrawn." })
  userNumber!: UserId
  @Field(() => String, { description: "E-mail address." })
  email!: string
  @Field(() => OrganizationRoleEnum, { description: "What they will be." })
  role!: OrganizationRoleEnum
  @Field(() => DateTimeScalar, { description: "When they were asked last." })
  createdAt!: Date
  @Field(() => DateTimeScalar, { description: "Until when they may join." })
  expiresAt!: Date
}

/** An invitation that is good, without what it is accepted with. */
export type OrganizationInvitation = Readonly<OrganizationInvitationType>
