import type { Clock } from "../../kernel/clock.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { Logger } from "../../platform/logger/logger.js"
import type { Database } from "../../platform/postgres/database.types.js"
import type { PubSub } from "../../platform/pubsub/pub-sub.js"
import { createBuiltInConfigs } from "./built-in-configs.cache.js"
import { createGeoIpPlugin } from "./geo-ip.plugin.js"
import { createPluginConfigRepository } from "./plugin-config.repository.js"
import { PluginConfigsService } from "./plugin-configs.service.js"
import { createPluginLogFeed } from "./plugin-log-feed.js"
import { PluginLogsService } from "./plugin-logs.service.js"
import { createPluginLogStore } from "./plugin-logs.store.js"
import { PluginsResolver } from "./plugins.resolver.js"
import { SystemLog } from "./system-log.js"

export interface PluginsFeatureDependencies {
  readonly database: Pick<Database, "records">
  readonly clickHouse: ClickHouse
  readonly pubSub: PubSub
  readonly clock: Clock
  readonly ids: Pick<Ids, "uuidV7">
  readonly logger: Logger
  /** Whether there is a file to look places up in. */
  readonly hasGeoIpDatabase: boolean
}

/** Wires plugins: records per project, their logs, and Waymark's own plugins as ingestion sees them. */
export function createPluginsFeature(dependencies: PluginsFeatureDependencies) {
  const { database, clickHouse, pubSub, clock, ids, logger, hasGeoIpDatabase } = dependencies
  const newId = () => ids.uuidV7()
  const repository = createPluginConfigRepository(database.records, ids)
  const feed = createPluginLogFeed(pubSub, logger)
  const logStore = createPluginLogStore(clickHouse)
  const logs = new PluginLogsService({ logs: logStore, configs: repository, clock, newId, feed })
  const log = new SystemLog({ store: (entries) => logs.store(entries), clock, newId, logger, startTimer })
  const builtIns = createBuiltInConfigs({ repository, pubSub, clock, logger })
  return {
    logs,
    geoIp: createGeoIpPlugin({ configs: builtIns, log, hasDatabase: hasGeoIpDatabase }),
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
