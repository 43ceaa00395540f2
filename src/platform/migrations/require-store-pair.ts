import type { Pool } from "pg"
import type { ClickHouse } from "../clickhouse/click-house.js"
import { StartupError } from "../embedded/startup-error.js"

const TABLE = "store_pair"

/** A store and what operators know it by. */
export interface NamedStores {
  readonly pool: Pick<Pool, "query">
  readonly clickHouse: Pick<ClickHouse, "command" | "rows" | "insert">
  readonly postgresName: string
  readonly clickHouseName: string
}

/**
 * Makes sure that both stores hold the same id (decision 0052). PostgreSQL gets its id by migration, and the first
 * ClickHouse that is used with it takes it over; to be called by one process at a time, before anything else is written to
 * ClickHouse.
 * @throws StartupError naming both when ClickHouse belongs to another PostgreSQL, or lacks the id that it was given.
 */
export async function requireStorePair(stores: NamedStores): Promise<void> {
  const { pool, clickHouse } = stores
  const { rows } = await pool.query<{ id: string; isKnown: boolean }>(
    `SELECT id, is_in_click_house AS "isKnown" FROM ${TABLE}`,
  )
  const [wanted] = rows
  if (wanted === undefined) throw new Error(`${TABLE} has no row in PostgreSQL`)
  await clickHouse.command({
    sql: `CREATE TABLE IF NOT EXISTS ${TABLE} (id String) ENGINE = MergeTree ORDER BY id
      SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
  })
  const [found] = await clickHouse.rows<{ id: string }>({ sql: `SELECT DISTINCT id FROM ${TABLE}` })
  if (found !== undefined && found.id !== wanted.id) throw refusal(stores, "belongs to another PostgreSQL")
  if (found === undefined) {
    if (wanted.isKnown) throw refusal(stores, "is empty, or another one than before", TO_GO_ON_WITHOUT)
    await clickHouse.insert({ table: TABLE, rows: [{ id: wanted.id }] })
  }
  if (!wanted.isKnown) await pool.query(`UPDATE ${TABLE} SET is_in_click_house = true`)
}

const TO_GO_ON_WITHOUT =
  " To go on without the events that are missing, run in PostgreSQL: UPDATE store_pair SET is_in_click_house = false."

const refusal = ({ postgresName, clickHouseName }: NamedStores, reason: string, remedy = ""): StartupError =>
  new StartupError(
    `${clickHouseName} does not belong to ${postgresName}: it ${reason}. All processes need the same DATABASE_URL and the same CLICKHOUSE_URL.${remedy}`,
  )
