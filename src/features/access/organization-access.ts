import { AppError } from "../../kernel/errors.js"
import type { OrganizationId, UserId } from "../../kernel/ids.js"
import type { Principal } from "../../kernel/request-context.js"
import type { Member, OrganizationRole, ProjectLookup } from "./access.types.js"
import { findCurrentProject } from "./current-project.js"
import { denied, requireOpenToKeys, requireOrganizationBinding } from "./keys/key-checks.js"

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
  readonly findMember: (userId: UserId) => Promise<Member | null>
  readonly projects: ProjectLookup
}

const RANK: Record<OrganizationRole, number> = { member: 0, admin: 1, owner: 2 }

/** Makes the door to organizations. */
export function createOrganizationAccess(dependencies: OrganizationAccessDependencies): OrganizationAccess {
  const { findMember } = dependencies
  return {
    require: async (principal, requestedId, role) => {
      const { organizationId, held } = await locateOrganization(dependencies, principal.userId, requestedId)
      requireOrganizationBinding(principal, organizationId)
      if (RANK[held] < RANK[role]) throw denied(`This needs the role of ${role} in the organization; yours is ${held}.`)
      return organizationId
    },
    visibleTo: async (principal) => {
      const member = await findMember(principal.userId)
      const bound = principal.organizationIds
      const isVisible = (id: OrganizationId): boolean =>
        member?.closedToKeys.has(id) !== true && (bound === null || bound.includes(id))
      return new Map([...(member?.roles ?? [])].filter(([id]) => isVisible(id)))
    },
  }
}

/**
 * Finds one of a user's organizations by its UUID in any case, without one that of the current project, else the first.
 * @throws AppError not_found when there is none, or the user is no member of it, permission_denied when it takes
 * no keys of members.
 */
export async function locateOrganization(
  { findMember, projects }: OrganizationAccessDependencies,
  userId: UserId,
  requestedId: string | null,
): Promise<{ readonly organizationId: OrganizationId; readonly held: OrganizationRole }> {
  const member = await findMember(userId)
  const organizationId =
    (requestedId?.toLowerCase() as OrganizationId | undefined) ?? (await findCurrentOrganization(member, projects))
  const held = organizationId === null ? undefined : member?.roles.get(organizationId)
  if (organizationId === null || held === undefined)
    throw new AppError("not_found", { detail: "Organization not found." })
  requireOpenToKeys(member, organizationId)
  return { organizationId, held }
}

async function findCurrentOrganization(member: Member | null, projects: ProjectLookup): Promise<OrganizationId | null> {
  const projectId = await findCurrentProject(member, projects)
  if (projectId !== null) return projects.findOrganizationId(projectId)
  return member?.roles.keys().next().value ?? null
}
