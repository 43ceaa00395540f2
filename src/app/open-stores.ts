import { accessEntities } from "../features/access/index.js"
import { flagEntities } from "../features/flags/index.js"
import { playlistEntities } from "../features/playlists/index.js"
import { pluginEntities } from "../features/plugins/index.js"
import { projectEntities } from "../features/projects/index.js"
import { recordingEntities } from "../features/recordings/index.js"
import { createKeyValueCache } from "../platform/cache/create-key-value-cache.js"
import type { KeyValueCache } from "../platform/cache/key-value-cache.js"
import type { ClickHouse } from "../platform/clickhouse/click-house.js"
import { createClickHouse } from "../platform/clickhouse/click-house-client.js"
import { systemClock } from "../platform/clock/system-clock.js"
import type { Counters } from "../platform/counters/counters.js"
import { createCounters } from "../platform/counters/create-counters.js"
import { startEmbeddedClickHouse } from "../platform/embedded/embedded-clickhouse.js"
import { startEmbeddedPostgres } from "../platform/embedded/embedded-postgres.js"
import type { Logger } from "../platform/logger/logger.js"
import { applyMigrations } from "../platform/migrations/apply-migrations.js"
import { clickHouseMigrationTarget } from "../platform/migrations/click-house-migration-target.js"
import { migrationsDirectory } from "../platform/migrations/load-migrations.js"
import { postgresLock, postgresMigrationTarget } from "../platform/migrations/postgres-migration-target.js"
import { openDatabase } from "../platform/postgres/database.js"
import type { Database } from "../platform/postgres/database.types.js"
import { createPubSub } from "../platform/pubsub/create-pub-sub.js"
import type { PubSub } from "../platform/pubsub/pub-sub.js"
import { openRedis, type RedisConnection } from "../platform/redis/redis-connection.js"
import type { Environment } from "./environment.js"

/** Every store of one process. Nothing here tells whether one is embedded. */
export interface Stores {
  readonly database: Database
  readonly clickHouse: ClickHouse
  /** Null when shared state lives in this process. */
  readonly redis: RedisConnection | null
  readonly pubSub: PubSub
  readonly cache: KeyValueCache
  readonly counters: Counters
  /**
   * Moves both schemas to what this program needs; to be called before anything is stored.
   * @throws StartupError when a store cannot be reached or its data is newer than this program.
   */
  migrate(): Promise<void>
}

const ENTITIES = [
  ...accessEntities,
  ...projectEntities,
  ...flagEntities,
  ...pluginEntities,
  ...recordingEntities,
  ...playlistEntities,
]

/**
 * Opens the stores of the environment: a URL is connected to, the absence of one starts the embedded server. Whatever was
 * opened is handed to `opened`, which closes it in reverse order, also when a later step fails.
 * Connections are made when they are needed, so a server that is away fails `migrate` and not this.
 * @throws StartupError when an embedded store cannot be started.
 */
export async function openStores(
  environment: Environment,
  dataDirectory: string | null,
  opened: AsyncDisposableStack,
  logger: Logger,
): Promise<Stores> {
  const [databaseUrl, clickHouseUrl] = await Promise.all([
    environment.databaseUrl ?? embeddedPostgres(required(dataDirectory), opened, logger),
    environment.clickHouseUrl ?? embeddedClickHouse(required(dataDirectory), opened, logger),
  ])
  const clickHouse = closing(opened, createClickHouse({ url: clickHouseUrl, logger }))
  const database = closing(opened, await openDatabase({ url: databaseUrl, entities: ENTITIES, logger }))
  const redis = environment.redisUrl === null ? null : closing(opened, openRedis({ url: environment.redisUrl, logger }))
  return {
    database,
    clickHouse,
    redis,
    pubSub: closing(opened, createPubSub(redis, logger)),
    cache: closing(opened, createKeyValueCache(redis, { clock: systemClock })),
    counters: closing(opened, createCounters(redis, { clock: systemClock })),
    migrate: () => migrate(databaseUrl, clickHouse, logger),
  }
}

async function embeddedPostgres(dataDirectory: string, opened: AsyncDisposableStack, logger: Logger): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDirectory, logger })
  opened.defer(() => postgres.stop())
  return postgres.url
}

async function embeddedClickHouse(
  dataDirectory: string,
  opened: AsyncDisposableStack,
  logger: Logger,
): Promise<() => string> {
  const engine = await startEmbeddedClickHouse({ dataDirectory, logger })
  opened.defer(() => engine.stop())
  return () => engine.url
}

/** One lock for both stores: of several processes started together one migrates and the others wait. */
async function migrate(databaseUrl: string, clickHouse: ClickHouse, logger: Logger): Promise<void> {
  const postgres = postgresMigrationTarget(databaseUrl)
  await applyMigrations({ target: postgres, directory: migrationsDirectory("postgres"), logger })
  const target = clickHouseMigrationTarget(clickHouse, postgresLock(databaseUrl, "waymark clickhouse migrations"))
  await applyMigrations({ target, directory: migrationsDirectory("clickhouse"), logger })
}

function closing<T extends { close(): Promise<void> }>(opened: AsyncDisposableStack, store: T): T {
  opened.defer(() => store.close())
  return store
}

function required(dataDirectory: string | null): string {
  if (dataDirectory === null) throw new Error("an embedded store was asked for without a data directory")
  return dataDirectory
}
