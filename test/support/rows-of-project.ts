import type { Pool } from "pg"
import type { EmbeddedStores } from "./embedded-stores.js"

/** Rows of every table of both stores whose columns name a project or an organization by this value; only those that have any. */
export async function findRowsOf(
  { clickHouse }: Pick<EmbeddedStores, "clickHouse">,
  pool: Pool,
  value: number | string,
): Promise<Record<string, number>> {
  const name = typeof value === "number" ? "project_id" : "organization_id"
  const found: Record<string, number> = {}
  const { rows: columns } = await pool.query<{ table: string; column: string; isList: boolean }>(
    `SELECT quote_ident(c.table_name) AS table, c.column_name AS column, c.data_type = 'ARRAY' AS "isList"
       FROM information_schema.columns AS c JOIN information_schema.tables AS t USING (table_schema, table_name)
      WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.column_name ~ ($1 || 's?$')`,
    [name],
  )
  for (const { table, column, isList } of columns) {
    const { rows } = await pool.query<{ count: number }>(
      `SELECT count(*)::int FROM ${table} WHERE ${isList ? `$1 = ANY (${column})` : `${column} = $1`}`,
      [value],
    )
    if (rows[0]?.count !== 0) found[`${table}.${column}`] = rows[0]?.count ?? 0
  }
  if (typeof value === "string") return found
  const tables = await clickHouse.rows<{ table: string; column: string }>({
    sql: `SELECT table, name AS column FROM system.columns WHERE database = currentDatabase() AND name LIKE '%project_id'
      AND table IN (SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree')`,
  })
  for (const { table, column } of tables) {
    const sql = `SELECT count() AS count FROM ${table} WHERE ${column} = {project:Int64}`
    const [row] = await clickHouse.rows<{ count: number }>({ sql, parameters: { project: value } })
    if (row?.count !== 0) found[`clickhouse ${table}`] = row?.count ?? 0
  }
  return found
}
