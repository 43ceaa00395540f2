import type { Pool, QueryConfig } from "pg"
import type { ProjectId } from "../../../kernel/ids.js"
import { SHARD_COUNT } from "../shards.js"

const SELECT_LAST = `SELECT last_batch::float8 AS "lastBatch" FROM ingest_progress
  WHERE shard = $1::int % ${SHARD_COUNT}`

/** A shard has one batch at a time. */
const SELECT_BEGUN = `SELECT greatest(
    (SELECT number FROM ingest_slice WHERE shard = $1::int % ${SHARD_COUNT}),
    (SELECT last_batch FROM ingest_progress WHERE shard = $1::int % ${SHARD_COUNT}))::float8 AS "lastBatch"`

/** Finds the number of the last batch that is stored of a project: nothing is added before its end. */
export const createLastBatchFinder = (pool: Pool) => (projectId: ProjectId) =>
  find(pool, { name: "ingestion.last-batch", text: SELECT_LAST, values: [projectId] })

/** Finds the number of the batch that may be being stored of a project now, or of the last one that is. */
export const createBegunBatchFinder = (pool: Pool) => (projectId: ProjectId) =>
  find(pool, { name: "ingestion.begun-batch", text: SELECT_BEGUN, values: [projectId] })

async function find(pool: Pool, statement: QueryConfig): Promise<number> {
  return (await pool.query<{ lastBatch: number | null }>(statement)).rows[0]?.lastBatch ?? 0
}
