import type { Pool } from "pg"
import { toStorableText } from "../../../kernel/json.js"
import { isFinal, KEPT_MINUTES, MAX_WAIT_MINUTES, type QueryRun, statesBefore } from "./query-run.js"
import { RUN_COLUMNS, type RunRow, toAnswerText, toRun } from "./query-run-row.js"
import type { QueryRunStore } from "./query-runs.types.js"
import type { RunName } from "./run-feeds.js"

/** As long as the result cache may know the answer of a run whose status has expired. */
const KEEP_EXPIRED = "interval '1 day'"

const FIND = `SELECT ${RUN_COLUMNS} FROM query_run WHERE project_id = $1 AND id = $2 AND expires_at > now()`

const FIND_EXPIRED = `SELECT ${RUN_COLUMNS} FROM query_run
  WHERE project_id = $1 AND id = $2 AND expires_at <= now() AND state = 'complete'`

const SEQUENCES = `SELECT project_id AS "projectId", id, sequence FROM query_run
  WHERE (project_id, id) IN (SELECT * FROM unnest($1::int[], $2::text[])) AND expires_at > now()`

const COUNT_QUEUED = "SELECT count(*)::int AS count FROM query_run WHERE state = 'queued' AND project_id = $1"

const LIST_RUNNING = `SELECT ${RUN_COLUMNS} FROM query_run WHERE state = 'running'`

const INSERT = `
  INSERT INTO query_run (project_id, id, state, request, cache_key, engine_query_id, queued_at, expires_at, answer,
    picked_up_at, ended_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  ON CONFLICT (project_id, id) DO UPDATE SET
    state = excluded.state, request = excluded.request, cache_key = excluded.cache_key,
    engine_query_id = excluded.engine_query_id, worker_id = NULL, heartbeat_at = NULL, error_message = NULL,
    answer = excluded.answer, progress = NULL, sequence = query_run.sequence + 1,
    queued_at = excluded.queued_at, picked_up_at = excluded.picked_up_at, ended_at = excluded.ended_at,
    expires_at = excluded.expires_at
  WHERE query_run.state IN ('failed', 'cancelled') OR query_run.expires_at <= now()
     OR query_run.state = 'complete' AND ($12 OR query_run.cache_key <> excluded.cache_key)
  RETURNING ${RUN_COLUMNS}`

const MOVE = `
  UPDATE query_run SET
    state = $3, sequence = sequence + 1, error_message = coalesce($4, error_message),
    answer = coalesce($5, answer), progress = $6,
    heartbeat_at = $7, ended_at = CASE WHEN $8 THEN $7::timestamptz ELSE ended_at END,
    expires_at = CASE WHEN $8 THEN greatest(expires_at, $7::timestamptz + make_interval(mins => $11))
                 ELSE expires_at END
  WHERE project_id = $1 AND id = $2 AND state = ANY($9) AND engine_query_id = $10
  RETURNING ${RUN_COLUMNS}`

/** `SKIP LOCKED` lets several workers claim side by side. */
const CLAIM_NEXT = `
  UPDATE query_run SET state = 'running', worker_id = $1, picked_up_at = $2, heartbeat_at = $2, sequence = sequence + 1,
    expires_at = greatest(expires_at, $2::timestamptz + make_interval(mins => $4))
  WHERE (project_id, id) = (
    SELECT waiting.project_id, waiting.id FROM query_run waiting
    LEFT JOIN (SELECT project_id, count(*) AS everywhere, count(*) FILTER (WHERE worker_id = $1) AS here
               FROM query_run WHERE state = 'running' GROUP BY project_id) busy USING (project_id)
    WHERE waiting.state = 'queued' AND waiting.expires_at > now() AND coalesce(busy.here, 0) < $3
    ORDER BY coalesce(busy.everywhere, 0), waiting.queued_at, waiting.id
    LIMIT 1 FOR UPDATE OF waiting SKIP LOCKED)
  RETURNING ${RUN_COLUMNS}`

