import { dropLeftSnapshots } from "../backup/backup-lock.js"
import { accessEntities } from "../features/access/index.js"
import { actionEntities } from "../features/actions/index.js"
import { ageingEntities } from "../features/ageing/index.js"
import { cohortEntities } from "../features/cohorts/index.js"
import { dashboardEntities } from "../features/dashboards/index.js"
import { definitionEntities } from "../features/definitions/index.js"
import { flagEntities } from "../features/flags/index.js"
import { requireKnownBatches } from "../features/ingestion/index.js"
import { insightEntities } from "../features/insights/index.js"
import { playlistEntities } from "../features/playlists/index.js"
import { pluginEntities } from "../features/plugins/index.js"
import { projectEntities } from "../features/projects/index.js"
import { recordingEntities } from "../features/recordings/index.js"
import { scheduledExportEntities } from "../features/scheduled-exports/index.js"
import { signInEntities } from "../features/sign-in/index.js"
import { createInProcessKeyValueCache } from "../platform/cache/in-process-key-value-cache.js"
import type { KeyValueCache } from "../platform/cache/key-value-cache.js"
import { createRedisKeyValueCache } from "../platform/cache/redis-key-value-cache.js"
import type { ClickHouse } from "../platform/clickhouse/click-house.js"
import { createClickHouse } from "../platform/clickhouse/click-house-client.js"
import { systemClock } from "../platform/clock/system-clock.js"
import type { Counters } from "../platform/counters/counters.js"
import { createInProcessCounters } from "../platform/counters/in-process-counters.js"
import { createRedisCounters } from "../platform/counters/redis-counters.js"
import { readMemory } from "../platform/embedded/read-memory.js"
import type { Logger } from "../platform/logger/logger.js"
import { applyMigrations } from "../platform/migrations/apply-migrations.js"
import { clickHouseMigrationTarget } from "../platform/migrations/click-house-migration-target.js"
import { migrationsDirectory } from "../platform/migrations/load-migrations.js"
import { postgresLock, postgresMigrationTarget } from "../platform/migrations/postgres-migration-target.js"
import { requireCluster, requireLayout } from "../platform/migrations/require-cluster.js"
import { requireOneServer } from "../platform/migrations/require-one-server.js"
import { requireStorePair } from "../platform/migrations/require-store-pair.js"
import { openDatabase } from "../platform/postgres/database.js"
import type { Database } from "../platform/postgres/database.types.js"
import { createInProcessPubSub } from "../platform/pubsub/in-process-pub-sub.js"
import type { PubSub } from "../platform/pubsub/pub-sub.js"
import { createRedisPubSub } from "../platform/pubsub/redis-pub-sub.js"
import { openRedis, type RedisConnection } from "../platform/redis/redis-connection.js"
import type { Environment } from "./environment.js"
import { SHARDED_TABLES } from "./sharded-tables.js"
import type { StoreUrls } from "./start-servers.js"

type StoreSettings = Pick<
  Environment,
  "databaseUrl" | "databaseConnections" | "clickHouseUrl" | "clickHouseCluster" | "redisUrl" | "dataDirectory"
>

/** Every store of one process. Nothing here tells whether one is embedded. */
export interface Stores {
  readonly database: Database
  readonly clickHouse: ClickHouse
  /** Null when shared state lives in this process. */
  readonly redis: RedisConnection | null
  readonly pubSub: PubSub
  readonly cache: KeyValueCache
  readonly counters: Counters
  /** Memory of the embedded servers by name, in bytes; without those of which it cannot be told. */
  readonly readServerMemory: () => Promise<ReadonlyMap<string, number>>
  /**
   * Moves both schemas to what this program needs; to be called before anything is stored.
   * @throws StartupError when a store cannot be reached, its data is newer than this program, or the two do not belong
   * together.
   */
  migrate(): Promise<void>
}

/** Connections of a process that has PostgreSQL for itself, and of one of several: five of them keep within 100. */
const EMBEDDED_CONNECTIONS = 30
const SHARED_CONNECTIONS = 16

const ENTITIES = [
  ...accessEntities,
  ...signInEntities,
  ...projectEntities,
  ...cohortEntities,
  ...actionEntities,
  ...ageingEntities,
  ...flagEntities,
  ...pluginEntities,
  ...recordingEntities,
  ...playlistEntities,
  ...definitionEntities,
  ...insightEntities,
  ...dashboardEntities,
  ...scheduledExportEntities,
]

