import { existsSync } from "node:fs"
import { openDataDirectory } from "../platform/embedded/data-directory.js"
import { findEmbeddedClickHouse } from "../platform/embedded/embedded-clickhouse.js"
import { findEmbeddedPostgres } from "../platform/embedded/embedded-postgres.js"
import { StartupError } from "../platform/embedded/startup-error.js"
import type { Logger } from "../platform/logger/logger.js"
import type { Environment } from "./environment.js"
import { type StoreUrls, startServers } from "./start-servers.js"

/**
 * The stores of a running server, or of its data directory while no server runs on it: embedded ones are started for
 * that long.
 * @throws StartupError when there are none, or a server is just starting on them.
 */
export async function reachStores(
  environment: Environment,
  started: AsyncDisposableStack,
  logger: Logger,
): Promise<StoreUrls> {
  const { databaseUrl, clickHouseUrl, dataDirectory } = environment
  const postgres = databaseUrl ?? findEmbeddedPostgres(dataDirectory)
  const clickHouse = clickHouseUrl ?? findEmbeddedClickHouse(dataDirectory)
  if (postgres !== null && clickHouse !== null) return { postgres, clickHouse }
  if (!existsSync(dataDirectory))
    throw new StartupError(
      `There is no data directory ${dataDirectory}. Set DATA_DIR, or DATABASE_URL and CLICKHOUSE_URL.`,
    )
  return startOwnServers(environment, started, logger)
}

/** Starts the embedded stores of a data directory that no other process uses. */
export function startOwnServers(
  environment: Environment,
  started: AsyncDisposableStack,
  logger: Logger,
): Promise<StoreUrls> {
  const directory = openDataDirectory(environment.dataDirectory)
  started.defer(() => directory.release())
  return startServers({ environment, dataDirectory: directory.path, started, logger })
}
