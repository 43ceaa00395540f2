import type { Database } from "../../../platform/postgres/database.types.js"
import { createRunChanges } from "./query-run-changes.repository.js"
import { createRunReads } from "./query-run-reads.repository.js"
import type { QueryRunRepository } from "./query-runs.types.js"

/** As long as the result cache may know the answer of a run whose status has expired. */
const KEEP_EXPIRED = "interval '1 day'"

const DELETE = "DELETE FROM query_run WHERE project_id = $1 AND id = $2 AND engine_query_id = $3"

/** Tracked runs in the table `query_run` of PostgreSQL. */
export const createPostgresQueryRunRepository = ({ pool }: Pick<Database, "pool">): QueryRunRepository => ({
  ...createRunReads(pool),
  ...createRunChanges(pool),

  delete: async ({ projectId, id, engineQueryId }) => {
    await pool.query(DELETE, [projectId, id, engineQueryId])
  },

  deleteExpired: async () => {
    await pool.query("UPDATE query_run SET answer = NULL WHERE expires_at <= now() AND answer IS NOT NULL")
    await pool.query(`DELETE FROM query_run WHERE expires_at <= now() - ${KEEP_EXPIRED}`)
  },
})
