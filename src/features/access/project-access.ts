import { AppError } from "../../kernel/errors.js"
import { asProjectId, type OrganizationId, type ProjectId, type UserId } from "../../kernel/ids.js"
import type { Principal, ProjectAccess, RequestContext } from "../../kernel/request-context.js"
import type { Member, ProjectLookup } from "./access.types.js"
import { callerOf } from "./caller.js"
import { grants } from "./scopes.js"

const MAX_PROJECT_ID = 2 ** 31 - 1
const PROJECT_KEY_PREFIX = "phc_"

export interface ProjectAccessDependencies {
  readonly memberOf: (userId: UserId) => Promise<Member | null>
  readonly projects: ProjectLookup
}

/** Makes the door to projects. Checks, their order and their texts are those of `management.md` 1.2. */
export function createProjectAccess({ memberOf, projects }: ProjectAccessDependencies): ProjectAccess {
  return {
    requireProject: async (context, rawProjectId, scope, rule) => {
      const { secretProjectId } = context
      if (secretProjectId != null && rule?.openToSecretKeys === true) {
        await requireSecretsProject(rawProjectId, secretProjectId, projects)
        requireTurn(context)
        return secretProjectId
      }
      const principal = callerOf(context)
      const member = await memberOf(principal.userId)
      const projectId = await namedProject(rawProjectId, member, projects)
      const organizationId = projectId === null ? null : await projects.organizationOf(projectId)
      if (projectId === null || organizationId === null)
        throw new AppError("not_found", { detail: "Project not found." })
      requireBinding(principal, projectId, organizationId)
      requireScope(principal, scope)
      if (member?.roles.has(organizationId) !== true) throw denied("You don't have access to the project.")
      requireTurn(context)
      return projectId
    },
    requirePrincipal: async (context, scope, rule) => {
      const principal = callerOf(context)
      if (principal.projectIds !== null && rule?.openToBoundKeys !== true)
        throw denied("API keys with scoped projects are only supported on project-based endpoints.")
      requireScope(principal, scope)
      requireTurn(context)
      return principal
    },
  }
}

/** A secret key is bound to its project, however that is named. */
async function requireSecretsProject(name: string, secretProjectId: ProjectId, projects: ProjectLookup): Promise<void> {
  if (name === "@current" || (await namedProject(name, null, projects)) === secretProjectId) return
  throw denied("The project secret key belongs to another project.")
}

/** A project is named by its number, by `@current`, or, as SDKs do, by its public key. */
async function namedProject(name: string, member: Member | null, projects: ProjectLookup): Promise<ProjectId | null> {
  if (name === "@current") return currentProjectOf(member, projects)
  if (!name.startsWith(PROJECT_KEY_PREFIX)) return toProjectId(name)
  const project = await projects.findByKey(name)
  if (project === null) throw new AppError("invalid_project_key", { attr: "token" })
  return project.id
}

/** What `@current` stands for: the project the user chose, else the oldest one of the user's organizations. */
export async function currentProjectOf(member: Member | null, projects: ProjectLookup): Promise<ProjectId | null> {
  if (member === null) return null
  return member.currentProjectId ?? (await projects.firstProjectOf([...member.roles.keys()]))
}

/** Refuses what the key is not bound to. A key bound to nothing may go wherever its user may. */
export function requireBinding(
  { projectIds, organizationIds }: Principal,
  projectId: ProjectId,
  organizationId: OrganizationId,
): void {
  if (projectIds !== null && !projectIds.includes(projectId))
    throw denied(`API key does not have access to the requested project: ID ${projectId}.`)
  if (organizationIds !== null && !organizationIds.includes(organizationId))
    throw denied(`API key does not have access to the requested organization: ID ${organizationId}.`)
}

function requireScope(principal: Principal, scope: string): void {
  if (!grants(principal.scopes, scope)) throw denied(`API key missing required scope '${scope}'`)
}

/** Last of all: who may not do something at all is told that, however often they ask. */
function requireTurn({ throttledForSeconds }: RequestContext): void {
  if (throttledForSeconds == null) return
  const detail = `Request was throttled. Expected available in ${throttledForSeconds} second${throttledForSeconds === 1 ? "" : "s"}.`
  throw new AppError("rate_limited", { detail, retryAfterSeconds: throttledForSeconds })
}

/** Only plain decimal numbers name a project; what PostgreSQL could not even compare is an unknown project. */
function toProjectId(text: string): ProjectId | null {
  if (!/^[1-9]\d{0,9}$/.test(text)) return null
  const id = Number(text)
  return id <= MAX_PROJECT_ID ? asProjectId(id) : null
}

const denied = (detail: string): AppError => new AppError("permission_denied", { detail })
