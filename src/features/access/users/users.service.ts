import { AppError } from "../../../kernel/errors.js"
import { asOrganizationId, asUserId, type OrganizationId } from "../../../kernel/ids.js"
import { orderInMemory } from "../../../kernel/order-in-memory.js"
import type { ListPage, PageRequest } from "../../../kernel/paging.js"
import { readPage } from "../../../kernel/read-page.js"
import type { Principal } from "../../../kernel/request-context.js"
import { requireName } from "../../../kernel/text-length.js"
import type { AccessDependencies, OrganizationRole } from "../access.types.js"
import { findCurrentProject } from "../current-project.js"
import type { OrganizationAccess } from "../organization-access.js"
import type { UpdateMeArgs, UpdateOrganizationArgs, UpdateOrganizationMemberArgs } from "./me.graphql.js"
import type { OrganizationMember } from "./member.graphql.js"
import type { UserRepository } from "./user.repository.js"
import { checkChanges, MAX_NAME_LENGTH } from "./user.rules.js"
import type { Me, OwnOrganization, User } from "./user.types.js"

const OLDEST_FIRST = [
  { property: "createdAt", kind: "time", isDescending: false },
  { property: "id", kind: "uuid", isDescending: false },
] as const

/** Use cases on users and organizations. Faults are AppErrors naming the field and the rule. */
export type UsersService = ReturnType<typeof createUsersService>

/** Makes the use cases of users and organizations. */
export function createUsersService(
  repository: UserRepository,
  organizations: OrganizationAccess,
  { findMember, projects, clock, ids, announceChange }: AccessDependencies,
) {
  const now = () => new Date(clock.now())
  const toMe = async (principal: Principal, user: User): Promise<Me> => {
    const currentProjectId = await findCurrentProject(await findMember(user.id), projects)
    return { ...user, currentProjectId, scopes: principal.scopes }
  }

  async function listOrganizations(principal: Principal): Promise<OwnOrganization[]> {
    const roles = await organizations.visibleTo(principal)
    const found = await repository.findOrganizations([...roles.keys()])
    return found.map((organization) => ({ ...organization, role: roles.get(organization.id) ?? "viewer" }))
  }

  return {
    me: async (principal: Principal): Promise<Me> =>
      toMe(principal, (await repository.find(principal.userId)) ?? unknownUser()),
    updateMe: async (principal: Principal, request: UpdateMeArgs): Promise<Me> => {
      const changes = checkChanges(request)
      if (changes.currentProjectId !== undefined) {
        const owner = await projects.findOrganizationId(changes.currentProjectId)
        if (owner === null || !(await organizations.visibleTo(principal)).has(owner))
          throw new AppError("does_not_exist", {
            attr: "current_project_id",
            detail: `You have access to no project ${changes.currentProjectId}.`,
          })
      }
      const user = (await repository.update(principal.userId, changes, now())) ?? unknownUser()
      await announceChange()
      return toMe(principal, user)
    },
    listOrganizations,
    pageOrganizations: async (principal: Principal, page: PageRequest): Promise<ListPage<OwnOrganization>> =>
      readPage(orderInMemory(OLDEST_FIRST, await listOrganizations(principal)), page),
    list: async (principal: Principal, organizationId: string | null, page: PageRequest): Promise<ListPage<User>> => {
      if (organizationId === null) return repository.list([...(await organizations.visibleTo(principal)).keys()], page)
      return repository.list([await organizations.require(principal, organizationId, "viewer")], page)
    },
    /** Users of an organization that the caller may see. */
    listMembers: (organizationId: OrganizationId, page: PageRequest): Promise<ListPage<OrganizationMember>> =>
      repository.listMembers(organizationId, page),
    /** Null for a number that no user of the caller's organizations has. */
    find: async (principal: Principal, id: number): Promise<User | null> =>
      repository.findMember([...(await organizations.visibleTo(principal)).keys()], asUserId(id)),
    createOrganization: async (principal: Principal, name: string): Promise<OwnOrganization> => {
      if (principal.organizationIds !== null)
        throw new AppError("permission_denied", { detail: "A key bound to organizations cannot create another one." })
      const made = {
        id: asOrganizationId(ids.uuidV7()),
        name: requireName("name", name, MAX_NAME_LENGTH),
        createdAt: now(),
      }
      const organization = { ...made, membersCanUsePersonalApiKeys: true }
      await repository.createOrganization(organization, principal.userId)
      await announceChange()
      return { ...organization, role: "owner" }
    },
    /** For admins and owners. */
    updateOrganization: async (
      principal: Principal,
      requestedId: string,
      request: UpdateOrganizationArgs,
    ): Promise<OwnOrganization> => {
      const id = await organizations.require(principal, requestedId, "admin")
      const { name, membersCanUsePersonalApiKeys } = request
      const changes = {
        ...(name == null ? {} : { name: requireName("name", name, MAX_NAME_LENGTH) }),
        ...(membersCanUsePersonalApiKeys == null ? {} : { membersCanUsePersonalApiKeys }),
      }
      const changed = await repository.updateOrganization(id, changes, principal.userId, now())
      if (changed === null) throw new AppError("not_found", { detail: "Organization not found." })
      await announceChange()
      return { ...changed, role: (await organizations.visibleTo(principal)).get(id) ?? "admin" }
    },
    /** For admins and owners; of an owner, and to an owner, for owners. */
    changeRole: async (
      principal: Principal,
      { organizationId: requestedId, userId, role }: UpdateOrganizationMemberArgs,
    ): Promise<OrganizationRole> => {
      const needed = role === "owner" ? "owner" : "admin"
      const organizationId = await organizations.require(principal, requestedId ?? null, needed)
      const outcome = await repository.changeRole(organizationId, asUserId(userId), role, principal.userId, now())
      if (outcome === "not a member") throw new AppError("not_found")
      if (outcome === "of an owner")
        throw new AppError("permission_denied", { detail: "Only owners change the role of an owner." })
      if (outcome === "last owner") throw lastOwner("role")
      await announceChange()
      return role
    },
    removeMember: async (principal: Principal, requestedId: string, userId: number): Promise<void> => {
      const organizationId = await organizations.require(principal, requestedId, "admin")
      const outcome = await repository.removeMember(organizationId, asUserId(userId), principal.userId, now())
      if (outcome === "not a member") throw new AppError("not_found")
      if (outcome === "of an owner") throw new AppError("permission_denied", { detail: "Only owners remove an owner." })
      if (outcome === "last owner") throw lastOwner("user_id")
      await announceChange()
    },
  }
}

const lastOwner = (attr: string): AppError =>
  new AppError("invalid_input", { attr, detail: "An organization keeps at least one owner." })

const unknownUser = (): never => {
  throw new AppError("not_found")
}
