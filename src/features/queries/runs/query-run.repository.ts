import { AppError } from "../../../kernel/errors.js"
import { parseExactJson } from "../../../kernel/exact-json.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { toStorableText } from "../../../kernel/json.js"
import type { Database } from "../../../platform/postgres/database.types.js"
import type { EngineProgress, QueryAnswer, QueryRequest } from "../queries.types.js"
import { isFinal, KEPT_MINUTES, MAX_WAIT_MINUTES, type QueryRun, type RunState, statesBefore } from "./query-run.js"
import type { RunName } from "./run-feeds.js"

export interface NewRun {
  readonly projectId: ProjectId
  readonly id: string
  readonly request: QueryRequest
  readonly cacheKey: string
  readonly engineQueryId: string
  /** `running` and `complete` are for runs that no background worker has to take. */
  readonly state: "queued" | "running" | "complete"
  readonly answer?: QueryAnswer
  /** Whether a complete run of the same id and query gives way to this one. */
  readonly replacesComplete: boolean
  readonly queuedAt: Date
  readonly expiresAt: Date
}

/** What may change with a transition. */
export interface RunChange {
  readonly errorMessage?: string
  readonly answer?: QueryAnswer
  readonly progress?: EngineProgress | null
  readonly at: Date
}

/** A larger answer would make every read of its status slow. */
const MAX_ANSWER_CHARACTERS = 64 * 1024 * 1024
/** As long as the result cache may know the answer of a run whose status has expired. */
const KEEP_EXPIRED = "interval '1 day'"

export type QueryRunRepository = ReturnType<typeof createPostgresQueryRunRepository>

