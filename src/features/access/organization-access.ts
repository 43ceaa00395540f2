import { AppError } from "../../kernel/errors.js"
import { asOrganizationId, type OrganizationId } from "../../kernel/ids.js"
import type { Principal } from "../../kernel/request-context.js"
import type { AccessLookups, Member, OrganizationRole, ProjectLookup } from "./access.types.js"
import { findCurrentProject } from "./current-project.js"
import { denied, requireOpenToKeys, requireOrganizationBinding } from "./keys/key-checks.js"

export type OrganizationAccess = ReturnType<typeof createOrganizationAccess>

const RANK: Record<OrganizationRole, number> = { viewer: 0, member: 1, admin: 2, owner: 3 }

/**
 * Checks of what a caller may do with an organization.
 * @param findFirst gives the organization that the first start of the server made, which runs it; null before that.
 */
export function createOrganizationAccess(lookups: AccessLookups, findFirst: () => Promise<OrganizationId | null>) {
  /** Whether the caller is an owner or admin of the organization that runs the server, by a key that reaches it. */
  const isOperator = async (principal: Principal): Promise<boolean> => {
    const [first, member] = await Promise.all([findFirst(), lookups.findMember(principal.userId)])
    if (first === null || RANK[member?.roles.get(first) ?? "viewer"] < RANK.admin) return false
    const { organizationIds, projectIds, sessionId } = principal
    const isClosed = sessionId == null && member?.closedToKeys.has(first) === true
    return !isClosed && projectIds === null && (organizationIds === null || organizationIds.includes(first))
  }
  return {
    /**
     * Checks that the caller's key and role reach an organization. Without an id it is the one of the caller's current
     * project. @throws AppError not_found or permission_denied.
     */
    require: async (principal: Principal, requestedId: string | null, role: OrganizationRole) => {
      const { organizationId, held } = await locateOrganization(lookups, principal, requestedId)
      requireOrganizationBinding(principal, organizationId)
      if (RANK[held] < RANK[role]) throw denied(`This needs the role of ${role} in the organization; yours is ${held}.`)
      return organizationId
    },
    isOperator,
    /** Checks that the caller runs the server. @throws AppError permission_denied. */
    requireOperator: async (principal: Principal): Promise<void> => {
      if (!(await isOperator(principal)))
        throw denied("This is for owners and admins of the organization that runs the server.")
    },
    /** The organizations that the caller's user belongs to and the key may see. */
    visibleTo: async (principal: Principal): Promise<ReadonlyMap<OrganizationId, OrganizationRole>> => {
      const member = await lookups.findMember(principal.userId)
      const bound = principal.organizationIds
      const isVisible = (id: OrganizationId): boolean =>
        (principal.sessionId != null || member?.closedToKeys.has(id) !== true) && (bound === null || bound.includes(id))
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
  { findMember, projects }: AccessLookups,
  principal: Principal,
  requestedId: string | null,
): Promise<{ readonly organizationId: OrganizationId; readonly held: OrganizationRole }> {
  const member = await findMember(principal.userId)
  const organizationId =
    requestedId === null ? await findCurrentOrganization(member, projects) : asOrganizationId(requestedId.toLowerCase())
  const held = organizationId === null ? undefined : member?.roles.get(organizationId)
  if (organizationId === null || held === undefined)
    throw new AppError("not_found", { detail: "Organization not found." })
  requireOpenToKeys(principal, member, organizationId)
  return { organizationId, held }
}

async function findCurrentOrganization(member: Member | null, projects: ProjectLookup): Promise<OrganizationId | null> {
  const projectId = await findCurrentProject(member, projects)
  if (projectId !== null) return projects.findOrganizationId(projectId)
  return member?.roles.keys().next().value ?? null
}
