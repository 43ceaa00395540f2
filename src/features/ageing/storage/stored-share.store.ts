import type { ProjectId } from "../../../kernel/ids.js"
import type { ClickHouse } from "../../../platform/clickhouse/click-house.js"

/** What one project has of one kind. */
export interface StoredShare {
  readonly rows: number
  /** Of the files of its rows, compressed: estimated. */
  readonly bytes: number
}

/**
 * Measures what a project has in tables that hold all projects: rows are counted by the key of the table, and of the bytes of each
 * partition the project has the same share as of its rows. What is counted is in the first of the tables, the others are
 * beside it.
 */
export const createShareReader =
  (clickHouse: Pick<ClickHouse, "rows">) =>
  async (projectId: ProjectId, tables: readonly string[]): Promise<StoredShare> => {
    const shares = await Promise.all(tables.map((table) => readShare(clickHouse, projectId, table)))
    return {
      rows: shares[0]?.rows ?? 0,
      bytes: Math.round(shares.reduce((total, { bytes }) => total + bytes, 0)),
    }
  }

async function readShare(
  clickHouse: Pick<ClickHouse, "rows">,
  projectId: ProjectId,
  table: string,
): Promise<StoredShare> {
  const [share] = await clickHouse.rows<StoredShare>({
    sql: `SELECT toFloat64(sum(own.rows)) AS rows, sum(own.rows * whole.bytes / greatest(whole.rows, 1)) AS bytes
      FROM (SELECT _partition_id AS partition, count() AS rows FROM ${table}
             WHERE project_id = {project:Int64} GROUP BY partition) AS own
      INNER JOIN (SELECT partition_id AS partition, sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts
             WHERE active AND database = currentDatabase() AND table = {table:String} GROUP BY partition) AS whole
        USING (partition)`,
    parameters: { project: projectId, table },
  })
  return share ?? { rows: 0, bytes: 0 }
}
