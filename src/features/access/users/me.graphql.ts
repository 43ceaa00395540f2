import { ArgsType, Field, ID, Int, ObjectType } from "type-graphql"
import type { OrganizationId, ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import { createConnectionType } from "../../../platform/graphql/connection.js"
import { type EnumValue, registerEnum } from "../../../platform/graphql/enum.js"
import { DateTimeScalar, JsonScalar } from "../../../platform/graphql/scalars.js"
import { BasicUserType } from "./user.graphql.js"

export const OrganizationRoleEnum = registerEnum("OrganizationRole", "What somebody may do in an organization.", {
  OWNER: ["owner", "Everything, making other owners included."],
  ADMIN: ["admin", "Changes projects, project keys and members."],
  MEMBER: ["member", "Works with the data of the organization's projects."],
  VIEWER: ["viewer", "Reads the data of the organization's projects and changes nothing of it."],
})
export type OrganizationRoleEnum = EnumValue<typeof OrganizationRoleEnum>

@ObjectType("Organization", { description: "A company or team that owns projects; nothing crosses its border." })
export class OrganizationType {
  @Field(() => ID, { description: "UUID of the organization." })
  id!: OrganizationId
  @Field(() => String, { description: "Its name." })
  name!: string
  @Field(() => Boolean, {
    description: "Whether personal keys of ordinary members are taken; those of admins and owners always are.",
  })
  membersCanUsePersonalApiKeys!: boolean
  @Field(() => DateTimeScalar, { description: "When it was made." })
  createdAt!: Date
  @Field(() => OrganizationRoleEnum, { description: "The caller's own role in it." })
  role!: OrganizationRoleEnum
}

export const OrganizationConnection = createConnectionType("Organization", () => OrganizationType)

@ObjectType("User", { description: "A user of an organization that the caller belongs to." })
export class UserType extends BasicUserType {
  @Field(() => Boolean, { description: "Whether the user's keys are accepted." })
  isActive!: boolean
  @Field(() => DateTimeScalar, { description: "When the user was made." })
  createdAt!: Date
}

export const UserConnection = createConnectionType("User", () => UserType)

@ObjectType("Me", { description: "The caller." })
export class MeType extends UserType {
  @Field(() => [String], { description: "What the calling key may do." })
  scopes!: readonly string[]
  @Field(() => Int, { nullable: true, description: "What `@current` stands for; null without any project." })
  currentProjectId!: ProjectId | null
}

@ObjectType("InvitedUser", { description: "A user who was asked into an organization." })
export class InvitedUserType {
  @Field(() => UserType, {
    description: "The user; of one who has not accepted yet, only number and address are shown.",
  })
  user!: UserType
  @Field(() => String, {
    nullable: true,
    description:
      "First personal key of a user who is new here, bound to the organization and shown this once; null for a user who " +
      "has to accept.",
  })
  personalApiKey!: string | null
  @Field(() => String, {
    nullable: true,
    description:
      "For a user who has not joined at once: what they accept with within seven days. Shown this once; hand it to them alone.",
  })
  invitationToken!: string | null
  @Field(() => String, {
    nullable: true,
    description: "The same as a link to a page where they set a password, or enter the one they have.",
  })
  invitationLink!: string | null
}

@ObjectType("AcceptedInvitation", { description: "The caller has joined an organization." })
export class AcceptedInvitationType {
  @Field(() => ID, { description: "UUID of the organization." })
  organizationId!: OrganizationId
  @Field(() => String, {
    nullable: true,
    description: "A key bound to the organization, shown this once; null when the calling key reaches it already.",
  })
  personalApiKey!: string | null
}

@ArgsType()
export class UpdateOrganizationArgs {
  @Field(() => String, { nullable: true, description: "Its name, 1 to 150 characters." })
  name?: string | null
  @Field(() => Boolean, {
    nullable: true,
    description: "Whether personal keys of ordinary members are taken; those of admins and owners always are.",
  })
  membersCanUsePersonalApiKeys?: boolean | null
}

@ArgsType()
export class UpdateOrganizationMemberArgs {
  @Field(() => ID, {
    nullable: true,
    description: "Organization; the one of the caller's current project when absent.",
  })
  organizationId?: string | null
  @Field(() => Int, { description: "Number of the user." })
  userId!: number
  @Field(() => OrganizationRoleEnum, { description: "The role as it shall be. Only owners make owners." })
  role!: OrganizationRoleEnum
}

@ArgsType()
export class InviteUserArgs {
  @Field(() => ID, {
    nullable: true,
    description: "Organization; the one of the caller's current project when absent.",
  })
  organizationId?: string | null
  @Field(() => String, { description: "E-mail address; a user with this address who exists already has to accept." })
  email!: string
  @Field(() => String, { nullable: true, description: "First name of a new user, at most 150 characters." })
  firstName?: string | null
  @Field(() => String, { nullable: true, description: "Last name of a new user, at most 150 characters." })
  lastName?: string | null
  @Field(() => OrganizationRoleEnum, {
    nullable: true,
    description: "Role; member when absent. Only owners make owners.",
  })
  role?: OrganizationRoleEnum | null
  @Field(() => Boolean, {
    defaultValue: false,
    description: "Whether a new user too joins by a link, as people do who sign in by browser; they get no key then.",
  })
  byLink!: boolean
  @Field(() => [String], {
    nullable: true,
    description: "Scopes of the new user's first key; the calling key's when absent.",
  })
  keyScopes?: string[] | null
}

@ArgsType()
export class UpdateMeArgs {
  @Field(() => String, { nullable: true, description: "First name, at most 150 characters." })
  firstName?: string | null
  @Field(() => String, { nullable: true, description: "Last name, at most 150 characters." })
  lastName?: string | null
  @Field(() => String, {
    nullable: true,
    description: "Work in the organization in own words, at most 150 characters.",
  })
  roleAtOrganization?: string | null
  @Field(() => JsonScalar, { nullable: true, description: "Settings of the avatar: an object, or null for none." })
  hedgehogConfig?: Json
  @Field(() => Int, { nullable: true, description: "Project that `@current` shall stand for." })
  currentProjectId?: number | null
}
