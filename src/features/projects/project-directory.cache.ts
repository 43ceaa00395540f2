import { AppError } from "../../kernel/errors.js"
import type { OrganizationId, ProjectId } from "../../kernel/ids.js"
import { BatchedLookUps } from "../../platform/cache/batched-look-ups.js"
import { type CachePolicy, createStaleWhileRevalidateCache } from "../../platform/cache/stale-while-revalidate-cache.js"
import type { Platform } from "../../platform/platform.types.js"
import { createChangeChannel } from "../../platform/pubsub/change-channel.js"
import type { ProjectLookupStore } from "./project-lookup.store.js"
import { isProjectToken } from "./project-token.js"
import type { Project } from "./projects.types.js"
import type { RefusedKeys } from "./refused-keys.cache.js"

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
/** Some milliseconds of PostgreSQL. */
const MAX_KEYS_AT_ONCE = 500
const MAX_KEYS_WAITING = 10_000

/** How many keys that there are not one address may try: bounds the look-ups of keys that this process has never found. */
export interface WrongKeyBudget {
  /** @throws AppError rate_limited when it is used up. */
  requireLeft(senderIp: string): void
  /** Counts one. @throws AppError rate_limited when it is used up. */
  take(senderIp: string): void
}

export type ProjectDirectory = ReturnType<typeof createCachedProjectDirectory>

/**
 * Finds projects in a cache, so that capture and flags go on while PostgreSQL is away. What is cached is at most 30 s old while
 * PostgreSQL answers, an unknown key at most 5 s; changes are published to every process. Methods throw AppError
 * store_unavailable when a project is not in memory and PostgreSQL does not answer.
 */
export function createCachedProjectDirectory(
  store: Pick<ProjectLookupStore, "findByKeys" | "findById" | "findFirst">,
  wrongKeys: WrongKeyBudget,
  { pubSub, clock, logger }: Pick<Platform, "pubSub" | "clock" | "logger">,
  refusedKeys: Pick<RefusedKeys, "note"> | null = null,
) {
  const options = { cachePolicy: CACHE_POLICY, clock, maxEntries: MAX_PROJECTS, maxNegativeEntries: MAX_ABSENT }
  const limits = { maxBatch: MAX_KEYS_AT_ONCE, maxWaiting: MAX_KEYS_WAITING }
  const lookUps = new BatchedLookUps<string, Project>({ ...limits, findMany: store.findByKeys })
  const byKey = createStaleWhileRevalidateCache<string, Project>({ ...options, load: (key) => lookUps.find(key) })
  const byId = createStaleWhileRevalidateCache<ProjectId, Project>({ ...options, load: store.findById })
  const listeners = new Set<(projectId: ProjectId) => void>()

  const onChange = ({ projectId }: { readonly projectId: ProjectId }): void => {
    byKey.invalidate((project) => project.id === projectId)
    byId.invalidate((project) => project.id === projectId)
    for (const listener of listeners) listener(projectId)
  }
  const changes = createChangeChannel(pubSub, "projects.changed", onChange, logger)
  const findById = (projectId: ProjectId): Promise<Project | null> => byId.find(projectId)

  const findByKey = async (token: string, senderIp?: string): Promise<Project | null> => {
    const found = await findToken(token, senderIp)
    if (found === null && senderIp !== undefined) refusedKeys?.note(token, senderIp)
    return found
  }
  const findToken = async (token: string, senderIp?: string): Promise<Project | null> => {
    if (!isProjectToken(token)) return null
    const cached = byKey.peek(token)
    if (cached !== undefined) return cached
    if (senderIp === undefined || byKey.has(token)) return byKey.find(token)
    wrongKeys.requireLeft(senderIp)
    const project = await byKey.find(token)
    if (project === null) wrongKeys.take(senderIp)
    return project
  }

  return {
    /**
     * The project of a live key, null for a key that is none. From an address that has tried too many of these, only keys that
     * were found before are answered (`docs/contract/faults.md#unknown-project-keys`).
     * @param senderIp of who sent the key; absent for callers who have proven another one.
     * @throws AppError rate_limited.
     */
    findByKey,
    /** The same without waiting: undefined when `findByKey` has to be asked. */
    findCached: (token: string) => (isProjectToken(token) ? byKey.peek(token) : null),
    findById,
    /** @throws AppError not_found. */
    get: async (projectId: ProjectId): Promise<Project> => {
      const project = await findById(projectId)
      if (project === null) throw new AppError("not_found", { detail: "Project not found." })
      return project
    },
    /** The organization that owns a project; null when there is no such project. */
    findOrganizationId: async (projectId: ProjectId) => (await findById(projectId))?.organizationId ?? null,
    /** As `ProjectLookup` says. */
    findOwnOrganizationId: async (projectId: ProjectId, ownIds: Pick<ReadonlySet<OrganizationId>, "has">) => {
      const cached = byId.peek(projectId)
      if (cached != null && ownIds.has(cached.organizationId)) return cached.organizationId
      const project = cached === undefined ? await byId.find(projectId) : await store.findById(projectId)
      return project !== null && ownIds.has(project.organizationId) ? project.organizationId : null
    },
    /** The oldest project of these organizations; null when they have none. */
    findFirstProjectId: (organizationIds: readonly OrganizationId[]) => store.findFirst(organizationIds),
    /** Invalidates what is cached of a project, here and in every other process. */
    announceChange: (projectId: ProjectId) => changes.announce({ projectId }),
    /** Calls `listener` whenever a project or its keys changed, in any process. */
    onChange: (listener: (projectId: ProjectId) => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start: changes.start,
    stop: changes.stop,
  }
}
