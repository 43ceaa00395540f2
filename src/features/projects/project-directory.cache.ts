import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import { type CachePolicy, createStaleWhileRevalidateCache } from "../../platform/cache/stale-while-revalidate-cache.js"
import type { Logger } from "../../platform/logger/logger.js"
import { createChangeChannel } from "../../platform/pubsub/change-channel.js"
import type { PubSub } from "../../platform/pubsub/pub-sub.js"
import { isProjectToken } from "./project-token.js"
import type { Project, ProjectDirectory, ProjectLookupStore } from "./projects.types.js"

/** Capture and decisions go on with the projects they know while PostgreSQL is away. */
const CACHE_POLICY: CachePolicy = {
  ttlMs: 10_000,
  staleWhileRevalidateMs: 30_000,
  staleIfError: true,
  negativeTtlMs: 5_000,
  loadTimeoutMs: 3_000,
}
const MAX_PROJECTS = 100_000
const MAX_ABSENT = 10_000

export interface ProjectDirectoryDependencies {
  readonly store: Pick<ProjectLookupStore, "findByKey" | "findById" | "findFirst">
  readonly pubSub: PubSub
  readonly clock: Clock
  readonly logger: Logger
}

/** Keeps projects in memory over the store. */
export function createCachedProjectDirectory(dependencies: ProjectDirectoryDependencies): ProjectDirectory {
  const { store, pubSub, clock, logger } = dependencies
  const options = { cachePolicy: CACHE_POLICY, clock, maxEntries: MAX_PROJECTS, maxNegativeEntries: MAX_ABSENT }
  const byKey = createStaleWhileRevalidateCache<string, Project>({ ...options, load: store.findByKey })
  const byId = createStaleWhileRevalidateCache<ProjectId, Project>({ ...options, load: store.findById })
  const listeners = new Set<(projectId: ProjectId) => void>()

  const onChange = ({ projectId }: { readonly projectId: ProjectId }): void => {
    byKey.invalidate((project) => project.id === projectId)
    byId.invalidate((project) => project.id === projectId)
    for (const listener of listeners) listener(projectId)
  }
  const changes = createChangeChannel({ pubSub, channel: "projects.changed", onChange, logger })
  const findById = (projectId: ProjectId): Promise<Project | null> => byId.find(projectId)

  return {
    findByKey: async (token) => (isProjectToken(token) ? byKey.find(token) : null),
    findCached: (token) => (isProjectToken(token) ? byKey.peek(token) : null),
    findById,
    settings: async (projectId) => {
      const project = await findById(projectId)
      if (project === null) throw new AppError("not_found", { detail: "Project not found." })
      return project.settings
    },
    findOrganizationId: async (projectId) => (await findById(projectId))?.organizationId ?? null,
    findFirstProjectId: (organizationIds) => store.findFirst(organizationIds),
    announceChange: (projectId) => changes.announce({ projectId }),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start: changes.start,
    stop: changes.stop,
  }
}
