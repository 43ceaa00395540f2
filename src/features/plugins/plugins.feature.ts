import type { Clock } from "../../kernel/clock.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { Database } from "../../platform/postgres/database.types.js"
import { createClickHousePluginLogs } from "./click-house-plugin-logs.store.js"
import { PluginConfigsService } from "./plugin-configs.service.js"
import { PluginLogsService } from "./plugin-logs.service.js"
import { PluginsResolver } from "./plugins.resolver.js"
import type { PluginSettings } from "./plugins.types.js"
import { createPostgresPluginConfigs } from "./postgres-plugin-config.repository.js"

export interface PluginsFeatureDependencies {
  readonly database: Pick<Database, "pool">
  readonly clickHouse: ClickHouse
  readonly clock: Clock
  readonly ids: Pick<Ids, "uuidV7">
}

/** Wires plugins: records per project, their logs, and `pluginSettings`, which tells what a project has switched off. */
export function createPluginsFeature({ database, clickHouse, clock, ids }: PluginsFeatureDependencies) {
  const configs = createPostgresPluginConfigs(database.pool)
  const logs = createClickHousePluginLogs(clickHouse)
  const logsService = new PluginLogsService({ logs, configs, clock, newId: () => ids.uuidV7() })
  return {
    logs: logsService,
    pluginSettings: (projectId: ProjectId): Promise<PluginSettings> => configs.settings(projectId),
    resolver: new PluginsResolver(new PluginConfigsService(configs, clock), logsService),
  }
}
