import type { Pool, PoolClient } from "pg"
import type { ProjectId } from "../../../kernel/ids.js"
import { SPARE_COLUMN_COUNT } from "../../../kernel/property-columns.js"

/** The properties of projects that have a spare column, in the order of the columns. */
export async function listSpares(
  client: PoolClient,
  projectIds: readonly ProjectId[],
): Promise<ReadonlyMap<ProjectId, readonly string[]>> {
  const { rows } = await client.query<{ projectId: ProjectId; names: string[] }>(
    `SELECT project_id AS "projectId", array_agg(name ORDER BY spare) AS names FROM property_spare
      WHERE project_id = ANY ($1::int[]) AND spare <= $2 GROUP BY project_id`,
    [projectIds, SPARE_COLUMN_COUNT],
  )
  return new Map(rows.map(({ projectId, names }) => [projectId, names]))
}

/** The same of all projects that were given none since a time. */
export async function listSettledSpares(pool: Pool, since: Date): Promise<ReadonlyMap<ProjectId, readonly string[]>> {
  const { rows } = await pool.query<{ projectId: ProjectId; names: string[] }>(
    `SELECT project_id AS "projectId", array_agg(name ORDER BY spare) AS names FROM property_spare
      WHERE spare <= $1 GROUP BY project_id HAVING max(given_at) < $2 ORDER BY project_id`,
    [SPARE_COLUMN_COUNT, since],
  )
  return new Map(rows.map(({ projectId, names }) => [projectId, names]))
}

/**
 * Gives the next spare columns of a project to properties, as long as there are some. Only the owner of the project's
 * shard may: two at a time would both give the same column, and the second one fails.
 */
export async function giveSpares(
  client: PoolClient,
  projectId: ProjectId,
  names: readonly string[],
  nowMs: number,
): Promise<void> {
  await client.query(
    `INSERT INTO property_spare (project_id, spare, name, given_at)
     SELECT $1, spare, name, $3 FROM (
       SELECT name, row_number() OVER (ORDER BY place)
                + (SELECT count(*) FROM property_spare WHERE project_id = $1) AS spare
         FROM unnest($2::text[]) WITH ORDINALITY AS earned (name, place)
        WHERE name NOT IN (SELECT name FROM property_spare WHERE project_id = $1)) AS next
      WHERE spare <= $4`,
    [projectId, names, new Date(nowMs), SPARE_COLUMN_COUNT],
  )
}
