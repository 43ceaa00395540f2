import type { ClickHouse } from "../../src/platform/clickhouse/click-house.js"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { type DatabaseOptions, openDatabase } from "../../src/platform/postgres/database.js"
import type { Database } from "../../src/platform/postgres/database.types.js"
import { startEmbeddedStores } from "./embedded-stores.js"

const ORGANIZATION = "00000000-0000-4000-8000-000000000001"

/** An embedded PostgreSQL and ClickHouse of a test's own, with all tables and the projects 1 to 9. */
export interface TestStores {
  readonly database: Database
  readonly clickHouse: ClickHouse
  stop(): Promise<void>
}

/** Starts the stores with the entities of the features under test. */
export async function startTestStores(entities: DatabaseOptions["entities"]): Promise<TestStores> {
  const { postgresUrl, clickHouse, stop } = await startEmbeddedStores()
  const database = await openDatabase({ url: postgresUrl, entities, connections: 12, logger: silentLogger })
  await seedProjects(database)
  return {
    database,
    clickHouse,
    stop: async () => {
      await database.close()
      await stop()
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
