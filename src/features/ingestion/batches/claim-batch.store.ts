import type { PoolClient } from "pg"
import { LOG_ROW_FORMAT } from "../../capture/index.js"
import { SHARD_COUNT } from "../shards.js"
import type { IngestBatch } from "./batch.types.js"
import { LOCK_CLAIMS_SHARED } from "./between-batches.store.js"

/**
 * What makes a batch of its rows: into which sub-batches they are split, and under which tokens these are stored. It is
 * raised with either: whoever finds a batch of another release unfinished must store it as that one would have (decision
 * 0097).
 */
export const BATCH_FORMAT = 1

/** A batch ends with the row that reaches any of these. */
const MAX_BATCH_EVENTS = 60_000
const MAX_BATCH_BYTES = 64 * 1024 * 1024
const MAX_BATCH_ROWS = 20_000
/** What one project gets of a batch while others wait, so that nobody waits long for a batch in which there is little of them. */
const SHARE_BESIDE_OTHERS = 0.25
/** Projects in a batch, and rows that are looked at of each of so many. */
const MAX_BATCH_PROJECTS = 200
const ROWS_OF_EACH = MAX_BATCH_ROWS / MAX_BATCH_PROJECTS

/**
 * A project's rows are taken in their order, up to the first in a form that only a later release knows. The share of a row
 * is how much of a batch its project has used up before it: rows with the smallest shares go first, so each project gets as
 * much as any other, and what one leaves is for the others.
 */
const CLAIM = `
WITH RECURSIVE waiting (project_id) AS (
  (SELECT project_id FROM ingest_log WHERE project_id > $3 ORDER BY project_id LIMIT 1)
  UNION ALL
  SELECT (SELECT project_id FROM ingest_log WHERE project_id > waiting.project_id ORDER BY project_id LIMIT 1)
    FROM waiting WHERE waiting.project_id IS NOT NULL
), served AS MATERIALIZED (
  SELECT project_id FROM waiting WHERE project_id % ${SHARD_COUNT} = $1 LIMIT ${MAX_BATCH_PROJECTS}
), counted AS MATERIALIZED (
  SELECT count(*) AS projects FROM served
), measured AS (
  SELECT project_id, id, event_count, byte_count, greatest(format, max(format) OVER before) AS format,
         greatest(coalesce(sum(event_count) OVER before, 0)::float8 / ${MAX_BATCH_EVENTS},
                  coalesce(sum(byte_count) OVER before, 0)::float8 / ${MAX_BATCH_BYTES}) AS share
    FROM served, LATERAL (
      SELECT id, event_count, byte_count, format FROM ingest_log
       WHERE ingest_log.project_id = served.project_id ORDER BY id
       LIMIT (SELECT greatest(${ROWS_OF_EACH}, ${MAX_BATCH_ROWS} / projects) FROM counted)) AS oldest
  WINDOW before AS (PARTITION BY project_id ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
), turns AS (
  SELECT project_id, id, share, sum(event_count) OVER before AS events_before, sum(byte_count) OVER before AS bytes_before
    FROM measured, counted
   WHERE format <= ${LOG_ROW_FORMAT} AND ((projects = 1 AND $3 = 0) OR share < ${SHARE_BESIDE_OTHERS})
  WINDOW before AS (ORDER BY share, project_id, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
), taken AS MATERIALIZED (
  SELECT project_id, id FROM turns
   WHERE coalesce(events_before, 0) < ${MAX_BATCH_EVENTS} AND coalesce(bytes_before, 0) < ${MAX_BATCH_BYTES}
), batch AS (
  INSERT INTO ingest_slice (shard, token, row_ids, format)
  SELECT $1, $2, array_agg(id ORDER BY id), ${BATCH_FORMAT} FROM taken HAVING count(*) > 0
  RETURNING shard, token, number, row_ids
)
SELECT shard, token, number::float8 AS number, row_ids AS "rowIds",
       CASE WHEN projects < ${MAX_BATCH_PROJECTS} AND (SELECT count(DISTINCT project_id) FROM taken) = projects
            THEN 0 ELSE (SELECT max(project_id) FROM taken) END AS "lastProject"
  FROM batch, counted`

/** Takes the next batch of a shard; null when its log is empty. */
export type ClaimBatch = (shard: number, token: string) => Promise<IngestBatch | null>

/**
 * Makes what claims batches in turns of projects (`docs/contract/faults.md#turns-of-projects`): all that wait are in a batch, and
 * when they are too many, the next one begins behind the last. Where it is lost with its process, the turns begin anew.
 */
export function createBatchClaims(client: PoolClient): ClaimBatch {
  let lastProject = 0
  const claimAfterLast: ClaimBatch = async (shard, token) => {
    const { rows } = await client.query<IngestBatch & { readonly lastProject: number }>({
      name: "ingestion.claim",
      text: CLAIM,
      values: [shard, token, lastProject],
    })
    const [row] = rows
    lastProject = row?.lastProject ?? 0
    return row === undefined ? null : { shard: row.shard, token: row.token, number: row.number, rowIds: row.rowIds }
  }
  return async (shard, token) => {
    // A log that was empty a moment ago has no statistics; without this the planner reads and sorts a whole backlog.
    await client.query(`SET LOCAL enable_seqscan = off; ${LOCK_CLAIMS_SHARED}`)
    const isInMiddle = lastProject > 0
    const batch = await claimAfterLast(shard, token)
    // Rows are named one by one, because rows with lower ids may still be committed by requests that started earlier.
    return batch === null && isInMiddle ? claimAfterLast(shard, token) : batch
  }
}
