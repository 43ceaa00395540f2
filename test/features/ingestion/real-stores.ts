import type { Pool } from "pg"
import type { ClickHouse } from "../../../src/platform/clickhouse/click-house.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { openPool } from "../../../src/platform/postgres/open-pool.js"
import { startEmbeddedStores } from "../../support/embedded-stores.js"

export interface RealStores {
  readonly pool: Pool
  readonly clickHouse: ClickHouse
  stop(): Promise<void>
}

/** Starts the embedded PostgreSQL and ClickHouse with their tables, and connections to both. */
export async function startRealStores(): Promise<RealStores> {
  const { postgresUrl, clickHouse, stop } = await startEmbeddedStores()
  const pool = openPool(postgresUrl, 16, silentLogger)
  return {
    pool,
    clickHouse,
    stop: async () => {
      await pool.end()
      await stop()
    },
  }
}
