import type { ProjectId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"
import type { Database } from "../../platform/postgres/database.types.js"
import { whenReachable } from "../../platform/postgres/when-reachable.js"

/** One of a project's persons or groups, as far as a release condition can ask. */
export interface Subject {
  /** An id of the person, or the key of the group. */
  readonly key: string
  readonly properties: JsonObject
  /** ISO 8601; for persons. */
  readonly createdAt: string | null
  readonly staticCohortIds: readonly number[]
}

export interface SubjectSample {
  readonly total: number
  /** All of them, or as many of them taken at random. */
  readonly subjects: readonly Subject[]
}

/** Persons and groups to try a condition on. */
export interface SubjectSamples {
  persons(projectId: ProjectId, limit: number): Promise<SubjectSample>
  groups(projectId: ProjectId, groupTypeIndex: number, limit: number): Promise<SubjectSample>
}

const COUNT_PERSONS = "SELECT count(*)::float8 AS total FROM person WHERE project_id = $1 AND NOT is_deleted"
/** Person ids are hashes, so the first by id are taken at random, the same ones every time. */
const PERSONS = `
  SELECT properties, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
    coalesce((SELECT min(distinct_id) FROM person_distinct_id AS own
      WHERE own.project_id = person.project_id AND own.person_id = person.id), '') AS key,
    (SELECT coalesce(array_agg(cohort_id), '{}') FROM cohort_member AS member
      WHERE member.project_id = person.project_id AND member.person_id = person.id) AS "staticCohortIds"
  FROM person WHERE project_id = $1 AND NOT is_deleted ORDER BY id LIMIT $2`

const COUNT_GROUPS = "SELECT count(*)::float8 AS total FROM group_entry WHERE project_id = $1 AND type_index = $2"
const GROUPS = `
  SELECT properties, NULL AS "createdAt", group_key AS key, '{}'::int[] AS "staticCohortIds"
  FROM group_entry WHERE project_id = $1 AND type_index = $2 ORDER BY md5(group_key) LIMIT $3`

/** Samples from PostgreSQL. */
export function createSubjectSamples({ pool }: Pick<Database, "pool">): SubjectSamples {
  const sample = (counting: string, selecting: string, values: unknown[], limit: number): Promise<SubjectSample> =>
    whenReachable(async () => {
      const [counted, selected] = await Promise.all([
        pool.query<{ total: number }>(counting, values),
        pool.query<Subject>(selecting, [...values, limit]),
      ])
      // A count taken a moment earlier must not be below what was found.
      return { total: Math.max(counted.rows[0]?.total ?? 0, selected.rows.length), subjects: selected.rows }
    })
  return {
    persons: (projectId, limit) => sample(COUNT_PERSONS, PERSONS, [projectId], limit),
    groups: (projectId, index, limit) => sample(COUNT_GROUPS, GROUPS, [projectId, index], limit),
  }
}
