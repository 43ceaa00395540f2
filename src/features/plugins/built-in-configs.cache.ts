import type { ProjectId } from "../../kernel/ids.js"
import { type CachePolicy, createStaleWhileRevalidateCache } from "../../platform/cache/stale-while-revalidate-cache.js"
import type { Platform } from "../../platform/platform.types.js"
import { createChangeChannel } from "../../platform/pubsub/change-channel.js"
import type { PluginConfigRepository } from "./plugin-config.repository.js"
import type { BuiltInConfig } from "./plugins.types.js"

/** Changes are pushed; when a message is lost, they are seen within 20 s. Only the first read of a project waits. */
const CACHE_POLICY: CachePolicy = {
  ttlMs: 20_000,
  staleWhileRevalidateMs: Number.POSITIVE_INFINITY,
  staleIfError: true,
  negativeTtlMs: 0,
  loadTimeoutMs: null,
}
const MAX_PROJECTS = 100_000

interface ProjectConfigs {
  readonly projectId: ProjectId
  readonly configs: readonly BuiltInConfig[]
}

export type BuiltInConfigs = ReturnType<typeof createBuiltInConfigs>

/** Caches how projects have set Waymark's own plugins, so that ingestion reads no store for an event. */
export function createBuiltInConfigs(
  repository: Pick<PluginConfigRepository, "findBuiltIns">,
  { pubSub, clock, logger }: Pick<Platform, "pubSub" | "clock" | "logger">,
) {
  const records = createStaleWhileRevalidateCache<ProjectId, ProjectConfigs>({
    load: async (projectId) => ({
      projectId,
      configs: await repository.findBuiltIns(projectId, new Date(clock.now())),
    }),
    cachePolicy: CACHE_POLICY,
    clock,
    maxEntries: MAX_PROJECTS,
  })
  const onChange = (changed: { readonly projectId: ProjectId }): void =>
    records.invalidate(({ projectId }) => projectId === changed.projectId)
  const changes = createChangeChannel(pubSub, "plugins.changed", onChange, logger)
  return {
    /** @throws AppError store_unavailable when the project is not in memory and PostgreSQL does not answer. */
    findByProject: async (projectId: ProjectId) => (await records.find(projectId))?.configs ?? [],
    /** Makes every process read a project again. */
    announceChange: (projectId: ProjectId) => changes.announce({ projectId }),
    /** Subscribes to changes made by other processes. */
    start: changes.start,
    stop: changes.stop,
  }
}