/**
 * Opens the stores. Whatever was opened is handed to `opened`, which closes it in reverse order, also when a later step
 * fails. Connections are made when they are needed, so a server that is away fails `migrate` and not this.
 */
export async function openStores(
  urls: StoreUrls,
  environment: StoreSettings,
  opened: AsyncDisposableStack,
  logger: Logger,
): Promise<Stores> {
  const { clickHouseCluster } = environment
  const cluster = clickHouseCluster === null ? null : { name: clickHouseCluster, tables: SHARDED_TABLES }
  const openClickHouse = () => createClickHouse({ url: urls.clickHouse, logger, cluster })
  const clickHouse = closing(opened, openClickHouse())
  const connections =
    environment.databaseConnections ?? (environment.databaseUrl === null ? EMBEDDED_CONNECTIONS : SHARED_CONNECTIONS)
  const database = closing(opened, await openDatabase({ url: urls.postgres, entities: ENTITIES, connections, logger }))
  const { redisUrl } = environment
  const redis = redisUrl === null ? null : closing(opened, openRedis({ url: redisUrl, logger }))
  const clock = systemClock
  return {
    database,
    clickHouse,
    redis,
    pubSub: closing(opened, redis === null ? createInProcessPubSub(logger) : createRedisPubSub(redis, logger)),
    cache: closing(opened, redis === null ? createInProcessKeyValueCache(clock) : createRedisKeyValueCache(redis)),
    counters: closing(opened, redis === null ? createInProcessCounters(clock) : createRedisCounters(redis)),
    readServerMemory: () => readMemoryOf(urls.startedPids ?? {}),
    migrate: async () => {
      const target = postgresMigrationTarget(urls.postgres)
      await applyMigrations({ target, directory: migrationsDirectory("postgres"), logger })
      const names = nameStores(environment)
      await migrateClickHouse(
        urls.postgres,
        clickHouse,
        async () => {
          if (clickHouseCluster !== null) await requireCluster(clickHouse, clickHouseCluster)
          else if (environment.clickHouseUrl !== null) await requireOneServer(openClickHouse, names.clickHouseName)
          await requireLayout(clickHouse, clickHouseCluster)
          await requireStorePair({ ...names, pool: database.pool, clickHouse })
        },
        logger,
      )
      await requireKnownBatches(database.pool, clickHouse)
      await dropLeftSnapshots(urls.postgres, clickHouse)
    },
  }
}

/** PostgreSQL's lock serves both stores: of several processes started together one migrates and the others wait. */
async function migrateClickHouse(
  databaseUrl: string,
  clickHouse: ClickHouse,
  whenConnected: () => Promise<void>,
  logger: Logger,
): Promise<void> {
  const lock = postgresLock(databaseUrl, "waymark clickhouse migrations")
  const target = clickHouseMigrationTarget(clickHouse, lock, { whenConnected })
  await applyMigrations({ target, directory: migrationsDirectory("clickhouse"), logger })
}

async function readMemoryOf(pids: Readonly<Record<string, () => number | null>>): Promise<Map<string, number>> {
  const found = Object.entries(pids).map(async ([server, pid]) => [server, await readMemory(pid() ?? 0)] as const)
  return new Map((await Promise.all(found)).flatMap(([server, bytes]) => (bytes === null ? [] : [[server, bytes]])))
}

/** What an operator knows the stores by, without passwords. */
function nameStores({ databaseUrl, clickHouseUrl, dataDirectory }: StoreSettings) {
  const name = (store: string, url: string | null) =>
    `${store} (${url === null ? `embedded in ${dataDirectory}` : withoutCredentials(url)})`
  return { postgresName: name("PostgreSQL", databaseUrl), clickHouseName: name("ClickHouse", clickHouseUrl) }
}

function withoutCredentials(text: string): string {
  const { protocol, host, pathname, searchParams } = new URL(text)
  const database = searchParams.get("database")
  return `${protocol}//${host}${pathname}${database === null ? "" : `?database=${database}`}`
}

function closing<T extends { close(): Promise<void> }>(opened: AsyncDisposableStack, store: T): T {
  opened.defer(() => store.close())
  return store
}
