import type { ClickHouse } from "../../src/platform/clickhouse/click-house.js"
import { createClickHouse } from "../../src/platform/clickhouse/click-house-client.js"
import { startEmbeddedClickHouse } from "../../src/platform/embedded/embedded-clickhouse.js"
import { startEmbeddedPostgres } from "../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { applyMigrations } from "../../src/platform/migrations/apply-migrations.js"
import { clickHouseMigrationTarget } from "../../src/platform/migrations/click-house-migration-target.js"
import { migrationsDirectory } from "../../src/platform/migrations/load-migrations.js"
import { postgresLock, postgresMigrationTarget } from "../../src/platform/migrations/postgres-migration-target.js"
import { copyOfTemplate } from "./store-templates.js"

/** An embedded PostgreSQL and ClickHouse of a test's own, with all tables and no rows. */
export interface EmbeddedStores {
  readonly postgresUrl: string
  readonly clickHouseUrl: string
  readonly clickHouse: ClickHouse
  /** Ends both and removes their directory; connections to PostgreSQL are closed before. */
  stop(): Promise<void>
}

/** Starts both engines on a copy of the template, or on the named directory, which stays; makes the tables that are missing. */
export async function startEmbeddedStores({ keepIn }: { readonly keepIn?: string } = {}): Promise<EmbeddedStores> {
  const directory = keepIn === undefined ? copyOfTemplate("stores") : { path: keepIn, remove: () => undefined }
  const dataDirectory = directory.path
  const logger = silentLogger
  const [postgres, engine] = await Promise.all([
    startEmbeddedPostgres({ dataDirectory, logger }),
    startEmbeddedClickHouse({ dataDirectory, logger }),
  ])
  const clickHouse = createClickHouse({ url: () => engine.url, logger })
  const targets = [
    ["postgres", postgresMigrationTarget(postgres.url)],
    ["clickhouse", clickHouseMigrationTarget(clickHouse, postgresLock(postgres.url, "tests"))],
  ] as const
  for (const [store, target] of targets)
    await applyMigrations({ target, directory: migrationsDirectory(store), logger })
  return {
    postgresUrl: postgres.url,
    clickHouseUrl: engine.url,
    clickHouse,
    stop: async () => {
      await clickHouse.close()
      await Promise.all([postgres.stop(), engine.stop()])
      directory.remove()
    },
  }
}
