import type { ProjectId } from "../../kernel/ids.js"
import type { Database } from "../../platform/postgres/database.types.js"
import type { EngineProgress, QueryAnswer, QueryRequest } from "./queries.types.js"
import { type QueryRun, type RunState, statesBefore } from "./query-run.js"

export interface NewRun {
  readonly projectId: ProjectId
  readonly id: string
  readonly request: QueryRequest
  readonly cacheKey: string
  readonly engineQueryId: string
  readonly queuedAt: Date
  readonly expiresAt: Date
}

/** What may change with a transition. */
export interface RunChange {
  readonly workerId?: string
  readonly errorMessage?: string
  readonly answer?: QueryAnswer
  readonly progress?: EngineProgress | null
  readonly at: Date
}

export type QueryRunRepository = ReturnType<typeof createPostgresQueryRunRepository>

interface RunRow {
  project_id: ProjectId
  id: string
  state: RunState
  request: QueryRequest
  cache_key: string
  engine_query_id: string
  error_message: string | null
  answer: string | null
  progress: EngineProgress | null
  sequence: number
  queued_at: Date
  picked_up_at: Date | null
  ended_at: Date | null
  expires_at: Date
}

/** Tracked runs in PostgreSQL: they survive a restart and every process sees the same state. */
export function createPostgresQueryRunRepository(database: Database) {
  const { pool } = database
  return {
    async find(projectId: ProjectId, id: string): Promise<QueryRun | null> {
      const { rows } = await pool.query<RunRow>(
        "SELECT * FROM query_run WHERE project_id = $1 AND id = $2 AND expires_at > now()",
        [projectId, id],
      )
      return rows[0] === undefined ? null : toRun(rows[0])
    },

    /** Makes a queued run, replacing a finished or expired one of the same id. Null when one is still under way. */
    async insert(run: NewRun): Promise<QueryRun | null> {
      const { rows } = await pool.query<RunRow>(
        `INSERT INTO query_run (project_id, id, state, request, cache_key, engine_query_id, queued_at, expires_at)
         VALUES ($1, $2, 'queued', $3, $4, $5, $6, $7)
         ON CONFLICT (project_id, id) DO UPDATE SET
           state = 'queued', request = excluded.request, cache_key = excluded.cache_key,
           engine_query_id = excluded.engine_query_id, worker_id = NULL, heartbeat_at = NULL, error_message = NULL,
           answer = NULL, progress = NULL, sequence = query_run.sequence + 1, queued_at = excluded.queued_at,
           picked_up_at = NULL, ended_at = NULL, expires_at = excluded.expires_at
         WHERE query_run.state IN ('complete', 'failed', 'cancelled') OR query_run.expires_at <= now()
         RETURNING *`,
        [
          run.projectId,
          run.id,
          JSON.stringify(run.request),
          run.cacheKey,
          run.engineQueryId,
          run.queuedAt,
          run.expiresAt,
        ],
      )
      return rows[0] === undefined ? null : toRun(rows[0])
    },

    /** Moves a run along an arrow of the transition table. Null when it is not in a state from which that is allowed. */
    async move(projectId: ProjectId, id: string, to: RunState, change: RunChange): Promise<QueryRun | null> {
      const { rows } = await pool.query<RunRow>(
        `UPDATE query_run SET
           state = $3, sequence = sequence + 1,
           worker_id = coalesce($4, worker_id), error_message = coalesce($5, error_message),
           answer = coalesce($6, answer), progress = $7,
           heartbeat_at = $8, ended_at = CASE WHEN $9 THEN $8::timestamptz ELSE ended_at END
         WHERE project_id = $1 AND id = $2 AND state = ANY($10)
         RETURNING *`,
        [
          projectId,
          id,
          to,
          change.workerId ?? null,
          change.errorMessage ?? null,
          change.answer === undefined ? null : JSON.stringify(change.answer),
          change.progress ? JSON.stringify(change.progress) : null,
          change.at,
          to !== "running" && to !== "queued",
          statesBefore(to),
        ],
      )
      return rows[0] === undefined ? null : toRun(rows[0])
    },

    /**
     * Takes the next queued run for a worker, or null. Projects with fewer running runs come first, so that no project
     * can keep the others waiting; `SKIP LOCKED` lets several workers claim side by side.
     */
    async claimNext(workerId: string, at: Date): Promise<QueryRun | null> {
      const { rows } = await pool.query<RunRow>(
        `UPDATE query_run SET state = 'running', worker_id = $1, picked_up_at = $2, heartbeat_at = $2, sequence = sequence + 1
         WHERE (project_id, id) = (
           SELECT waiting.project_id, waiting.id FROM query_run waiting
           WHERE waiting.state = 'queued' AND waiting.expires_at > now()
           ORDER BY (SELECT count(*) FROM query_run busy
                     WHERE busy.project_id = waiting.project_id AND busy.state = 'running'), waiting.queued_at
           LIMIT 1 FOR UPDATE SKIP LOCKED)
         RETURNING *`,
        [workerId, at],
      )
      return rows[0] === undefined ? null : toRun(rows[0])
    },

    /** Ends runs whose worker has not been heard of since `before`: they would otherwise be pending for ever. */
    async failSilent(before: Date, at: Date, reason: string): Promise<QueryRun[]> {
      const { rows } = await pool.query<RunRow>(
        `UPDATE query_run SET state = 'failed', error_message = $3, ended_at = $2, sequence = sequence + 1
         WHERE state = 'running' AND heartbeat_at < $1 RETURNING *`,
        [before, at, reason],
      )
      return rows.map(toRun)
    },

    async delete(projectId: ProjectId, id: string): Promise<void> {
      await pool.query("DELETE FROM query_run WHERE project_id = $1 AND id = $2", [projectId, id])
    },

    async deleteExpired(): Promise<void> {
      await pool.query("DELETE FROM query_run WHERE expires_at <= now()")
    },
  }
}

const toRun = (row: RunRow): QueryRun => ({
  projectId: row.project_id,
  id: row.id,
  state: row.state,
  request: row.request,
  cacheKey: row.cache_key,
  engineQueryId: row.engine_query_id,
  errorMessage: row.error_message,
  answer: row.answer === null ? null : (JSON.parse(row.answer) as QueryAnswer),
  progress: row.progress,
  sequence: row.sequence,
  queuedAt: row.queued_at,
  pickedUpAt: row.picked_up_at,
  endedAt: row.ended_at,
  expiresAt: row.expires_at,
})
