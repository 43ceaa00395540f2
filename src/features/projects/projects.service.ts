import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import type { OrganizationId, ProjectId } from "../../kernel/ids.js"
import { MAX_PAGE_SIZE, type OffsetWindow, type Page } from "../../kernel/paging.js"
import type { Principal } from "../../kernel/request-context.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { OrganizationAccess } from "../access/index.js"
import { checkProject, type ProjectRequest, type SettingChecks } from "./project.rules.js"
import { PROJECT_TOKEN_PREFIX } from "./project-token.js"
import type { Project, ProjectDirectory, ProjectKey, ProjectLookupStore, ProjectRepository } from "./projects.types.js"

const MAX_LIVE_KEYS = 20

/** Use cases on projects and their keys. Faults are AppErrors naming the field and the rule. */
export interface ProjectsService {
  /** Projects of the caller's organizations that the key may see, oldest first. */
  list(principal: Principal, window: OffsetWindow): Promise<Page<Project>>
  /** Those of one organization that the caller belongs to, at most 1000, in the same order. */
  ofOrganization(principal: Principal, organizationId: OrganizationId): Promise<readonly Project[]>
  /** @throws AppError not_found. */
  get(projectId: ProjectId): Promise<Project>
  create(principal: Principal, organizationId: string | null, request: ProjectRequest): Promise<Project>
  update(principal: Principal, projectId: ProjectId, request: ProjectRequest): Promise<Project>
  /** Live keys of each project, in the order of the ids. */
  listKeys(projectIds: readonly ProjectId[]): Promise<ProjectKey[][]>
  /** Whether each project has ever stored an event, in the order of the ids. */
  haveEvents(projectIds: readonly ProjectId[]): Promise<boolean[]>
  createKey(principal: Principal, projectId: ProjectId): Promise<ProjectKey>
  revokeKey(principal: Principal, projectId: ProjectId, keyId: string): Promise<void>
}

export interface ProjectsDependencies {
  readonly repository: ProjectRepository
  readonly lookups: Pick<ProjectLookupStore, "withEvents">
  readonly directory: ProjectDirectory
  readonly organizations: OrganizationAccess
  readonly clock: Clock
  readonly ids: Ids
  /** Of features that read settings. */
  readonly settingChecks?: SettingChecks
}

/** Makes the use cases of projects and their keys. */
export function createProjectsService(dependencies: ProjectsDependencies): ProjectsService {
  const { repository, lookups, directory, organizations, clock, ids, settingChecks } = dependencies
  const now = () => new Date(clock.now())
  const newKey = (): ProjectKey => ({ id: ids.uuidV7(), token: ids.secret(PROJECT_TOKEN_PREFIX), createdAt: now() })
  const requireAdmin = async (principal: Principal, projectId: ProjectId): Promise<void> => {
    await organizations.require(principal, await directory.findOrganizationId(projectId), "admin")
  }

  return {
    list: async (principal, window) => {
      const visible = await organizations.visibleTo(principal)
      return repository.list({ organizationIds: [...visible.keys()], projectIds: principal.projectIds }, window)
    },
    ofOrganization: async ({ projectIds }, organizationId) => {
      const window = { limit: MAX_PAGE_SIZE, offset: 0 }
      return (await repository.list({ organizationIds: [organizationId], projectIds }, window)).items
    },
    get: async (projectId) => (await directory.findById(projectId)) ?? notFound(),
    create: async (principal, requestedId, request) => {
      const organizationId = await organizations.require(principal, requestedId, "admin")
      const { name, ...given } = checkProject(request, settingChecks)
      if (name === undefined) throw new AppError("required", { attr: "name" })
      const defaults = { timezone: "UTC", weekStartDay: 0, settings: {}, uuid: ids.uuidV4() }
      const key = newKey()
      const project = { ...defaults, ...given, name, organizationId, key, createdBy: principal.userId }
      const created = await repository.insert(project)
      await directory.announceChange(created.id)
      return created
    },
    update: async (principal, projectId, request) => {
      await requireAdmin(principal, projectId)
      const updated = await repository.update(projectId, checkProject(request, settingChecks), principal.userId, now())
      await directory.announceChange(projectId)
      return updated ?? notFound()
    },
    listKeys: async (projectIds) => {
      const keys = await repository.findKeys(projectIds)
      return projectIds.map((id) => keys.get(id) ?? [])
    },
    haveEvents: async (projectIds) => {
      const busy = await lookups.withEvents(projectIds)
      return projectIds.map((id) => busy.has(id))
    },
    createKey: async (principal, projectId) => {
      await requireAdmin(principal, projectId)
      const live = (await repository.findKeys([projectId])).get(projectId) ?? []
      if (live.length >= MAX_LIVE_KEYS)
        throw new AppError("invalid_input", { detail: `A project has at most ${MAX_LIVE_KEYS} live keys.` })
      const key = newKey()
      await repository.addKey(projectId, key, principal.userId)
      await directory.announceChange(projectId)
      return key
    },
    revokeKey: async (principal, projectId, keyId) => {
      await requireAdmin(principal, projectId)
      const outcome = await repository.revokeKey(projectId, keyId.toLowerCase(), principal.userId, now())
      await directory.announceChange(projectId)
      if (outcome === "not found") throw new AppError("not_found")
      if (outcome === "last key")
        throw new AppError("invalid_input", {
          attr: "id",
          detail: "A project keeps at least one live key; create another first.",
        })
    },
  }
}

const notFound = (): never => {
  throw new AppError("not_found", { detail: "Project not found." })
}
