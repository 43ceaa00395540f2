import { type EmbeddedClickHouse, startEmbeddedClickHouse } from "../platform/embedded/embedded-clickhouse.js"
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../platform/embedded/embedded-postgres.js"
import type { Logger } from "../platform/logger/logger.js"
import type { Environment } from "./environment.js"

/** Where the stores are. */
export interface StoreUrls {
  readonly postgres: string
  /** A function for the embedded engine, whose port may change when it is started again. */
  readonly clickHouse: string | (() => string)
  /** Pid of each server that was started for this, null while it is started again. */
  readonly startedPids?: Readonly<Record<string, () => number | null>>
}

export interface StartServersOptions {
  readonly environment: Pick<Environment, "databaseUrl" | "clickHouseUrl">
  readonly dataDirectory: string
  /** Stops what was started, also when a later step fails. */
  readonly started: AsyncDisposableStack
  readonly logger: Logger
}

/**
 * Starts the embedded server of each store for which the environment has no URL.
 * @throws StartupError when one cannot be started.
 */
export async function startServers(options: StartServersOptions): Promise<StoreUrls> {
  const { databaseUrl, clickHouseUrl } = options.environment
  const [postgres, clickHouse] = await Promise.all([
    databaseUrl === null ? startPostgres(options) : { url: databaseUrl },
    clickHouseUrl === null ? startClickHouse(options) : { url: clickHouseUrl },
  ])
  const startedPids = {
    ...("pid" in postgres && { postgres: () => postgres.pid() }),
    ...("pid" in clickHouse && { clickhouse: () => clickHouse.pid() }),
  }
  return { postgres: postgres.url, clickHouse: () => clickHouse.url, startedPids }
}

async function startPostgres({ dataDirectory, started, logger }: StartServersOptions): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDirectory, logger })
  started.defer(() => postgres.stop())
  return postgres
}

async function startClickHouse({ dataDirectory, started, logger }: StartServersOptions): Promise<EmbeddedClickHouse> {
  const engine = await startEmbeddedClickHouse({ dataDirectory, logger })
  started.defer(() => engine.stop())
  return engine
}
