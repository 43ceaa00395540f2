import { type Clock, isRecent } from "../../kernel/clock.js"
import { asProjectId, type ProjectId } from "../../kernel/ids.js"
import type { Logger } from "../../platform/logger/logger.js"
import type { PubSub } from "../../platform/pubsub/pub-sub.js"
import type { BuiltInConfig, BuiltInConfigs, PluginConfigRepository } from "./plugins.types.js"

const CHANGED_CHANNEL = "plugins.changed"
/** Changes are pushed; up to this age a project counts as unchanged even when a message was lost. */
const FRESH_MS = 20_000
const MAX_PROJECTS = 100_000

export interface BuiltInConfigsDependencies {
  readonly repository: Pick<PluginConfigRepository, "builtIns">
  readonly pubSub: PubSub
  readonly clock: Clock
  readonly logger: Logger
}

interface Entry {
  readonly configs: readonly BuiltInConfig[]
  readonly loadedAtMs: number
}

/**
 * Keeps in memory how projects have set Waymark's own plugins, so that ingestion asks no store for an event. What is older
 * than 20 s is still answered while it is read again; only a project's first look-up waits for PostgreSQL.
 */
export function createBuiltInConfigs(dependencies: BuiltInConfigsDependencies): BuiltInConfigs {
  const { repository, pubSub, clock, logger } = dependencies
  const entries = new Map<ProjectId, Entry>()
  const loading = new Map<ProjectId, Promise<readonly BuiltInConfig[]>>()

  const loadOnce = (projectId: ProjectId): Promise<readonly BuiltInConfig[]> => {
    const running = loading.get(projectId)
    if (running !== undefined) return running
    const started = repository
      .builtIns(projectId, new Date(clock.now()))
      .then((configs) => {
        // A change that came meanwhile has taken this load off the list: it may have read what was before.
        if (loading.get(projectId) === started) put(projectId, configs)
        return configs
      })
      .finally(() => {
        if (loading.get(projectId) === started) loading.delete(projectId)
      })
    loading.set(projectId, started)
    return started
  }
  const put = (projectId: ProjectId, configs: readonly BuiltInConfig[]): void => {
    entries.delete(projectId)
    entries.set(projectId, { configs, loadedAtMs: clock.now() })
    if (entries.size > MAX_PROJECTS) entries.delete(entries.keys().next().value as ProjectId)
  }
  const forget = (projectId: ProjectId): void => {
    entries.delete(projectId)
    loading.delete(projectId)
  }

  let unsubscribe: () => Promise<void> = async () => undefined
  return {
    of: async (projectId) => {
      const entry = entries.get(projectId)
      if (entry === undefined) return loadOnce(projectId)
      if (!isRecent(clock.now(), entry.loadedAtMs, FRESH_MS)) loadOnce(projectId).catch(() => undefined)
      return entry.configs
    },
    announceChange: async (projectId) => {
      forget(projectId)
      await pubSub.publish(CHANGED_CHANNEL, { projectId }).catch((err: unknown) => {
        logger.warn("other processes could not be told that a plugin changed; they see it within 20 s", {
          projectId,
          err,
        })
      })
    },
    start: async () => {
      unsubscribe = await pubSub.subscribe(CHANGED_CHANNEL, (message) => {
        forget(asProjectId((message as { projectId: number }).projectId))
      })
    },
    stop: () => unsubscribe(),
  }
}
