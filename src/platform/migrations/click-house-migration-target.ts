import { AppError } from "../../kernel/errors.js"
import type { ClickHouse } from "../clickhouse/click-house.js"
import { connectToStore } from "../postgres/connect-to-store.js"
import type { AppliedMigration, MigrationLock, MigrationTarget } from "./migration.types.js"
import { splitStatements } from "./split-statements.js"

const TABLE = "schema_migrations"

export interface ClickHouseMigrationOptions {
  /** How long a server that is started together with Waymark is waited for. */
  readonly connectTimeoutMs?: number
  /** Called under the lock, before anything is written; may reject what it finds. */
  readonly whenConnected?: () => Promise<void>
}

/**
 * ClickHouse as a target. It has no transactions, so every statement of a migration is written to be repeatable and the
 * migration is recorded after its last one: a crash in between repeats the whole migration.
 * Its `applied` rejects with StartupError when ClickHouse cannot be reached or turns this user away.
 * @param lock ClickHouse has none; PostgreSQL's is used (`postgresLock`).
 */
export function clickHouseMigrationTarget(
  clickHouse: ClickHouse,
  lock: MigrationLock,
  { connectTimeoutMs, whenConnected }: ClickHouseMigrationOptions = {},
): MigrationTarget {
  return {
    store: "ClickHouse",
    lock,
    applied: async () => {
      await connectToStore({
        store: "ClickHouse",
        variable: "CLICKHOUSE_URL",
        connect: () => clickHouse.ping(),
        isAway: (failure) => failure instanceof AppError && failure.code === "store_unavailable",
        timeoutMs: connectTimeoutMs,
      })
      await whenConnected?.()
      await clickHouse.command({
        sql: `CREATE TABLE IF NOT EXISTS ${TABLE} (
          name String,
          checksum String,
          applied_at DateTime64(3, 'UTC') DEFAULT now64(3)
        ) ENGINE = MergeTree ORDER BY name SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
      })
      // A crash after the insert and before its answer may leave a second row of the same migration.
      const sql = `SELECT name, any(checksum) AS checksum FROM ${TABLE} GROUP BY name ORDER BY name`
      return clickHouse.rows<AppliedMigration>({ sql })
    },
    apply: async ({ name, sql, checksum }) => {
      for (const statement of splitStatements(sql)) await clickHouse.command({ sql: statement })
      await clickHouse.insert({ table: TABLE, rows: [{ name, checksum }] })
    },
  }
}
