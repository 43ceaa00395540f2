import { AppError } from "../../kernel/errors.js"
import type { OrganizationId, ProjectId } from "../../kernel/ids.js"
import { firstRows, type ListPage, MAX_PAGE_SIZE, type PageRequest } from "../../kernel/paging.js"
import type { Principal } from "../../kernel/request-context.js"
import type { Platform } from "../../platform/platform.types.js"
import type { OrganizationAccess } from "../access/index.js"
import type { ProjectRepository } from "./project.repository.js"
import { checkProject, type SettingChecks } from "./project.rules.js"
import type { ProjectDirectory } from "./project-directory.cache.js"
import type { ProjectLookupStore } from "./project-lookup.store.js"
import { PROJECT_TOKEN_PREFIX } from "./project-token.js"
import type { ProjectArgs } from "./projects.graphql.js"
import type { Project, ProjectKey } from "./projects.types.js"

const MAX_LIVE_KEYS = 20

/** What use cases on projects need beside their records. */
export interface ProjectDependencies extends Pick<Platform, "clock" | "ids"> {
  readonly directory: ProjectDirectory
  readonly organizations: OrganizationAccess
  /** @throws AppError permission_denied when the caller is no admin of the project's organization. */
  readonly requireAdmin: (principal: Principal, projectId: ProjectId) => Promise<void>
}

/** Use cases on projects and their keys. Faults are AppErrors naming the field and the rule. */
export type ProjectsService = ReturnType<typeof createProjectsService>

/** Makes the use cases of projects and their keys. */
export function createProjectsService(
  repository: ProjectRepository,
  lookups: Pick<ProjectLookupStore, "findWithEvents">,
  { directory, organizations, requireAdmin, clock, ids }: ProjectDependencies,
  settingChecks?: SettingChecks,
) {
  const now = () => new Date(clock.now())
  const newKey = (): ProjectKey => ({ id: ids.uuidV7(), token: ids.secret(PROJECT_TOKEN_PREFIX), createdAt: now() })

  return {
    /** Projects of the caller's organizations that the key may see, oldest first. */
    list: async (principal: Principal, page: PageRequest): Promise<ListPage<Project>> => {
      const visible = await organizations.visibleTo(principal)
      return repository.list({ organizationIds: [...visible.keys()], projectIds: principal.projectIds }, page)
    },
    /** Those of one organization that the caller belongs to, at most 1000, in the same order. */
    listOfOrganization: async (
      { projectIds }: Principal,
      organizationId: OrganizationId,
    ): Promise<readonly Project[]> => {
      const found = await repository.list({ organizationIds: [organizationId], projectIds }, firstRows(MAX_PAGE_SIZE))
      return found.items
    },
    /** @throws AppError not_found. */
    get: (projectId: ProjectId): Promise<Project> => directory.get(projectId),
    create: async (principal: Principal, requestedId: string | null, request: ProjectArgs): Promise<Project> => {
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
    update: async (principal: Principal, projectId: ProjectId, request: ProjectArgs): Promise<Project> => {
      await requireAdmin(principal, projectId)
      const updated = await repository.update(projectId, checkProject(request, settingChecks), principal.userId, now())
      await directory.announceChange(projectId)
      return updated ?? notFound()
    },
    /** Live keys of each project, in the order of the ids. */
    listKeys: async (projectIds: readonly ProjectId[]): Promise<ProjectKey[][]> => {
      const keys = await repository.findKeys(projectIds)
      return projectIds.map((id) => keys.get(id) ?? [])
    },
    /** Whether each project has ever stored an event, in the order of the ids. */
    haveEvents: async (projectIds: readonly ProjectId[]): Promise<boolean[]> => {
      const busy = await lookups.findWithEvents(projectIds)
      return projectIds.map((id) => busy.has(id))
    },
    createKey: async (principal: Principal, projectId: ProjectId): Promise<ProjectKey> => {
      await requireAdmin(principal, projectId)
      const live = (await repository.findKeys([projectId])).get(projectId) ?? []
      if (live.length >= MAX_LIVE_KEYS)
        throw new AppError("invalid_input", { detail: `A project has at most ${MAX_LIVE_KEYS} live keys.` })
      const key = newKey()
      await repository.addKey(projectId, key, principal.userId)
      await directory.announceChange(projectId)
      return key
    },
    revokeKey: async (principal: Principal, projectId: ProjectId, keyId: string): Promise<void> => {
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
