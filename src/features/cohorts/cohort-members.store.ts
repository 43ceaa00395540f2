import type { Pool } from "pg"
import type { ProjectId } from "../../kernel/ids.js"
import { whenReachable } from "../../platform/postgres/when-reachable.js"
import type { ImportedMembersType } from "./cohorts.graphql.js"

const ADD = `
  INSERT INTO cohort_member (project_id, cohort_id, person_id)
  SELECT DISTINCT project_id, $2::integer, person_id FROM person_distinct_id
  WHERE project_id = $1 AND distinct_id = ANY ($3::text[]) AND person_id IS NOT NULL
  ON CONFLICT DO NOTHING`

/** A text that is both is taken for a distinct id. */
const ADD_NAMED = `
  WITH named AS (
    SELECT given.id, given.place, COALESCE(owner.person_id, person.id) AS person_id
    FROM unnest($3::text[]) WITH ORDINALITY AS given (id, place)
    LEFT JOIN person_distinct_id owner ON owner.project_id = $1 AND owner.distinct_id = given.id
    LEFT JOIN person ON person.project_id = $1 AND NOT person.is_deleted AND owner.person_id IS NULL
      AND person.id = CASE WHEN pg_input_is_valid(given.id, 'uuid') THEN given.id::uuid END
  ), added AS (
    INSERT INTO cohort_member (project_id, cohort_id, person_id)
    SELECT DISTINCT $1::integer, $2::integer, person_id FROM named WHERE person_id IS NOT NULL
    ON CONFLICT DO NOTHING
  )
  SELECT id FROM named WHERE person_id IS NULL ORDER BY place`

const REMOVE = `
  DELETE FROM cohort_member USING person_distinct_id owner
  WHERE cohort_member.project_id = $1 AND cohort_member.cohort_id = $2 AND owner.project_id = $1
    AND owner.person_id = cohort_member.person_id AND owner.distinct_id = ANY ($3::text[])`

const COUNT = "SELECT count(*)::int AS count FROM cohort_member WHERE cohort_id = $1"

/** Changes the members of a static cohort by their distinct ids; answers how many persons there are now. */
type ChangeMembers = (projectId: ProjectId, cohortId: number, distinctIds: readonly string[]) => Promise<number>

/** What came of a list of members. */
export type ImportedMembers = Readonly<ImportedMembersType>

/** Members of static cohorts. */
export interface CohortMembers {
  /** Adds the persons behind the ids; ids nobody has are passed over. */
  readonly add: ChangeMembers
  /** The same for distinct ids and ids of persons; says which of them name nobody. */
  readonly addNamed: (projectId: ProjectId, cohortId: number, ids: readonly string[]) => Promise<ImportedMembers>
  readonly remove: ChangeMembers
}

/** Members in PostgreSQL. Methods throw AppError store_unavailable while it is away. */
export function createCohortMembers(pool: Pool): CohortMembers {
  const count = async (cohortId: number): Promise<number> => {
    const { rows } = await pool.query<{ count: number }>(COUNT, [cohortId])
    return rows[0]?.count ?? 0
  }
  const changeBy =
    (statement: string): ChangeMembers =>
    (projectId, cohortId, distinctIds) =>
      whenReachable(async () => {
        await pool.query(statement, [projectId, cohortId, distinctIds])
        return count(cohortId)
      })
  return {
    add: changeBy(ADD),
    addNamed: (projectId, cohortId, ids) =>
      whenReachable(async () => {
        const { rows } = await pool.query<{ id: string }>(ADD_NAMED, [projectId, cohortId, ids])
        return { memberCount: await count(cohortId), unknownIds: rows.map(({ id }) => id) }
      }),
    remove: changeBy(REMOVE),
  }
}
