import type { Pool } from "pg"
import type { ProjectId } from "../../../kernel/ids.js"
import { toStorableText } from "../../../kernel/json.js"
import { runOf, runsOf } from "./query-run-row.js"
import type { QueryRunRepository } from "./query-runs.types.js"

const LIVE_RUN = "SELECT * FROM query_run WHERE project_id = $1 AND id = $2 AND expires_at > now()"

const EXPIRED_RUN =
  "SELECT * FROM query_run WHERE project_id = $1 AND id = $2 AND expires_at <= now() AND state = 'complete'"

const SEQUENCES = `SELECT project_id, id, sequence FROM query_run
  WHERE (project_id, id) IN (SELECT * FROM unnest($1::int[], $2::text[])) AND expires_at > now()`

const COUNT_QUEUED = "SELECT count(*)::int AS count FROM query_run WHERE state = 'queued' AND project_id = $1"

type RunReads = Pick<QueryRunRepository, "find" | "findExpired" | "sequences" | "countQueued" | "listRunning">

/** What the repository of runs reads. */
export const createRunReads = (pool: Pool): RunReads => ({
  find: async (projectId, id) => (isStorable(id) ? runOf(pool, LIVE_RUN, [projectId, id]) : null),

  findExpired: async (projectId, id) => (isStorable(id) ? runOf(pool, EXPIRED_RUN, [projectId, id]) : null),

  sequences: async (names) => {
    const { rows } = await pool.query<{ project_id: ProjectId; id: string; sequence: number }>(SEQUENCES, [
      names.map(({ projectId }) => projectId),
      names.map(({ id }) => id),
    ])
    return rows.map(({ project_id: projectId, id, sequence }) => ({ projectId, id, sequence }))
  },

  countQueued: async (projectId) => {
    const { rows } = await pool.query<{ count: number }>(COUNT_QUEUED, [projectId])
    return rows[0]?.count ?? 0
  },

  listRunning: () => runsOf(pool, "SELECT * FROM query_run WHERE state = 'running'", []),
})

/** PostgreSQL knows no other text, so no run can have such an id. */
const isStorable = (id: string): boolean => toStorableText(id) === id
