import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Pool } from "pg"
import type { ClickHouse } from "../../../src/platform/clickhouse/click-house.js"
import { createClickHouse } from "../../../src/platform/clickhouse/click-house-client.js"
import { startEmbeddedClickHouse } from "../../../src/platform/embedded/embedded-clickhouse.js"
import { startEmbeddedPostgres } from "../../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { applyMigrations } from "../../../src/platform/migrations/apply-migrations.js"
import { clickHouseMigrationTarget } from "../../../src/platform/migrations/click-house-migration-target.js"
import { migrationsDirectory } from "../../../src/platform/migrations/load-migrations.js"
import { postgresLock, postgresMigrationTarget } from "../../../src/platform/migrations/postgres-migration-target.js"
import { openPool } from "../../../src/platform/postgres/open-pool.js"

export interface RealStores {
  readonly pool: Pool
  readonly clickHouse: ClickHouse
  stop(): Promise<void>
}

/** Starts the embedded PostgreSQL and ClickHouse on an empty directory, with their tables. */
export async function startRealStores(): Promise<RealStores> {
  const dataDirectory = mkdtempSync(join(tmpdir(), "waymark-ingestion-"))
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
  const pool = openPool(postgres.url, 16, logger)
  return {
    pool,
    clickHouse,
    stop: async () => {
      await Promise.all([pool.end(), clickHouse.close()])
      await Promise.all([postgres.stop(), engine.stop()])
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}
