import type { Pool } from "pg"
import type { ProjectId } from "../../kernel/ids.js"
import { whenReachable } from "../../platform/postgres/when-reachable.js"

const ADD = `
  INSERT INTO cohort_member (project_id, cohort_id, person_id)
  SELECT DISTINCT project_id, $2::integer, person_id FROM person_distinct_id
  WHERE project_id = $1 AND distinct_id = ANY ($3::text[]) AND person_id IS NOT NULL
  ON CONFLICT DO NOTHING`

const REMOVE = `
  DELETE FROM cohort_member USING person_distinct_id owner
  WHERE cohort_member.project_id = $1 AND cohort_member.cohort_id = $2 AND owner.project_id = $1
    AND owner.person_id = cohort_member.person_id AND owner.distinct_id = ANY ($3::text[])`

const COUNT = "SELECT count(*)::int AS count FROM cohort_member WHERE cohort_id = $1"

/** Changes the members of a static cohort by their distinct ids; answers how many persons there are now. */
type ChangeMembers = (projectId: ProjectId, cohortId: number, distinctIds: readonly string[]) => Promise<number>

/** Members of static cohorts. */
export interface CohortMembers {
  /** Adds the persons behind the ids; ids nobody has are passed over. */
  readonly add: ChangeMembers
  readonly remove: ChangeMembers
}

/** Members in PostgreSQL. Methods throw AppError store_unavailable while it is away. */
export function createCohortMembers(pool: Pool): CohortMembers {
  const changeBy =
    (statement: string): ChangeMembers =>
    (projectId, cohortId, distinctIds) =>
      whenReachable(async () => {
        await pool.query(statement, [projectId, cohortId, distinctIds])
        const { rows } = await pool.query<{ count: number }>(COUNT, [cohortId])
        return rows[0]?.count ?? 0
      })
  return { add: changeBy(ADD), remove: changeBy(REMOVE) }
}
