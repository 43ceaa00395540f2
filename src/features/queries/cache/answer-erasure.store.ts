import type { Pool, PoolClient } from "pg"
import type { ProjectId } from "../../../kernel/ids.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"

const FIND = `SELECT coalesce(generation, 0)::float8 AS generation
  FROM project LEFT JOIN query_generation ON project_id = project.id WHERE project.id = $1`
const RAISE = `INSERT INTO query_generation AS known (project_id, generation) VALUES ($1, 1)
  ON CONFLICT (project_id) DO UPDATE SET generation = known.generation + 1`
/** Rows that are being removed anyway are not waited for. */
const FORGET_RUNS = `DELETE FROM query_run WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM query_run WHERE project_id = $1 AND state NOT IN ('queued', 'running')
     AND ($2::text[] IS NULL OR engine_query_id = ANY ($2)) FOR UPDATE SKIP LOCKED))`
const LIST_RUNNING = `SELECT engine_query_id AS "engineQueryId" FROM query_run
  WHERE project_id = $1 AND state = 'running' AND ($2::text[] IS NULL OR engine_query_id = ANY ($2))`

/** That of a project that is not there any more: none of its answers count. */
const NO_GENERATION = -1

/** Which cached answers of a project count: those calculated under its present generation. 0 until one has been given up. */
export type FindGeneration = (projectId: ProjectId) => Promise<number>

/** Reads generations of projects. What is found has been committed, and is never out of date. */
export const createGenerationReader =
  (pool: Pool): FindGeneration =>
  (projectId) =>
    whenReachable(
      async () => (await pool.query<{ generation: number }>(FIND, [projectId])).rows[0]?.generation ?? NO_GENERATION,
    )

/**
 * Gives up every answer that is kept of a project, because what it shows has been deleted: cached ones are never found again, and
 * runs that are over are forgotten with what they asked and answered.
 */
export async function forgetAnswers(
  client: PoolClient,
  { projectId }: { readonly projectId: ProjectId },
): Promise<void> {
  await client.query(RAISE, [projectId])
  await client.query(FORGET_RUNS, [projectId, null])
}

/** Runs of a project that are executed just now, by the engine's ids: they may keep what they read a moment ago. */
export async function listExecutingRuns(client: PoolClient, projectId: ProjectId): Promise<string[]> {
  const { rows } = await client.query<{ engineQueryId: string }>(LIST_RUNNING, [projectId, null])
  return rows.map(({ engineQueryId }) => engineQueryId)
}

/** Forgets those of these runs that are over. @returns whether all were. */
export async function forgetRuns(client: PoolClient, projectId: ProjectId, runs: readonly string[]): Promise<boolean> {
  if (runs.length === 0) return true
  const { rows } = await client.query(LIST_RUNNING, [projectId, runs])
  await client.query(FORGET_RUNS, [projectId, runs])
  return rows.length === 0
}
