import { defineEntity, p } from "@mikro-orm/core"
import type { OrganizationId, ProjectId, UserId } from "../../kernel/ids.js"
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
    hedgehogConfig: p.json<JsonObject>().nullable(),
    roleAtOrganization: p.text().nullable(),
    isActive: p.boolean(),
    currentProjectId: p.integer().$type<ProjectId>().nullable(),
    createdAt: p.datetime(),
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

const PersonalKeySchema = defineEntity({
  name: "PersonalKey",
  tableName: "personal_key",
  properties: {
    id: p.uuid().primary(),
    userId: p.integer().$type<UserId>(),
    label: p.string().length(40),
    scopes: p.array(String),
    projectIds: p
      .array((text) => Number(text) as ProjectId)
      .columnType("integer[]")
      .nullable(),
    organizationIds: p
      .array((text) => text as OrganizationId)
      .columnType("uuid[]")
      .nullable(),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
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
    hint: p.text(),
    createdAt: p.datetime(),
    expiresAt: p.datetime().nullable(),
  },
})
/** A row of `personal_key_secret`: one value of a key. */
export class PersonalKeySecretEntity extends PersonalKeySecretSchema.class {}
PersonalKeySecretSchema.setClass(PersonalKeySecretEntity)

const ProjectSecretSchema = defineEntity({
  name: "ProjectSecret",
  tableName: "project_secret",
  properties: {
    id: p.uuid().primary(),
    projectId: p.integer().$type<ProjectId>(),
    hash: p.text().hidden(),
    hint: p.text(),
    createdAt: p.datetime(),
    revokedAt: p.datetime().nullable(),
  },
})
/** A row of `project_secret`. */
export class ProjectSecretEntity extends ProjectSecretSchema.class {}
ProjectSecretSchema.setClass(ProjectSecretEntity)

const ActivitySchema = defineEntity({
  name: "Activity",
  tableName: "activity_log",
  properties: {
    id: p.uuid().primary(),
    projectId: p.integer().$type<ProjectId>().nullable(),
    organizationId: p.uuid().$type<OrganizationId>().nullable(),
    userId: p.integer().$type<UserId>().nullable(),
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
  PersonalKeyEntity,
  PersonalKeySecretEntity,
  ProjectSecretEntity,
  ActivityEntity,
]