interface RunRow {
  project_id: ProjectId
  id: string
  state: RunState
  request: string
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
      if (!isStorable(id)) return null
      const { rows } = await pool.query<RunRow>(
        "SELECT * FROM query_run WHERE project_id = $1 AND id = $2 AND expires_at > now()",
        [projectId, id],
      )
      return rows[0] === undefined ? null : toRun(rows[0])
    },

    /** A complete run whose status has expired; its answer may still be in the result cache. */
    async findExpired(projectId: ProjectId, id: string): Promise<QueryRun | null> {
      if (!isStorable(id)) return null
      const { rows } = await pool.query<RunRow>(
        "SELECT * FROM query_run WHERE project_id = $1 AND id = $2 AND expires_at <= now() AND state = 'complete'",
        [projectId, id],
      )
      return rows[0] === undefined ? null : toRun(rows[0])
    },

    /** Sequence of each of these runs that is known. */
    async sequences(names: readonly RunName[]): Promise<(RunName & { sequence: number })[]> {
      const { rows } = await pool.query<{ project_id: ProjectId; id: string; sequence: number }>(
        `SELECT project_id, id, sequence FROM query_run
         WHERE (project_id, id) IN (SELECT * FROM unnest($1::int[], $2::text[])) AND expires_at > now()`,
        [names.map(({ projectId }) => projectId), names.map(({ id }) => id)],
      )
      return rows.map(({ project_id: projectId, id, sequence }) => ({ projectId, id, sequence }))
    },

    /**
     * Makes a run, replacing one of the same id that failed, was cancelled, expired, or answers another query. Null when
     * there is one that is under way or that has the answer already.
     */
    async insert(run: NewRun): Promise<QueryRun | null> {
      const { rows } = await pool.query<RunRow>(
        `INSERT INTO query_run (project_id, id, state, request, cache_key, engine_query_id, queued_at, expires_at, answer,
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
         RETURNING *`,
        [
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
        ],
      )
      return rows[0] === undefined ? null : toRun(rows[0])
    },

    async countQueued(projectId: ProjectId): Promise<number> {
      const { rows } = await pool.query<{ count: number }>(
        "SELECT count(*)::int AS count FROM query_run WHERE state = 'queued' AND project_id = $1",
        [projectId],
      )
      return rows[0]?.count ?? 0
    },

    /**
     * Moves this attempt of a run along an arrow of the transition table. Null when it is not in a state from which that
     * is allowed, or when another attempt has taken the id.
     */
    async move(run: QueryRun, to: RunState, change: RunChange): Promise<QueryRun | null> {
      const { rows } = await pool.query<RunRow>(
        `UPDATE query_run SET
           state = $3, sequence = sequence + 1, error_message = coalesce($4, error_message),
           answer = coalesce($5, answer), progress = $6,
           heartbeat_at = $7, ended_at = CASE WHEN $8 THEN $7::timestamptz ELSE ended_at END,
           expires_at = CASE WHEN $8 THEN greatest(expires_at, $7::timestamptz + make_interval(mins => $11))
                        ELSE expires_at END
         WHERE project_id = $1 AND id = $2 AND state = ANY($9) AND engine_query_id = $10
         RETURNING *`,
        [
          run.projectId,
          run.id,
          to,
          change.errorMessage === undefined ? null : toStorableText(change.errorMessage),
          change.answer === undefined ? null : toAnswerText(change.answer),
          change.progress ? JSON.stringify(change.progress) : null,
          change.at,
          isFinal(to),
          statesBefore(to),
          run.engineQueryId,
          KEPT_MINUTES.ended,
        ],
      )
      return rows[0] === undefined ? null : toRun(rows[0])
    },

    /**
     * Takes the next queued run for a worker, or null. Projects with fewer running runs come first, and a worker runs at
     * most `maxPerProject` of one, so that no project can keep the others waiting. `SKIP LOCKED` lets several workers
     * claim side by side.
     */
    async claimNext(workerId: string, maxPerProject: number, at: Date): Promise<QueryRun | null> {
      const { rows } = await pool.query<RunRow>(
        `UPDATE query_run SET state = 'running', worker_id = $1, picked_up_at = $2, heartbeat_at = $2, sequence = sequence + 1,
           expires_at = greatest(expires_at, $2::timestamptz + make_interval(mins => $4))
         WHERE (project_id, id) = (
           SELECT waiting.project_id, waiting.id FROM query_run waiting
           LEFT JOIN (SELECT project_id, count(*) AS everywhere, count(*) FILTER (WHERE worker_id = $1) AS here
                      FROM query_run WHERE state = 'running' GROUP BY project_id) busy USING (project_id)
           WHERE waiting.state = 'queued' AND waiting.expires_at > now() AND coalesce(busy.here, 0) < $3
           ORDER BY coalesce(busy.everywhere, 0), waiting.queued_at, waiting.id
           LIMIT 1 FOR UPDATE OF waiting SKIP LOCKED)
         RETURNING *`,
        [workerId, at, maxPerProject, KEPT_MINUTES.pickedUp],
      )
      return rows[0] === undefined ? null : toRun(rows[0])
    },

    async listRunning(): Promise<QueryRun[]> {
      const { rows } = await pool.query<RunRow>("SELECT * FROM query_run WHERE state = 'running'")
      return rows.map(toRun)
    },

    /** Ends a run as failed unless it has changed since it was read. */
    async failUnchanged(run: QueryRun, at: Date, reason: string): Promise<QueryRun | null> {
      const { rows } = await pool.query<RunRow>(
        `UPDATE query_run SET state = 'failed', error_message = $5, ended_at = $4, progress = NULL, sequence = sequence + 1
         WHERE project_id = $1 AND id = $2 AND state = 'running' AND sequence = $3 RETURNING *`,
        [run.projectId, run.id, run.sequence, at, reason],
      )
      return rows[0] === undefined ? null : toRun(rows[0])
    },

    /** Ends runs that have waited too long for a worker. */
    async failWaiting(at: Date, reason: string): Promise<QueryRun[]> {
      const { rows } = await pool.query<RunRow>(
        `UPDATE query_run SET state = 'failed', error_message = $2, ended_at = $1, sequence = sequence + 1
         WHERE state = 'queued' AND queued_at < now() - make_interval(mins => $3) RETURNING *`,
        [at, reason, MAX_WAIT_MINUTES],
      )
      return rows.map(toRun)
    },

    async delete({ projectId, id, engineQueryId }: QueryRun): Promise<void> {
      await pool.query("DELETE FROM query_run WHERE project_id = $1 AND id = $2 AND engine_query_id = $3", [
        projectId,
        id,
        engineQueryId,
      ])
    },

    /** Drops the answers of expired runs, and later the runs themselves. */
    async deleteExpired(): Promise<void> {
      await pool.query("UPDATE query_run SET answer = NULL WHERE expires_at <= now() AND answer IS NOT NULL")
      await pool.query(`DELETE FROM query_run WHERE expires_at <= now() - ${KEEP_EXPIRED}`)
    },
  }
}

/** PostgreSQL knows no other text, so no run can have such an id. */
const isStorable = (id: string): boolean => toStorableText(id) === id

/** @throws AppError invalid_input for an answer that is too large to be kept. */
function toAnswerText(answer: QueryAnswer): string {
  const text = JSON.stringify(answer)
  if (text.length <= MAX_ANSWER_CHARACTERS) return text
  const megabytes = (characters: number): number => Math.round(characters / 2 ** 20)
  throw new AppError("invalid_input", {
    wireCode: "answer_too_large",
    detail: `The answer has ${megabytes(text.length)} MB, and a tracked query keeps at most ${megabytes(MAX_ANSWER_CHARACTERS)} MB. Ask for fewer rows or columns, or export it.`,
  })
}

const toRun = (row: RunRow): QueryRun => ({
  projectId: row.project_id,
  id: row.id,
  state: row.state,
  request: JSON.parse(row.request) as QueryRequest,
  cacheKey: row.cache_key,
  engineQueryId: row.engine_query_id,
  errorMessage: row.error_message,
  answer: row.answer === null ? null : (parseExactJson(row.answer) as QueryAnswer),
  progress: row.progress,
  sequence: row.sequence,
  queuedAt: row.queued_at,
  pickedUpAt: row.picked_up_at,
  endedAt: row.ended_at,
  expiresAt: row.expires_at,
})
