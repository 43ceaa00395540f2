import type { ClickHouse } from "../platform/clickhouse/click-house.js"
import type { Manifest } from "./manifest.js"

/** Tables that say something of one installation, and those that views fill when `events` are inserted. */
const LEFT_OUT = ["schema_migrations", "store_pair", "session_rollup", "session_rollup_fills"]
/** Begins the names of tables that share the data of another as it was at one moment. */
const SNAPSHOT_PREFIX = "snapshot_for_backup_of_"

const LIST_TABLES = `SELECT name, engine LIKE 'Replacing%' AS isReplacing, engine_full LIKE '% TTL %' AS hasEnd,
       extract(partition_key, '^toYYYYMM\\\\((\\\\w+)\\\\)$') AS timeColumn
  FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'
   AND NOT startsWith(name, '${SNAPSHOT_PREFIX}') AND name NOT IN {leftOut:Array(String)}
 ORDER BY name`
const LIST_COLUMNS = `SELECT table, name FROM system.columns
 WHERE database = currentDatabase() AND default_kind IN ('', 'DEFAULT') ORDER BY table, position`
const LIST_SNAPSHOTS = `SELECT name FROM system.tables
 WHERE database = currentDatabase() AND startsWith(name, '${SNAPSHOT_PREFIX}')`

/** A table and the one that holds its rows as they were. */
export interface TableSnapshot extends Pick<Manifest["clickHouse"]["tables"][number], "name" | "columns" | "hasEnd"> {
  readonly snapshot: string
  /** Whether of several versions of a row only the newest counts. */
  readonly isReplacing: boolean
  /** Whose days divide the rows; empty where nothing does. */
  readonly timeColumn: string
}

/**
 * Keeps all tables as they are now, each in another one that shares its files: at once, however much there is, and
 * whatever is stored, merged or deleted later.
 */
export async function takeSnapshots(clickHouse: ClickHouse): Promise<TableSnapshot[]> {
  const tables = await listTables(clickHouse)
  await Promise.all(
    tables.map(async ({ name, snapshot, hasEnd }) => {
      await clickHouse.command({ sql: `CREATE TABLE ${snapshot} AS ${name}` })
      await clickHouse.command({ sql: `ALTER TABLE ${snapshot} ATTACH PARTITION ALL FROM ${name}` })
      // Rows that end meanwhile would be there when they are counted and not when they are written.
      if (hasEnd) await clickHouse.command({ sql: `ALTER TABLE ${snapshot} REMOVE TTL` })
    }),
  )
  return tables
}

/** Gives the snapshots up, those of a backup that was killed included. */
export async function dropSnapshots(clickHouse: ClickHouse): Promise<void> {
  const snapshots = await clickHouse.rows<{ name: string }>({ sql: LIST_SNAPSHOTS })
  for (const { name } of snapshots) await clickHouse.command({ sql: `DROP TABLE IF EXISTS ${name} SYNC` })
}

/** Id that the store shares with its PostgreSQL (decision 0052); null when it has none. */
export async function findStoreId(clickHouse: ClickHouse): Promise<string | null> {
  const [pair] = await clickHouse.rows<{ id: string }>({ sql: "SELECT id FROM store_pair LIMIT 1" })
  return pair?.id ?? null
}

/** Migrations that the tables have. */
export const listAppliedMigrations = (clickHouse: ClickHouse): Promise<Manifest["clickHouse"]["migrations"]> =>
  clickHouse.rows({ sql: "SELECT name, any(checksum) AS checksum FROM schema_migrations GROUP BY name ORDER BY name" })

/** Whether the database has no tables. */
export async function hasNoTables(clickHouse: ClickHouse): Promise<boolean> {
  const sql = "SELECT name FROM system.tables WHERE database = currentDatabase() LIMIT 1"
  return (await clickHouse.rows({ sql })).length === 0
}

async function listTables(clickHouse: ClickHouse): Promise<TableSnapshot[]> {
  type Found = Pick<TableSnapshot, "name" | "timeColumn"> & { readonly isReplacing: number; readonly hasEnd: number }
  const found = await clickHouse.rows<Found>({ sql: LIST_TABLES, parameters: { leftOut: LEFT_OUT } })
  const columns = await clickHouse.rows<{ table: string; name: string }>({ sql: LIST_COLUMNS })
  const columnsByTable = Map.groupBy(columns, ({ table }) => table)
  return found.map(({ name, timeColumn, isReplacing, hasEnd }) => ({
    name,
    timeColumn,
    isReplacing: isReplacing === 1,
    hasEnd: hasEnd === 1,
    columns: (columnsByTable.get(name) ?? []).map((column) => column.name),
    snapshot: `${SNAPSHOT_PREFIX}${name}`,
  }))
}
