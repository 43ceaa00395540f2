import type { Clock } from "../../kernel/clock.js"
import type { ProjectId } from "../../kernel/ids.js"
import { type CachePolicy, createStaleWhileRevalidateCache } from "../../platform/cache/stale-while-revalidate-cache.js"
import type { Logger } from "../../platform/logger/logger.js"
import { createChangeChannel } from "../../platform/pubsub/change-channel.js"
import type { PubSub } from "../../platform/pubsub/pub-sub.js"
import type { BuiltInConfig, BuiltInConfigs, PluginConfigRepository } from "./plugins.types.js"

/** Changes are pushed. Ingestion never waits for what it has known once; when a message is lost it sees a change within 20 s. */
const CACHE_POLICY: CachePolicy = {
  ttlMs: 20_000,
  staleWhileRevalidateMs: Number.POSITIVE_INFINITY,
  staleIfError: true,
  negativeTtlMs: 0,
  loadTimeoutMs: null,
}
const MAX_PROJECTS = 100_000

export interface BuiltInConfigsDependencies {
  readonly repository: Pick<PluginConfigRepository, "builtIns">
  readonly pubSub: PubSub
  readonly clock: Clock
  readonly logger: Logger
}

interface OfProject {
  readonly projectId: ProjectId
  readonly configs: readonly BuiltInConfig[]
}

/**
 * Keeps in memory how projects have set Waymark's own plugins, so that ingestion asks no store for an event. What is older
 * than 20 s is still answered while it is read again; only a project's first look-up waits for PostgreSQL.
 */
export function createBuiltInConfigs(dependencies: BuiltInConfigsDependencies): BuiltInConfigs {
  const { repository, pubSub, clock, logger } = dependencies
  const records = createStaleWhileRevalidateCache<ProjectId, OfProject>({
    load: async (projectId) => ({ projectId, configs: await repository.builtIns(projectId, new Date(clock.now())) }),
    cachePolicy: CACHE_POLICY,
    clock,
    maxEntries: MAX_PROJECTS,
  })
  const changes = createChangeChannel({
    pubSub,
    channel: "plugins.changed",
    onChange: (changed: { readonly projectId: ProjectId }) =>
      records.invalidate(({ projectId }) => projectId === changed.projectId),
    logger,
  })
  return {
    findByProject: async (projectId) => (await records.find(projectId))?.configs ?? [],
    announceChange: (projectId) => changes.announce({ projectId }),
    start: changes.start,
    stop: changes.stop,
  }
}
