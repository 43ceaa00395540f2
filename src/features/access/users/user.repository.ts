import { type EntityManager, LockMode, UniqueConstraintViolationException } from "@mikro-orm/postgresql"
import type { OrganizationId, UserId } from "../../../kernel/ids.js"
import type { Ids } from "../../../platform/ids/ids.js"
import type { Database } from "../../../platform/postgres/database.types.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import { MembershipEntity, OrganizationEntity, UserEntity } from "../access.entity.js"
import type { OrganizationRole } from "../access.types.js"
import { type Activity, recordActivity } from "../activity/activity.log.js"
import { addPersonalKey } from "../keys/personal-key.repository.js"
import type { Invitation, NewUser, Organization, User, UserRepository } from "./user.types.js"

/** Run when a membership ends: `@current` must not go on naming a project that the user may no longer see. */
const LEAVE_CURRENT_PROJECT = `
  UPDATE app_user SET current_project_id = NULL
  WHERE id = ? AND current_project_id IN (SELECT id FROM project WHERE organization_id = ?)`

/** The varying part of an audit log entry that belongs to no project. */
type Entry = Omit<Activity, "id" | "projectId" | "createdAt">
type WriteEntry = (em: EntityManager, entry: Entry, now: Date) => void

/** Users and organizations in PostgreSQL. */
export function createUserRepository({ orm }: Pick<Database, "orm">, ids: Ids): UserRepository {
  const read = <T>(work: (em: EntityManager) => Promise<T>): Promise<T> => whenReachable(() => work(orm.em.fork()))
  const change = <T>(work: (em: EntityManager) => Promise<T>): Promise<T> =>
    whenReachable(() => orm.em.fork().transactional(work))
  const record: WriteEntry = (em, entry, now) =>
    recordActivity(em, { ...entry, id: ids.uuidV7(), projectId: null, createdAt: now })

  return {
    findMany: (userIds) => read(async (em) => (await em.find(UserEntity, { id: { $in: [...userIds] } })).map(toUser)),
    find: (id) =>
      read(async (em) => {
        const user = await em.findOne(UserEntity, id)
        return user === null ? null : toUser(user)
      }),
    list: (organizationIds, window) =>
      read(async (em) => {
        const memberships = await em.find(MembershipEntity, { organization: { $in: [...organizationIds] } })
        const where = { id: { $in: [...new Set(memberships.map(({ user }) => user.id))] } }
        const [users, totalCount] = await em.findAndCount(UserEntity, where, { ...window, orderBy: { id: "asc" } })
        return { items: users.map(toUser), totalCount }
      }),
    findOrganizations: (organizationIds) =>
      read(async (em) => {
        const where = { id: { $in: [...organizationIds] } }
        const found = await em.find(OrganizationEntity, where, { orderBy: { createdAt: "asc", id: "asc" } })
        return found.map(toOrganization)
      }),
    createOrganization: (organization, owner) =>
      change(async (em) => {
        await em.persist(em.create(OrganizationEntity, { ...organization })).flush()
        const { id, name, createdAt } = organization
        addMembership(em, id, owner, "owner", createdAt)
        const what = { scope: "Organization", itemId: id, activity: "created", changes: { name } }
        record(em, { ...what, organizationId: id, userId: owner }, createdAt)
        return organization
      }),
    updateOrganization: (id, changes, by, now) =>
      change(async (em) => {
        const organization = await em.findOne(OrganizationEntity, id, { lockMode: LockMode.PESSIMISTIC_WRITE })
        if (organization === null) return null
        em.assign(organization, changes)
        const what = { scope: "Organization", itemId: id, activity: "updated", changes: { ...changes } }
        record(em, { ...what, organizationId: id, userId: by }, now)
        return toOrganization(organization)
      }),
    invite: async (invitation, now) => {
      try {
        return await change((em) => invite(em, record, invitation, now))
      } catch (error) {
        // Somebody invited the same address at the same time and was first.
        if (error instanceof UniqueConstraintViolationException) return { outcome: "already a member" }
        throw error
      }
    },
    update: (id, changes, now) =>
      change(async (em) => {
        const user = await em.findOne(UserEntity, id)
        if (user === null) return null
        const what = { scope: "User", itemId: user.uuid, activity: "updated", changes: { ...changes } }
        record(em, { ...what, organizationId: null, userId: id }, now)
        return toUser(em.assign(user, changes))
      }),
    removeMember: (organizationId, userId, by, now) =>
      change(async (em) => {
        const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const
        const all = await em.find(MembershipEntity, { organization: organizationId }, lock)
        const membership = all.find(({ user }) => user.id === userId)
        if (membership === undefined) return "not a member"
        const owners = all.filter(({ role }) => role === "owner")
        if (membership.role === "owner" && owners.length === 1) return "last owner"
        const { uuid, email } = await em.findOneOrFail(UserEntity, userId)
        const changes = { email, role: membership.role }
        const what = { scope: "OrganizationMember", itemId: uuid, activity: "removed", changes }
        record(em, { ...what, organizationId, userId: by }, now)
        em.remove(membership)
        await em.execute(LEAVE_CURRENT_PROJECT, [userId, organizationId])
        return "removed"
      }),
  }
}

async function invite(
  em: EntityManager,
  record: WriteEntry,
  { organizationId, role, user, firstKey, invitedBy }: Invitation,
  now: Date,
) {
  const known = await em.findOne(UserEntity, { email: user.email })
  if (known !== null && (await em.count(MembershipEntity, { organization: organizationId, user: known })) > 0)
    return { outcome: "already a member" } as const
  const member = known ?? (await addUser(em, user, now))
  addMembership(em, organizationId, member.id, role, now)
  if (known === null) addPersonalKey(em, { ...firstKey, userId: member.id }, now)
  const changes = { email: member.email, role }
  const what = { scope: "OrganizationMember", itemId: member.uuid, activity: "invited", changes }
  record(em, { ...what, organizationId, userId: invitedBy }, now)
  return { outcome: known === null ? "created" : "joined", user: toUser(member) } as const
}

/** Stores a user at once, so that its number is known. */
export async function addUser(em: EntityManager, user: NewUser, now: Date): Promise<UserEntity> {
  const defaults = { isEmailVerified: false, isActive: true, createdAt: now }
  const created = em.create(UserEntity, { ...user, ...defaults })
  await em.persist(created).flush()
  return created
}

/** Adds a membership to the unit of work of `em`. */
export function addMembership(
  em: EntityManager,
  organizationId: OrganizationId,
  userId: UserId,
  role: OrganizationRole,
  now: Date,
): void {
  em.persist(em.create(MembershipEntity, { organization: organizationId, user: userId, role, createdAt: now }))
}

const toOrganization = (entity: OrganizationEntity): Organization => {
  const { id, name, membersCanUsePersonalApiKeys, createdAt } = entity
  return { id, name, membersCanUsePersonalApiKeys, createdAt }
}

function toUser(entity: UserEntity): User {
  const { id, uuid, distinctId, firstName, lastName, email, isEmailVerified, isActive, createdAt } = entity
  return {
    ...{ id, uuid, distinctId, firstName, lastName, email, isEmailVerified, isActive, createdAt },
    hedgehogConfig: entity.hedgehogConfig ?? null,
    roleAtOrganization: entity.roleAtOrganization ?? null,
    currentProjectId: entity.currentProjectId ?? null,
  }
}
