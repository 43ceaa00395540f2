import type { Platform } from "../../platform/platform.types.js"
import { createBuiltInConfigs } from "./built-in-configs.cache.js"
import { createGeoIpPlugin } from "./geo-ip.plugin.js"
import { createPluginConfigRepository } from "./plugin-config.repository.js"
import { PluginConfigsService } from "./plugin-configs.service.js"
import { createPluginLogFeed } from "./plugin-log-feed.js"
import { createPluginLogOrder } from "./plugin-log-order.store.js"
import { PluginLogsService } from "./plugin-logs.service.js"
import { createPluginLogStore } from "./plugin-logs.store.js"
import { PluginsResolver } from "./plugins.resolver.js"
import { SystemLog } from "./system-log.js"

export interface PluginsFeatureDependencies extends Platform {
  /** Whether there is a file to look places up in. */
  readonly hasGeoIpDatabase: boolean
}

/** Wires plugins: records per project, their logs, and Waymark's own plugins as ingestion sees them. */
export function createPluginsFeature(dependencies: PluginsFeatureDependencies) {
  const { database, clickHouse, pubSub, clock, ids, logger, hasGeoIpDatabase } = dependencies
  const newId = () => ids.uuidV7()
  const repository = createPluginConfigRepository(database.records, ids)
  const logStore = createPluginLogStore(clickHouse)
  const order = createPluginLogOrder(database.pool)
  const feed = createPluginLogFeed({ logs: logStore, order, pubSub, logger })
  const logs = new PluginLogsService(logStore, order, repository, clock, newId, feed)
  const log = new SystemLog({ store: (entries) => logs.store(entries), clock, newId, logger, startTimer })
  const builtIns = createBuiltInConfigs(repository, dependencies)
  return {
    logs,
    /** For the retention of projects. */
    removeLogsBefore: logStore.removeBefore,
    geoIp: createGeoIpPlugin(builtIns, log, hasGeoIpDatabase),
    resolver: new PluginsResolver(new PluginConfigsService(repository, clock, builtIns, log), logs),
    /** Subscribes to changes made by other processes. */
    start: () => builtIns.start(),
    /** Stores what is not yet written of the logs. */
    async stop(): Promise<void> {
      await builtIns.stop()
      await log.flush()
    },
  }
}

function startTimer(delayMs: number, work: () => void): () => void {
  const timer = setTimeout(work, delayMs)
  timer.unref()
  return () => clearTimeout(timer)
}
