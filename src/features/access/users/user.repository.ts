import { type EntityManager, LockMode } from "@mikro-orm/postgresql"
import type { OrganizationId, UserId } from "../../../kernel/ids.js"
import type { ListPage, PageRequest } from "../../../kernel/paging.js"
import type { Ids } from "../../../platform/ids/ids.js"
import { readRecords } from "../../../platform/postgres/record-list.js"
import type { Records } from "../../../platform/postgres/records.js"
import { BY_ID } from "../../../platform/postgres/sql-order.js"
import { InvitationEntity, MembershipEntity, OrganizationEntity, UserEntity } from "../access.entity.js"
import type { OrganizationRole, ProjectLookup } from "../access.types.js"
import { type ActivityEntry, recordActivity } from "../record-activity.repository.js"
import type { OrganizationMember } from "./member.graphql.js"
import type { NewUser, Organization, UserChanges } from "./user.types.js"

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
    /** The organization that the first start of the server made; null before that. */
    findFirstOrganization: (): Promise<OrganizationId | null> =>
      records.read(async (em) => {
        const orderBy = { createdAt: "asc", id: "asc" } as const
        const [first] = await em.find(OrganizationEntity, {}, { orderBy, limit: 1 })
        return first?.id ?? null
      }),
    /** A user of any of the organizations. */
    findMember: (organizationIds: readonly OrganizationId[], id: UserId) =>
      records.read((em) =>
        em.findOne(UserEntity, { id, memberships: { $some: { organization: { $in: [...organizationIds] } } } }),
      ),
    /** Users of any of the organizations, by id. */
    list: (organizationIds: readonly OrganizationId[], page: PageRequest): Promise<ListPage<UserEntity>> => {
      const where = { memberships: { $some: { organization: { $in: [...organizationIds] } } } }
      return readRecords(
        records,
        {
          order: [BY_ID],
          find: (em, { beyond, options }) => em.find(UserEntity, { $and: [where, beyond] }, options),
          count: (em) => em.count(UserEntity, where),
        },
        page,
      )
    },
    /** Users of an organization with their roles, by id. */
    listMembers: async (organization: OrganizationId, page: PageRequest): Promise<ListPage<OrganizationMember>> => {
      const where = { memberships: { $some: { organization } } }
      const populated = { populate: ["memberships"], populateWhere: { memberships: { organization } } } as const
      const found = await readRecords(
        records,
        {
          order: [BY_ID],
          find: (em, { beyond, options }) =>
            em.find(UserEntity, { $and: [where, beyond] }, { ...options, ...populated }),
          count: (em) => em.count(UserEntity, where),
        },
        page,
      )
      const toMembers = (user: UserEntity): OrganizationMember[] =>
        user.memberships.map(({ role, createdAt }) => ({ user, role, joinedAt: createdAt }))
      return { ...found, items: found.items.flatMap(toMembers) }
    },
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
    update: (id: UserId, changes: UserChanges, now: Date) =>
      records.write(async (em) => {
        const user = await em.findOne(UserEntity, id)
        if (user === null) return null
        const what = { scope: "User", itemId: user.uuid, activity: "updated", changes: { ...changes } }
        record(em, { ...what, organizationId: null, userId: id }, now)
        return em.assign(user, changes)
      }),
    /** "last owner" when nobody would be left to run the organization. */
    changeRole: (organizationId: OrganizationId, userId: UserId, role: OrganizationRole, by: UserId, now: Date) =>
      records.write(async (em): Promise<"changed" | "not a member" | "last owner" | "of an owner"> => {
        const { membership, isByOwner, isLastOwner } = await findPlace(em, organizationId, userId, by)
        if (membership === null) return "not a member"
        if (membership.role === "owner" && !isByOwner) return "of an owner"
        if (isLastOwner && role !== "owner") return "last owner"
        const { email, uuid: itemId } = membership.user
        const what = { scope: "OrganizationMember", itemId, activity: "updated", changes: { email, role } }
        record(em, { ...what, organizationId, userId: by }, now)
        membership.role = role
        return "changed"
      }),
    /** Also withdraws an invitation. "last owner" when nobody would be left to run the organization. */
    removeMember: (organizationId: OrganizationId, userId: UserId, by: UserId, now: Date) =>
      records.write(async (em): Promise<"removed" | "not a member" | "last owner" | "of an owner"> => {
        const place = await findPlace(em, organizationId, userId, by)
        const invited = { organization: organizationId, user: userId }
        const membership = place.membership ?? (await em.findOne(InvitationEntity, invited, LOCKED))
        if (membership === null) return "not a member"
        if (membership.role === "owner" && !place.isByOwner) return "of an owner"
        if (place.isLastOwner) return "last owner"
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

/** A user's place in an organization, and that of whoever changes it. Locks all of the organization's. */
async function findPlace(em: EntityManager, organizationId: OrganizationId, userId: UserId, by: UserId) {
  const all = await em.find(MembershipEntity, { organization: organizationId }, { ...LOCKED, populate: ["user"] })
  const membership = all.find(({ user }) => user.id === userId) ?? null
  const owners = all.filter(({ role }) => role === "owner")
  const isLastOwner = owners.length === 1 && owners[0] === membership
  return { membership, isByOwner: owners.some(({ user }) => user.id === by), isLastOwner }
}

/** Stores a user at once, so that its number is known. */
export async function addUser(em: EntityManager, user: NewUser, now: Date): Promise<UserEntity> {
  const profile = { isEmailVerified: false, hedgehogConfig: null, roleAtOrganization: null }
  const created = em.create(UserEntity, { ...user, ...profile, isActive: true, createdAt: now })
  await em.flush()
  return created
}
