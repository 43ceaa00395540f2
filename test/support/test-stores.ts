import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ClickHouse } from "../../src/platform/clickhouse/click-house.js"
import { createClickHouse } from "../../src/platform/clickhouse/click-house-client.js"
import { startEmbeddedClickHouse } from "../../src/platform/embedded/embedded-clickhouse.js"
import { startEmbeddedPostgres } from "../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { applyMigrations } from "../../src/platform/migrations/apply-migrations.js"
import { clickHouseMigrationTarget } from "../../src/platform/migrations/click-house-migration-target.js"
import { migrationsDirectory } from "../../src/platform/migrations/load-migrations.js"
import { postgresLock, postgresMigrationTarget } from "../../src/platform/migrations/postgres-migration-target.js"
import { type DatabaseOptions, openDatabase } from "../../src/platform/postgres/database.js"
import type { Database } from "../../src/platform/postgres/database.types.js"

const ORGANIZATION = "00000000-0000-4000-8000-000000000001"

/** An embedded PostgreSQL and ClickHouse of a test's own, with all tables and the projects 1 to 9. */
export interface TestStores {
  readonly database: Database
  readonly clickHouse: ClickHouse
  stop(): Promise<void>
}

export async function startTestStores(entities: DatabaseOptions["entities"]): Promise<TestStores> {
  const directory = mkdtempSync(join(tmpdir(), "waymark-stores-"))
  const logger = silentLogger
  const [postgres, engine] = await Promise.all([
    startEmbeddedPostgres({ dataDirectory: directory, logger }),
    startEmbeddedClickHouse({ dataDirectory: directory, logger }),
  ])
  const clickHouse = createClickHouse({ url: () => engine.url, logger })
  const targets = [
    ["postgres", postgresMigrationTarget(postgres.url)],
    ["clickhouse", clickHouseMigrationTarget(clickHouse, postgresLock(postgres.url, "tests"))],
  ] as const
  for (const [store, target] of targets)
    await applyMigrations({ target, directory: migrationsDirectory(store), logger })
  const database = await openDatabase({ url: postgres.url, entities, poolSize: 4, logger })
  await seedProjects(database)
  return {
    database,
    clickHouse,
    stop: async () => {
      await Promise.all([database.close(), clickHouse.close()])
      await Promise.all([postgres.stop(), engine.stop()])
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function seedProjects({ pool }: Database): Promise<void> {
  await pool.query("INSERT INTO organization (id, name, created_at) VALUES ($1, 'o', now())", [ORGANIZATION])
  await pool.query(
    `INSERT INTO project (id, uuid, organization_id, name, created_at)
     SELECT id, gen_random_uuid(), $1, 'p' || id, now() FROM generate_series(1, 9) AS id`,
    [ORGANIZATION],
  )
}
