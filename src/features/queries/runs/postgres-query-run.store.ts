import type { Pool } from "pg"
import type { ProjectId } from "../../../kernel/ids.js"
import { toStorableText } from "../../../kernel/json.js"
import type { EngineProgress, QueryAnswer } from "../queries.types.js"
import {
  INTERRUPTED,
  isFinal,
  KEPT_MINUTES,
  MAX_WAIT_MINUTES,
  type QueryRun,
  type RunError,
  type RunState,
  statesBefore,
} from "./query-run.js"
import { RUN_COLUMNS, type RunRow, toAnswerText, toRun } from "./query-run-row.js"

/** What names a run. */
export type RunName = Pick<QueryRun, "projectId" | "id">

/** What a run is made of. */
export type AskedRun = Pick<QueryRun, "projectId" | "id" | "request" | "cacheKey" | "engineQueryId">

/** A run to be stored. */
export interface NewRun extends AskedRun, Pick<QueryRun, "queuedAt" | "expiresAt"> {
  /** `running` and `complete` are for runs that no background worker has to take. */
  readonly state: "queued" | "running" | "complete"
  readonly answer?: QueryAnswer
  /** Whether a complete run of the same id and query gives way to this one. */
  readonly replacesComplete: boolean
}

/** What may change with a transition. */
export interface RunChange {
  readonly errorMessage?: string
  readonly error?: RunError
  readonly answer?: QueryAnswer
  readonly progress?: EngineProgress | null
}

/**
 * Form of the request of a run. It is raised when a release of before could not execute one, as with a new kind of query: its
 * workers leave the run to those of a release that can (decision 0097).
 */
const RUN_FORMAT = 1

/** As long as the result cache may know the answer of a run whose status has expired. */
const KEEP_EXPIRED = "interval '1 day'"

/** The server's fault, whose sentence says more. */
const QUERY_LOST = JSON.stringify({ code: INTERRUPTED, start: null, end: null } satisfies RunError)

const FIND = `SELECT ${RUN_COLUMNS} FROM query_run WHERE project_id = $1 AND id = $2 AND expires_at > now()`

const OF_NAMES = "(project_id, id) IN (SELECT * FROM unnest($1::int[], $2::text[])) AND expires_at > now()"

const FIND_ALL = `SELECT ${RUN_COLUMNS} FROM query_run WHERE ${OF_NAMES}`

const FIND_EXPIRED = `SELECT ${RUN_COLUMNS} FROM query_run
  WHERE project_id = $1 AND id = $2 AND expires_at <= now() AND state = 'complete'`

const SEQUENCES = `SELECT project_id AS "projectId", id, sequence FROM query_run WHERE ${OF_NAMES}`

const COUNT_QUEUED = "SELECT count(*)::int AS count FROM query_run WHERE state = 'queued' AND project_id = $1"

const LIST_RUNNING = `SELECT ${RUN_COLUMNS} FROM query_run WHERE state = 'running'`

const INSERT = `
  INSERT INTO query_run (project_id, id, state, request, cache_key, engine_query_id, queued_at, expires_at, answer,
    picked_up_at, ended_at, format)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, ${RUN_FORMAT})
  ON CONFLICT (project_id, id) DO UPDATE SET
    state = excluded.state, request = excluded.request, cache_key = excluded.cache_key,
    engine_query_id = excluded.engine_query_id, worker_id = NULL, heartbeat_at = NULL, error_message = NULL, error = NULL,
    answer = excluded.answer, progress = NULL, sequence = query_run.sequence + 1,
    queued_at = excluded.queued_at, picked_up_at = excluded.picked_up_at, ended_at = excluded.ended_at,
    expires_at = excluded.expires_at, format = excluded.format
  WHERE query_run.state IN ('failed', 'cancelled') OR query_run.expires_at <= now()
     OR query_run.state = 'complete' AND ($12 OR query_run.cache_key <> excluded.cache_key)
  RETURNING ${RUN_COLUMNS}`

const MOVE = `
  UPDATE query_run SET
    state = $3, sequence = sequence + 1, error_message = coalesce($4, error_message), error = coalesce($12, error),
    answer = coalesce($5, answer), progress = $6,
    heartbeat_at = $7, ended_at = CASE WHEN $8 THEN $7::timestamptz ELSE ended_at END,
    expires_at = CASE WHEN $8 THEN greatest(expires_at, $7::timestamptz + make_interval(mins => $11))
                 ELSE expires_at END
  WHERE project_id = $1 AND id = $2 AND state = ANY($9) AND engine_query_id = $10
  RETURNING ${RUN_COLUMNS}`

const CLAIM_NEXT = `
  UPDATE query_run SET state = 'running', worker_id = $1, picked_up_at = $2, heartbeat_at = $2, sequence = sequence + 1,
    expires_at = greatest(expires_at, $2::timestamptz + make_interval(mins => $4))
  WHERE (project_id, id) = (
    SELECT waiting.project_id, waiting.id FROM query_run waiting
    LEFT JOIN (SELECT project_id, count(*) AS everywhere, count(*) FILTER (WHERE worker_id = $1) AS here
               FROM query_run WHERE state = 'running' GROUP BY project_id) busy USING (project_id)
    WHERE waiting.state = 'queued' AND waiting.expires_at > now() AND waiting.format <= ${RUN_FORMAT}
      AND coalesce(busy.here, 0) < $3
    ORDER BY coalesce(busy.everywhere, 0), waiting.queued_at, waiting.id
    LIMIT 1 FOR UPDATE OF waiting SKIP LOCKED)
  RETURNING ${RUN_COLUMNS}`

