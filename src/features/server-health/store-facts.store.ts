import type { Pool } from "pg"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import { readDiskSpace } from "../../platform/disk/watch-disk-space.js"

const SELECT_FACTS = `SELECT pg_database_size(current_database())::float8 AS "usedBytes",
  (SELECT taken_at FROM last_backup) AS "lastBackupAt"`
const SELECT_DISKS = `SELECT toFloat64(sum(free_space)) AS free,
  (SELECT toFloat64(sum(bytes_on_disk)) FROM system.parts WHERE active) AS used FROM system.disks`

/** What the stores say of themselves; each is read where the store answers. */
export interface StoreFacts {
  readonly readPostgres: () => Promise<PostgresFacts>
  readonly readClickHouse: () => Promise<{ readonly usedBytes: number; readonly freeBytes: number | null }>
}

export interface PostgresFacts {
  readonly usedBytes: number
  /** Null where its disk is another machine's. */
  readonly freeBytes: number | null
  readonly lastBackupAt: Date | null
}

/** @param ownDisk folder on the disk of PostgreSQL; null where that is another machine's. */
export function createStoreFacts(pool: Pool, clickHouse: ClickHouse, ownDisk: string | null): StoreFacts {
  return {
    async readPostgres() {
      const { rows } = await pool.query<Omit<PostgresFacts, "freeBytes">>(SELECT_FACTS)
      const [{ usedBytes, lastBackupAt } = { usedBytes: 0, lastBackupAt: null }] = rows
      const freeBytes = ownDisk === null ? null : (await readDiskSpace(ownDisk)).freeBytes
      return { usedBytes, freeBytes, lastBackupAt }
    },
    async readClickHouse() {
      const [row] = await clickHouse.rows<{ free: number; used: number }>({ sql: SELECT_DISKS })
      return { usedBytes: row?.used ?? 0, freeBytes: row?.free ?? null }
    },
  }
}
