import type { ProjectId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import type { Database } from "../../../platform/postgres/database.types.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import type { GroupFacts, PersonFacts } from "../flags.types.js"

const PERSON = `
  SELECT person.properties, to_char(person.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt"
  FROM person_distinct_id JOIN person
    ON person.project_id = person_distinct_id.project_id AND person.id = person_distinct_id.person_id
  WHERE person_distinct_id.project_id = $1 AND distinct_id = $2 AND NOT is_deleted`

const STATIC_COHORTS = `
  SELECT cohort_member.cohort_id FROM person_distinct_id JOIN cohort_member
    ON cohort_member.project_id = person_distinct_id.project_id AND cohort_member.person_id = person_distinct_id.person_id
  WHERE person_distinct_id.project_id = $1 AND distinct_id = $2`

const GROUPS = `
  SELECT type_index AS "typeIndex", properties
  FROM unnest($2::smallint[], $3::text[]) AS asked (type_index, group_key) JOIN group_entry USING (type_index, group_key)
  WHERE project_id = $1`

/** Facts about persons and groups from PostgreSQL, as prepared statements on the plain pool. */
export function createDecisionFactsStore({
  pool,
}: Pick<Database, "pool">): PersonFacts & Omit<GroupFacts, "newGroupTypes"> {
  const query = <Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> =>
    whenReachable(async () => (await pool.query<Row>({ name: `flags.${name}`, text, values })).rows)
  return {
    person: async (projectId: ProjectId, distinctId: string) => {
      const rows = await query<{ properties: JsonObject; createdAt: string }>("person", PERSON, [projectId, distinctId])
      return rows[0] ?? null
    },
    staticCohortIds: async (projectId, distinctId) => {
      const rows = await query<{ cohort_id: number }>("staticCohorts", STATIC_COHORTS, [projectId, distinctId])
      return new Set(rows.map(({ cohort_id }) => cohort_id))
    },
    groupProperties: async (projectId, groups) => {
      const indexes = groups.map(({ groupTypeIndex }) => groupTypeIndex)
      const keys = groups.map(({ key }) => key)
      const rows = await query<{ typeIndex: number; properties: JsonObject }>("groups", GROUPS, [
        projectId,
        indexes,
        keys,
      ])
      return new Map(rows.map(({ typeIndex, properties }) => [typeIndex, properties]))
    },
  }
}
