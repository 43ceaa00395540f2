import type { Pool } from "pg"
import type { ProjectId } from "../../../kernel/ids.js"
import { SHARD_COUNT } from "../shards.js"

const SELECT_LAST = `SELECT last_batch::float8 AS "lastBatch" FROM ingest_progress
  WHERE shard = $1::int % ${SHARD_COUNT}`

/** Finds the number of the last batch that is stored of a project: nothing is added before its end. */
export const createLastBatchFinder =
  (pool: Pool) =>
  async (projectId: ProjectId): Promise<number> => {
    const statement = { name: "ingestion.last-batch", text: SELECT_LAST, values: [projectId] }
    const { rows } = await pool.query<{ lastBatch: number }>(statement)
    return rows[0]?.lastBatch ?? 0
  }
