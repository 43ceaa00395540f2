import type { PersonId, ProjectId } from "../../../kernel/ids.js"
import type { Database } from "../../../platform/postgres/database.types.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import { orderDistinctIds } from "../../persons/index.js"
import type { Subject } from "./flag-audience.facts.js"

/** Persons or groups of a project to try a condition on. */
export interface SubjectSample {
  readonly total: number
  /** All of them, or as many of them taken at random. */
  readonly subjects: readonly Subject[]
}

/** Persons and groups to try a condition on. */
export interface SubjectSamples {
  persons(projectId: ProjectId, limit: number): Promise<SubjectSample>
  groups(projectId: ProjectId, groupTypeIndex: number, limit: number): Promise<SubjectSample>
  /** Persons in order of their ids, from behind `afterId` on. */
  personsAfter(
    projectId: ProjectId,
    afterId: string | null,
    limit: number,
  ): Promise<(Subject & { readonly id: string })[]>
  /** These persons, each by the id that somebody chose, with the hash keys that are kept for them. */
  personsById(projectId: ProjectId, ids: readonly PersonId[]): Promise<(Subject & { readonly id: PersonId })[]>
}

const COUNT_PERSONS = "SELECT count(*)::float8 AS total FROM person WHERE project_id = $1 AND NOT is_deleted"
/** Person ids are hashes, so the first by id are taken at random, the same ones every time. */
const PERSONS = `
  SELECT id, properties, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
    coalesce((SELECT min(distinct_id) FROM person_distinct_id AS own
      WHERE own.project_id = person.project_id AND own.person_id = person.id), '') AS key,
    (SELECT coalesce(array_agg(cohort_id), '{}') FROM cohort_member AS member
      WHERE member.project_id = person.project_id AND member.person_id = person.id) AS "staticCohortIds"
  FROM person WHERE project_id = $1 AND NOT is_deleted AND ($3::uuid IS NULL OR id > $3) ORDER BY id LIMIT $2`

const MAX_DISTINCT_IDS = 1_000
const PERSONS_BY_ID = `
  SELECT id, properties, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
    ARRAY(SELECT distinct_id FROM person_distinct_id AS own
      WHERE own.project_id = person.project_id AND own.person_id = person.id
      ORDER BY version, distinct_id LIMIT ${MAX_DISTINCT_IDS}) AS "distinctIds",
    (SELECT coalesce(array_agg(cohort_id), '{}') FROM cohort_member AS member
      WHERE member.project_id = person.project_id AND member.person_id = person.id) AS "staticCohortIds",
    (SELECT coalesce(jsonb_agg(jsonb_build_array(kept.distinct_id, flag_key, hash_key)
        ORDER BY kept.distinct_id DESC), '[]')
      FROM person_distinct_id AS own JOIN flag_hash_key AS kept USING (project_id, distinct_id)
      WHERE own.project_id = person.project_id AND own.person_id = person.id) AS "hashKeys"
  FROM person WHERE project_id = $1 AND id = ANY ($2::uuid[]) AND NOT is_deleted`

const COUNT_GROUPS = "SELECT count(*)::float8 AS total FROM group_entry WHERE project_id = $1 AND type_index = $2"
const GROUPS = `
  SELECT properties, NULL AS "createdAt", group_key AS key, '{}'::int[] AS "staticCohortIds"
  FROM group_entry WHERE project_id = $1 AND type_index = $2 ORDER BY md5(group_key) LIMIT $3`

/** Samples from PostgreSQL. */
export function createSubjectSamples({ pool }: Pick<Database, "pool">): SubjectSamples {
  const sample = (
    counting: string,
    counted: readonly unknown[],
    selecting: string,
    selected: readonly unknown[],
  ): Promise<SubjectSample> =>
    whenReachable(async () => {
      const [count, found] = await Promise.all([
        pool.query<{ total: number }>(counting, [...counted]),
        pool.query<Subject>(selecting, [...selected]),
      ])
      // A count taken a moment earlier must not be below what was found.
      return { total: Math.max(count.rows[0]?.total ?? 0, found.rows.length), subjects: found.rows }
    })
  return {
    persons: (projectId, limit) => sample(COUNT_PERSONS, [projectId], PERSONS, [projectId, limit, null]),
    groups: (projectId, index, limit) => sample(COUNT_GROUPS, [projectId, index], GROUPS, [projectId, index, limit]),
    personsAfter: (projectId, afterId, limit) =>
      whenReachable(async () => {
        const { rows } = await pool.query<Subject & { id: string }>(PERSONS, [projectId, limit, afterId])
        return rows
      }),
    personsById: (projectId, ids) =>
      whenReachable(async () => {
        const { rows } = await pool.query<PersonRow>(PERSONS_BY_ID, [projectId, ids])
        return rows.map(toPerson)
      }),
  }
}

interface PersonRow extends Omit<Subject, "key" | "hashKeys"> {
  readonly id: PersonId
  readonly distinctIds: readonly string[]
  readonly hashKeys: readonly (readonly [distinctId: string, flagKey: string, hashKey: string])[]
}

/** Of several hash keys for one flag that of the id itself wins, as in a decision about it. */
function toPerson({ distinctIds, hashKeys, ...person }: PersonRow): Subject & { readonly id: PersonId } {
  const [key = ""] = orderDistinctIds(distinctIds)
  const own = hashKeys.filter(([distinctId]) => distinctId === key)
  const entries = [...hashKeys, ...own].map(([, flagKey, hashKey]) => [flagKey, hashKey] as const)
  return { ...person, key, hashKeys: new Map(entries) }
}
