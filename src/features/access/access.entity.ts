import { defineEntity, p } from "@mikro-orm/core"
import { asOrganizationId, asProjectId, type OrganizationId, type ProjectId, type UserId } from "../../kernel/ids.js"
import type { Json, JsonObject } from "../../kernel/json.js"
import type { OrganizationRole } from "./access.types.js"

const OrganizationSchema = defineEntity({
  name: "Organization",
  tableName: "organization",
  properties: {
    id: p.uuid().$type<OrganizationId>().primary(),
    name: p.text(),
    membersCanUsePersonalApiKeys: p.boolean().default(true),
    createdAt: p.datetime(),
  },
})
/** A row of `organization`. */
export class OrganizationEntity extends OrganizationSchema.class {}
OrganizationSchema.setClass(OrganizationEntity)

const UserSchema = defineEntity({
  name: "User",
  tableName: "app_user",
  properties: {
    id: p.integer().$type<UserId>().primary().autoincrement(),
    uuid: p.uuid(),
    distinctId: p.text(),
    email: p.text(),
    firstName: p.text(),
    lastName: p.text(),
    isEmailVerified: p.boolean(),
    hedgehogConfig: p.json<JsonObject>().strictNullable(),
    roleAtOrganization: p.text().strictNullable(),
    isActive: p.boolean(),
    // A plain number: the entity of projects belongs to a feature above this one.
    currentProjectId: p.integer().$type<ProjectId>().strictNullable(),
    createdAt: p.datetime(),
    memberships: () => p.oneToMany(MembershipEntity).mappedBy("user"),
  },
})
/** A row of `app_user`. */
export class UserEntity extends UserSchema.class {}
UserSchema.setClass(UserEntity)

const MembershipSchema = defineEntity({
  name: "OrganizationMembership",
  tableName: "organization_membership",
  properties: {
    organization: () => p.manyToOne(OrganizationEntity).primary(),
    user: () => p.manyToOne(UserEntity).primary(),
    role: p.text().$type<OrganizationRole>(),
    createdAt: p.datetime(),
  },
})
/** A row of `organization_membership`. */
export class MembershipEntity extends MembershipSchema.class {}
MembershipSchema.setClass(MembershipEntity)

const InvitationSchema = defineEntity({
  name: "OrganizationInvitation",
  tableName: "organization_invitation",
  properties: {
    organization: () => p.manyToOne(OrganizationEntity).primary(),
    user: () => p.manyToOne(UserEntity).primary(),
    role: p.text().$type<OrganizationRole>(),
    hash: p.text().hidden(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
  },
})
/** A row of `organization_invitation`. */
export class InvitationEntity extends InvitationSchema.class {}
InvitationSchema.setClass(InvitationEntity)

const PersonalKeySchema = defineEntity({
  name: "PersonalKey",
  tableName: "personal_key",
  properties: {
    id: p.uuid().primary(),
    userId: () => p.manyToOne(UserEntity).mapToPk().fieldName("user_id"),
    label: p.string().length(40),
    scopes: p.array(String),
    projectIds: p
      .array((text) => asProjectId(Number(text)))
      .columnType("integer[]")
      .strictNullable(),
    organizationIds: p.array(asOrganizationId).columnType("uuid[]").strictNullable(),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime().strictNullable(),
    revokedAt: p.datetime().strictNullable(),
    secrets: () => p.oneToMany(PersonalKeySecretEntity).mappedBy("key").orderBy({ createdAt: "asc" }),
  },
})
/** A row of `personal_key`. */
export class PersonalKeyEntity extends PersonalKeySchema.class {}
PersonalKeySchema.setClass(PersonalKeyEntity)

const PersonalKeySecretSchema = defineEntity({
  name: "PersonalKeySecret",
  tableName: "personal_key_secret",
  properties: {
    id: p.uuid().primary(),
    key: () => p.manyToOne(PersonalKeyEntity),
    hash: p.text().hidden(),
    maskedValue: p.text().fieldName("hint"),
    createdAt: p.datetime(),
    expiresAt: p.datetime().strictNullable(),
  },
})
/** A row of `personal_key_secret`: one value of a key. */
export class PersonalKeySecretEntity extends PersonalKeySecretSchema.class {}
PersonalKeySecretSchema.setClass(PersonalKeySecretEntity)

const ActivitySchema = defineEntity({
  name: "Activity",
  tableName: "activity_log",
  properties: {
    id: p.uuid().primary(),
    projectId: p.integer().$type<ProjectId>().strictNullable(),
    organizationId: () => p.manyToOne(OrganizationEntity).mapToPk().fieldName("organization_id").strictNullable(),
    userId: () => p.manyToOne(UserEntity).mapToPk().fieldName("user_id").strictNullable(),
    scope: p.text(),
    itemId: p.text(),
    activity: p.text(),
    changes: p.json<Json>(),
    createdAt: p.datetime(),
  },
})
/** A row of `activity_log`. */
export class ActivityEntity extends ActivitySchema.class {}
ActivitySchema.setClass(ActivityEntity)

/** What `openDatabase` must know of this feature. */
export const accessEntities = [
  OrganizationEntity,
  UserEntity,
  MembershipEntity,
  InvitationEntity,
  PersonalKeyEntity,
  PersonalKeySecretEntity,
  ActivityEntity,
]