const FAIL_UNCHANGED = `
  UPDATE query_run SET state = 'failed', error_message = $5, ended_at = $4, progress = NULL, sequence = sequence + 1
  WHERE project_id = $1 AND id = $2 AND state = 'running' AND sequence = $3 RETURNING ${RUN_COLUMNS}`

const FAIL_WAITING = `
  UPDATE query_run SET state = 'failed', error_message = $2, ended_at = $1, sequence = sequence + 1
  WHERE state = 'queued' AND queued_at < now() - make_interval(mins => $3) RETURNING ${RUN_COLUMNS}`

const DELETE = "DELETE FROM query_run WHERE project_id = $1 AND id = $2 AND engine_query_id = $3"

/**
 * Tracked runs in the table `query_run` of PostgreSQL. SQL and no records of the unit of work: runs are a queue, and each
 * change is one statement that holds only in the state it expects.
 */
export function createPostgresQueryRunStore(pool: Pool): QueryRunStore {
  async function list(text: string, values: readonly unknown[]): Promise<QueryRun[]> {
    const { rows } = await pool.query<RunRow>(text, [...values])
    return rows.map(toRun)
  }
  const one = async (text: string, values: readonly unknown[]): Promise<QueryRun | null> =>
    (await list(text, values))[0] ?? null

  return {
    find: async (projectId, id) => (isStorable(id) ? one(FIND, [projectId, id]) : null),

    findExpired: async (projectId, id) => (isStorable(id) ? one(FIND_EXPIRED, [projectId, id]) : null),

    sequences: async (names) => {
      const columns = [names.map(({ projectId }) => projectId), names.map(({ id }) => id)]
      return (await pool.query<RunName & { sequence: number }>(SEQUENCES, columns)).rows
    },

    countQueued: async (projectId) => {
      const { rows } = await pool.query<{ count: number }>(COUNT_QUEUED, [projectId])
      return rows[0]?.count ?? 0
    },

    listRunning: () => list(LIST_RUNNING, []),

    insert: async (run) =>
      one(INSERT, [
        run.projectId,
        run.id,
        run.state,
        JSON.stringify(run.request),
        run.cacheKey,
        run.engineQueryId,
        run.queuedAt,
        run.expiresAt,
        run.answer === undefined ? null : toAnswerText(run.answer),
        run.state === "queued" ? null : run.queuedAt,
        isFinal(run.state) ? run.queuedAt : null,
        run.replacesComplete,
      ]),

    move: async (run, to, { errorMessage, answer, progress, at }) =>
      one(MOVE, [
        run.projectId,
        run.id,
        to,
        errorMessage === undefined ? null : toStorableText(errorMessage),
        answer === undefined ? null : toAnswerText(answer),
        progress ? JSON.stringify(progress) : null,
        at,
        isFinal(to),
        statesBefore(to),
        run.engineQueryId,
        KEPT_MINUTES.ended,
      ]),

    claimNext: (workerId, maxPerProject, at) => one(CLAIM_NEXT, [workerId, at, maxPerProject, KEPT_MINUTES.pickedUp]),

    failUnchanged: ({ projectId, id, sequence }, at, reason) =>
      one(FAIL_UNCHANGED, [projectId, id, sequence, at, reason]),

    failWaiting: (at, reason) => list(FAIL_WAITING, [at, reason, MAX_WAIT_MINUTES]),

    delete: async ({ projectId, id, engineQueryId }) => {
      await pool.query(DELETE, [projectId, id, engineQueryId])
    },

    deleteExpired: async () => {
      await pool.query("UPDATE query_run SET answer = NULL WHERE expires_at <= now() AND answer IS NOT NULL")
      await pool.query(`DELETE FROM query_run WHERE expires_at <= now() - ${KEEP_EXPIRED}`)
    },
  }
}

/** PostgreSQL knows no other text, so no run can have such an id. */
const isStorable = (id: string): boolean => toStorableText(id) === id
