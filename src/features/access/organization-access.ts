import { AppError } from "../../kernel/errors.js"
import type { OrganizationId, UserId } from "../../kernel/ids.js"
import type { Principal } from "../../kernel/request-context.js"
import type { Member, OrganizationRole, ProjectLookup } from "./access.types.js"
import { currentProjectOf } from "./project-access.js"

/** The door to organizations, for operations that change who and what belongs to one. */
export interface OrganizationAccess {
  /**
   * Checks that the caller's key and role reach an organization. Without an id it is the one of the caller's current
   * project. @throws AppError not_found or permission_denied.
   */
  require(principal: Principal, organizationId: string | null, role: OrganizationRole): Promise<OrganizationId>
  /** The organizations that the caller's user belongs to and the key may see. */
  visibleTo(principal: Principal): Promise<ReadonlyMap<OrganizationId, OrganizationRole>>
}

export interface OrganizationAccessDependencies {
  readonly memberOf: (userId: UserId) => Promise<Member | null>
  readonly projects: ProjectLookup
}

const RANK: Record<OrganizationRole, number> = { member: 0, admin: 1, owner: 2 }

/** Makes the door to organizations. */
export function createOrganizationAccess(dependencies: OrganizationAccessDependencies): OrganizationAccess {
  const { memberOf, projects } = dependencies
  const currentOf = async (member: Member | null): Promise<OrganizationId | null> => {
    const projectId = await currentProjectOf(member, projects)
    if (projectId !== null) return projects.organizationOf(projectId)
    return member?.roles.keys().next().value ?? null
  }
  return {
    require: async (principal, requestedId, role) => {
      const member = await memberOf(principal.userId)
      const organizationId = (requestedId?.toLowerCase() as OrganizationId | undefined) ?? (await currentOf(member))
      const held = organizationId === null ? undefined : member?.roles.get(organizationId)
      if (organizationId === null || held === undefined)
        throw new AppError("not_found", { detail: "Organization not found." })
      if (principal.organizationIds !== null && !principal.organizationIds.includes(organizationId))
        throw denied(`API key does not have access to the requested organization: ID ${organizationId}.`)
      if (RANK[held] < RANK[role]) throw denied(`This needs the role of ${role} in the organization; yours is ${held}.`)
      return organizationId
    },
    visibleTo: async (principal) => {
      const roles = (await memberOf(principal.userId))?.roles ?? new Map()
      const bound = principal.organizationIds
      return bound === null ? roles : new Map([...roles].filter(([id]) => bound.includes(id)))
    },
  }
}

const denied = (detail: string): AppError => new AppError("permission_denied", { detail })
