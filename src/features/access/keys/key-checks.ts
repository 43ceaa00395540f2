import { AppError } from "../../../kernel/errors.js"
import type { OrganizationId, ProjectId } from "../../../kernel/ids.js"
import type { Principal, RequestContext } from "../../../kernel/request-context.js"
import type { Member } from "../access.types.js"
import { grants } from "../scopes.js"

/** Refuses keys of ordinary members where their organization wants none. */
export function requireOpenToKeys(principal: Principal, member: Member | null, organizationId: OrganizationId): void {
  const name = member?.closedToKeys.get(organizationId)
  if (name === undefined || principal.sessionId != null) return
  throw denied(
    `Organization '${name}' does not allow using personal API keys. Contact an admin to enable personal API keys for this organization.`,
  )
}

/** Refuses what the key is not bound to. A key bound to nothing may go wherever its user may. */
export function requireBinding(principal: Principal, projectId: ProjectId, organizationId: OrganizationId): void {
  if (principal.projectIds !== null && !principal.projectIds.includes(projectId))
    throw denied(`API key does not have access to the requested project: ID ${projectId}.`)
  requireOrganizationBinding(principal, organizationId)
}

/** As `requireBinding`, for what belongs to an organization as a whole. */
export function requireOrganizationBinding({ organizationIds }: Principal, organizationId: OrganizationId): void {
  if (organizationIds !== null && !organizationIds.includes(organizationId))
    throw denied(`API key does not have access to the requested organization: ID ${organizationId}.`)
}

/** Refuses keys that are bound to projects. */
export function requireUnboundToProjects({ projectIds }: Principal): void {
  if (projectIds !== null) throw denied("API keys with scoped projects are only supported on project-based endpoints.")
}

/** Refuses keys without a scope; one for writing counts for reading too. */
export function requireScope(principal: Principal, scope: string): void {
  if (!grants(principal.scopes, scope)) throw denied(`API key missing required scope '${scope}'`)
}

/** Refuses viewers what changes something, whatever their key or session may do. */
export function requireRoleFor(scope: string, member: Member | null, organizationId: OrganizationId): void {
  if (scope.endsWith(":write") && member?.roles.get(organizationId) === "viewer")
    throw denied("Viewers change nothing. This needs the role of member in the organization.")
}

/** Checked last: a caller without the right to do something learns that, even when they also ask too often. */
export function requireWithinRateLimit({ throttledForSeconds }: RequestContext): void {
  if (throttledForSeconds == null) return
  const detail = `Request was throttled. Expected available in ${throttledForSeconds} second${throttledForSeconds === 1 ? "" : "s"}.`
  throw new AppError("rate_limited", { detail, retryAfterSeconds: throttledForSeconds })
}

/** A refusal of what the caller may not do (403). */
export const denied = (detail: string): AppError => new AppError("permission_denied", { detail })