const FAIL_UNCHANGED = `
  UPDATE query_run SET state = 'failed', error_message = $5, error = '${QUERY_LOST}', ended_at = $4, progress = NULL, sequence = sequence + 1
  WHERE project_id = $1 AND id = $2 AND state = 'running' AND sequence = $3 RETURNING ${RUN_COLUMNS}`

const FAIL_WAITING = `
  UPDATE query_run SET state = 'failed', error_message = $2, error = '${QUERY_LOST}', ended_at = $1, sequence = sequence + 1
  WHERE state = 'queued' AND queued_at < now() - make_interval(mins => $3) RETURNING ${RUN_COLUMNS}`

const DELETE = "DELETE FROM query_run WHERE project_id = $1 AND id = $2 AND engine_query_id = $3"

export type QueryRunStore = ReturnType<typeof createPostgresQueryRunStore>

/**
 * Tracked runs in the table `query_run` of PostgreSQL: they survive a restart, and every process sees the same state. SQL and
 * no records of the unit of work: runs are a queue, and each change is one statement that holds only in the state it expects.
 */
export function createPostgresQueryRunStore(pool: Pool) {
  async function list(text: string, values: readonly unknown[]): Promise<QueryRun[]> {
    const { rows } = await pool.query<RunRow>(text, [...values])
    return rows.map(toRun)
  }
  const one = async (text: string, values: readonly unknown[]): Promise<QueryRun | null> =>
    (await list(text, values))[0] ?? null

  return {
    /** Null for an unknown or expired id. */
    find: async (projectId: ProjectId, id: string) => (isStorable(id) ? one(FIND, [projectId, id]) : null),

    /** Those of these runs that are known and have not expired, in any order. */
    findAll: (names: readonly RunName[]) => list(FIND_ALL, toColumns(names)),

    /** A complete run whose status has expired; its answer may still be in the result cache. */
    findExpired: async (projectId: ProjectId, id: string) =>
      isStorable(id) ? one(FIND_EXPIRED, [projectId, id]) : null,

    /** Sequence of each of these runs that is known, in any order. */
    async listSequences(names: readonly RunName[]) {
      return (await pool.query<RunName & { sequence: number }>(SEQUENCES, toColumns(names))).rows
    },

    async countQueued(projectId: ProjectId) {
      const { rows } = await pool.query<{ count: number }>(COUNT_QUEUED, [projectId])
      return rows[0]?.count ?? 0
    },

    /** Runs of all projects, in any order. */
    listRunning: () => list(LIST_RUNNING, []),

    /**
     * Makes a run, replacing one of the same id that failed, was cancelled, expired, or answers another query. Null when
     * there is one that is under way or that has the answer already.
     * @throws AppError invalid_input for an answer that is too large to be kept.
     */
    insert: async (run: NewRun) =>
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

    /**
     * Moves this attempt of a run along an arrow of the transition table. Null when it is not in a state from which that
     * is allowed, or when another attempt has taken the id.
     * @throws AppError invalid_input for an answer that is too large to be kept.
     */
    move: async (run: QueryRun, to: RunState, at: Date, { errorMessage, error, answer, progress }: RunChange) =>
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
        error === undefined ? null : JSON.stringify(error),
      ]),

    /**
     * Takes the next queued run for a worker, or null. Projects with fewer running runs come first, and a worker runs at
     * most `maxPerProject` of one, so that no project can keep the others waiting. Several workers may claim side by side.
     */
    claimNext: (workerId: string, maxPerProject: number, at: Date) =>
      one(CLAIM_NEXT, [workerId, at, maxPerProject, KEPT_MINUTES.pickedUp]),

    /** Ends a run as failed unless it has changed since it was read. */
    failUnchanged: ({ projectId, id, sequence }: QueryRun, at: Date, reason: string) =>
      one(FAIL_UNCHANGED, [projectId, id, sequence, at, reason]),

    /** Ends runs that have waited too long for a worker. */
    failWaiting: (at: Date, reason: string) => list(FAIL_WAITING, [at, reason, MAX_WAIT_MINUTES]),

    /** Drops this attempt of a run. */
    async delete({ projectId, id, engineQueryId }: QueryRun) {
      await pool.query(DELETE, [projectId, id, engineQueryId])
    },

    /** Drops the answers of expired runs, and later the runs themselves. */
    async deleteExpired() {
      await pool.query("UPDATE query_run SET answer = NULL WHERE expires_at <= now() AND answer IS NOT NULL")
      await pool.query(`DELETE FROM query_run WHERE expires_at <= now() - ${KEEP_EXPIRED}`)
    },
  }
}

/** The columns of these names, without those that no run can have. */
function toColumns(names: readonly RunName[]) {
  const storable = names.filter(({ id }) => isStorable(id))
  return [storable.map(({ projectId }) => projectId), storable.map(({ id }) => id)]
}

/** PostgreSQL knows no other text, so no run can have such an id. */
const isStorable = (id: string): boolean => toStorableText(id) === id
