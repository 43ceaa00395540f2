import type { Pool } from "pg"

/** Counts exports of all projects whose interval could not be written. Rejects when PostgreSQL does not answer. */
export const createFailingExportCounter = (pool: Pool) => async (): Promise<number> => {
  const sql = `SELECT count(*)::int AS count FROM scheduled_export WHERE failing_since IS NOT NULL AND NOT is_paused`
  return (await pool.query<{ count: number }>(sql)).rows[0]?.count ?? 0
}
