import { AppError } from "../../kernel/errors.js"
import { asProjectId, type OrganizationId, type ProjectId } from "../../kernel/ids.js"
import type { ProjectAccess } from "../../kernel/request-context.js"
import { noteProject } from "../../kernel/request-note.js"
import type { AccessLookups, Member, ProjectLookup } from "./access.types.js"
import { requireCaller } from "./authentication/caller.js"
import { findCurrentProject } from "./current-project.js"
import {
  denied,
  requireBinding,
  requireOpenToKeys,
  requireOrganizationBinding,
  requireRoleFor,
  requireScope,
  requireUnboundToProjects,
  requireWithinRateLimit,
} from "./keys/key-checks.js"
import { locateOrganization } from "./organization-access.js"

const MAX_PROJECT_ID = 2 ** 31 - 1
const PROJECT_KEY_PREFIX = "phc_"
const NO_ORGANIZATIONS: ReadonlySet<OrganizationId> = new Set()

/**
 * Checks of what a caller may do with a project. They, their order and their texts are those of
 * `docs/contract/management.md#order-of-checks`.
 */
export function createProjectAccess({ findMember, projects }: AccessLookups): ProjectAccess {
  return {
    requireProject: async (context, rawProjectId, scope, rule) => {
      const { secretProjectId } = context
      if (secretProjectId != null && rule?.openToSecretKeys === true) {
        await requireSecretsProject(rawProjectId, secretProjectId, projects)
        requireWithinRateLimit(context)
        noteProject(secretProjectId)
        return secretProjectId
      }
      const principal = requireCaller(context)
      const member = await findMember(principal.userId)
      const projectId = await findNamedProject(rawProjectId, member, projects)
      const organizationId =
        projectId === null ? null : await projects.findOwnOrganizationId(projectId, member?.roles ?? NO_ORGANIZATIONS)
      // One of somebody else answers as one that there is not.
      if (projectId === null || organizationId === null) throw toUnknownProject(rawProjectId)
      requireOpenToKeys(principal, member, organizationId)
      requireBinding(principal, projectId, organizationId)
      requireScope(principal, scope)
      if (rule?.openToViewers !== true) requireRoleFor(scope, member, organizationId)
      requireWithinRateLimit(context)
      noteProject(projectId)
      return projectId
    },
    requireOrganization: async (context, rawOrganizationId, scope) => {
      const principal = requireCaller(context)
      const { organizationId } = await locateOrganization(
        { findMember, projects },
        principal,
        rawOrganizationId === "@current" ? null : rawOrganizationId,
      )
      requireUnboundToProjects(principal)
      requireOrganizationBinding(principal, organizationId)
      requireScope(principal, scope)
      requireWithinRateLimit(context)
      return organizationId
    },
    requirePrincipal: async (context, scope, rule) => {
      const principal = requireCaller(context)
      if (rule?.openToBoundKeys !== true) requireUnboundToProjects(principal)
      if (scope !== null) requireScope(principal, scope)
      requireWithinRateLimit(context)
      return principal
    },
    refuseKeys: (context) => {
      requireCaller(context)
      throw denied("This action does not support personal API key access")
    },
  }
}

/** A secret key is bound to its project, however that is named. */
async function requireSecretsProject(name: string, secretProjectId: ProjectId, projects: ProjectLookup): Promise<void> {
  const named = name.startsWith(PROJECT_KEY_PREFIX) ? (await projects.findByKey(name))?.id : toProjectId(name)
  if (name === "@current" || named === secretProjectId) return
  throw denied("The project secret key belongs to another project.")
}

/** A project is named by its number, by `@current`, or, as SDKs do, by its public key. */
async function findNamedProject(
  name: string,
  member: Member | null,
  projects: ProjectLookup,
): Promise<ProjectId | null> {
  if (name === "@current") return findCurrentProject(member, projects)
  if (!name.startsWith(PROJECT_KEY_PREFIX)) return toProjectId(name)
  return (await projects.findByKey(name))?.id ?? null
}

const toUnknownProject = (name: string): AppError =>
  name.startsWith(PROJECT_KEY_PREFIX)
    ? new AppError("invalid_project_key", { attr: "token" })
    : new AppError("not_found", { detail: "Project not found." })

/** Only plain decimal numbers name a project; one that PostgreSQL could not compare is an unknown project. */
function toProjectId(text: string): ProjectId | null {
  if (!/^[1-9]\d{0,9}$/.test(text)) return null
  const id = Number(text)
  return id <= MAX_PROJECT_ID ? asProjectId(id) : null
}
