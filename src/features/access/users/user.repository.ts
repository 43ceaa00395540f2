import { type EntityManager, LockMode, UniqueConstraintViolationException } from "@mikro-orm/postgresql"
import type { OrganizationId, UserId } from "../../../kernel/ids.js"
import type { OffsetWindow } from "../../../kernel/paging.js"
import type { Ids } from "../../../platform/ids/ids.js"
import type { Records } from "../../../platform/postgres/records.js"
import { MembershipEntity, OrganizationEntity, UserEntity } from "../access.entity.js"
import type { ProjectLookup } from "../access.types.js"
import { addPersonalKey } from "../keys/personal-key.repository.js"
import { type ActivityEntry, recordActivity } from "../record-activity.repository.js"
import type { Invitation, NewUser, Organization, UserChanges } from "./user.types.js"

/** The varying part of an audit log entry that belongs to no project. */
type Entry = Omit<ActivityEntry, "id" | "projectId" | "createdAt">
type WriteEntry = (em: EntityManager, entry: Entry, now: Date) => void

const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE } as const

/** Users and organizations at rest. Changes write the audit log in the same transaction. */
export type UserRepository = ReturnType<typeof createUserRepository>

/** Users and organizations in PostgreSQL. */
export function createUserRepository(
  records: Records,
  projects: Pick<ProjectLookup, "findOrganizationId">,
  ids: Pick<Ids, "uuidV7">,
) {
  const record: WriteEntry = (em, entry, now) =>
    recordActivity(em, { ...entry, id: ids.uuidV7(), projectId: null, createdAt: now })

  return {
    findMany: (userIds: readonly UserId[]) => records.read((em) => em.find(UserEntity, { id: { $in: [...userIds] } })),
    find: (id: UserId) => records.read((em) => em.findOne(UserEntity, id)),
    /** Users of any of the organizations, by id. */
    list: (organizationIds: readonly OrganizationId[], window: OffsetWindow) =>
      records.read(async (em) => {
        const where = { memberships: { $some: { organization: { $in: [...organizationIds] } } } }
        const [items, totalCount] = await em.findAndCount(UserEntity, where, { ...window, orderBy: { id: "asc" } })
        return { items, totalCount }
      }),
    findOrganizations: (organizationIds: readonly OrganizationId[]) =>
      records.read((em) => {
        const where = { id: { $in: [...organizationIds] } }
        return em.find(OrganizationEntity, where, { orderBy: { createdAt: "asc", id: "asc" } })
      }),
    createOrganization: (organization: Organization, owner: UserId) =>
      records.write(async (em) => {
        const { id, name, createdAt } = organization
        const created = em.create(OrganizationEntity, { ...organization })
        em.create(MembershipEntity, { organization: created, user: owner, role: "owner", createdAt })
        const what = { scope: "Organization", itemId: id, activity: "created", changes: { name } }
        record(em, { ...what, organizationId: id, userId: owner }, createdAt)
        return created
      }),
    /** Null for an unknown organization. */
    updateOrganization: (
      id: OrganizationId,
      changes: Partial<Pick<Organization, "name" | "membersCanUsePersonalApiKeys">>,
      by: UserId,
      now: Date,
    ) =>
      records.write(async (em) => {
        const organization = await em.findOne(OrganizationEntity, id, LOCKED)
        if (organization === null) return null
        const what = { scope: "Organization", itemId: id, activity: "updated", changes: { ...changes } }
        record(em, { ...what, organizationId: id, userId: by }, now)
        return em.assign(organization, changes)
      }),
    invite: async (invitation: Invitation, now: Date) => {
      try {
        return await records.write((em) => invite(em, record, invitation, now))
      } catch (error) {
        // Somebody invited the same address at the same time and was first.
        if (error instanceof UniqueConstraintViolationException) return "already a member" as const
        throw error
      }
    },
    update: (id: UserId, changes: UserChanges, now: Date) =>
      records.write(async (em) => {
        const user = await em.findOne(UserEntity, id)
        if (user === null) return null
        const what = { scope: "User", itemId: user.uuid, activity: "updated", changes: { ...changes } }
        record(em, { ...what, organizationId: null, userId: id }, now)
        return em.assign(user, changes)
      }),
    /** "last owner" when nobody would be left to run the organization. */
    removeMember: (organizationId: OrganizationId, userId: UserId, by: UserId, now: Date) =>
      records.write(async (em): Promise<"removed" | "not a member" | "last owner"> => {
        const all = await em.find(MembershipEntity, { organization: organizationId }, LOCKED)
        const membership = all.find(({ user }) => user.id === userId)
        if (membership === undefined) return "not a member"
        const owners = all.filter(({ role }) => role === "owner")
        if (membership.role === "owner" && owners.length === 1) return "last owner"
        const user = await em.findOneOrFail(UserEntity, userId, LOCKED)
        const changes = { email: user.email, role: membership.role }
        const what = { scope: "OrganizationMember", itemId: user.uuid, activity: "removed", changes }
        record(em, { ...what, organizationId, userId: by }, now)
        em.remove(membership)
        // `@current` must not go on naming a project that the user may no longer see.
        const current = user.currentProjectId
        if (current !== null && (await projects.findOrganizationId(current)) === organizationId)
          user.currentProjectId = null
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
    return "already a member" as const
  const member = known ?? (await addUser(em, user, now))
  em.create(MembershipEntity, { organization: organizationId, user: member, role, createdAt: now })
  if (known === null) addPersonalKey(em, { ...firstKey, userId: member.id }, now)
  const changes = { email: member.email, role }
  const what = { scope: "OrganizationMember", itemId: member.uuid, activity: "invited", changes }
  record(em, { ...what, organizationId, userId: invitedBy }, now)
  return { isNew: known === null, user: member }
}

/** Stores a user at once, so that its number is known. */
export async function addUser(em: EntityManager, user: NewUser, now: Date): Promise<UserEntity> {
  const profile = { isEmailVerified: false, hedgehogConfig: null, roleAtOrganization: null }
  const created = em.create(UserEntity, { ...user, ...profile, isActive: true, createdAt: now })
  await em.flush()
  return created
}
