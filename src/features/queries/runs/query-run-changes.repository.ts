import type { Pool } from "pg"
import { toStorableText } from "../../../kernel/json.js"
import { isFinal, KEPT_MINUTES, MAX_WAIT_MINUTES, statesBefore } from "./query-run.js"
import { runOf, runsOf, toAnswerText } from "./query-run-row.js"
import type { QueryRunRepository } from "./query-runs.types.js"

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
  RETURNING *`

const MOVE = `
  UPDATE query_run SET
    state = $3, sequence = sequence + 1, error_message = coalesce($4, error_message),
    answer = coalesce($5, answer), progress = $6,
    heartbeat_at = $7, ended_at = CASE WHEN $8 THEN $7::timestamptz ELSE ended_at END,
    expires_at = CASE WHEN $8 THEN greatest(expires_at, $7::timestamptz + make_interval(mins => $11))
                 ELSE expires_at END
  WHERE project_id = $1 AND id = $2 AND state = ANY($9) AND engine_query_id = $10
  RETURNING *`

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
  RETURNING *`

const FAIL_UNCHANGED = `
  UPDATE query_run SET state = 'failed', error_message = $5, ended_at = $4, progress = NULL, sequence = sequence + 1
  WHERE project_id = $1 AND id = $2 AND state = 'running' AND sequence = $3 RETURNING *`

const FAIL_WAITING = `
  UPDATE query_run SET state = 'failed', error_message = $2, ended_at = $1, sequence = sequence + 1
  WHERE state = 'queued' AND queued_at < now() - make_interval(mins => $3) RETURNING *`

type RunChanges = Pick<QueryRunRepository, "insert" | "move" | "claimNext" | "failUnchanged" | "failWaiting">

/** How the repository of runs makes them and moves them from state to state. */
export const createRunChanges = (pool: Pool): RunChanges => ({
  insert: async (run) =>
    runOf(pool, INSERT, [
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
    runOf(pool, MOVE, [
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

  claimNext: (workerId, maxPerProject, at) =>
    runOf(pool, CLAIM_NEXT, [workerId, at, maxPerProject, KEPT_MINUTES.pickedUp]),

  failUnchanged: ({ projectId, id, sequence }, at, reason) =>
    runOf(pool, FAIL_UNCHANGED, [projectId, id, sequence, at, reason]),

  failWaiting: (at, reason) => runsOf(pool, FAIL_WAITING, [at, reason, MAX_WAIT_MINUTES]),
})
