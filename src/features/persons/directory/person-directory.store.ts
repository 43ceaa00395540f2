import type { Pool, QueryResultRow } from "pg"
import { isUuid, type PersonId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import { toStoreFault } from "../../../platform/postgres/connection-loss.js"
import { personCondition, toPattern } from "./person-condition.store.js"
import type { Group, GroupType, Person, PersonDirectory } from "./person-directory.types.js"

const PERSON = `person.project_id AS "projectId", person.id, person.properties, person.is_identified AS "isIdentified", person.created_at AS "createdAt"`
const GROUP = `type_index AS "typeIndex", group_key AS key, properties, created_at AS "createdAt"`

/** Most distinct ids shown of one person; a person with more is a test account or a mistake. */
const MAX_DISTINCT_IDS = 1000
const MAX_VALUES = 20
const MAX_PERSONS_FOR_VALUES = 100_000

/** Reads persons and groups from PostgreSQL, which ingestion keeps up to date before it answers for an event as stored. */
export function createPersonDirectory(pool: Pool): PersonDirectory {
  const select = async <Row>(text: string, values: readonly unknown[]): Promise<Row[]> => {
    try {
      return (await pool.query<Row & QueryResultRow>(text, [...values])).rows
    } catch (error) {
      throw toStoreFault(error)
    }
  }
  const count = async (from: string, values: readonly unknown[]): Promise<number> =>
    (await select<{ count: number }>(`SELECT count(*)::int AS count ${from}`, values))[0]?.count ?? 0

  return {
    async list(projectId, filter, { limit, offset }) {
      const { from, values } = personCondition(projectId, filter)
      const [items, totalCount] = await Promise.all([
        select<Person>(
          `SELECT ${PERSON} ${from} ORDER BY person.created_at DESC, person.id LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
          [...values, limit, offset],
        ),
        count(from, values),
      ])
      return { items, totalCount }
    },
    findMany: (projectId, ids) =>
      select<Person>(
        `SELECT ${PERSON} FROM person WHERE project_id = $1 AND id = ANY ($2::uuid[]) AND NOT is_deleted`,
        [projectId, ids.filter(isUuid)],
      ),
    async findInRange(projectId, { first, last }) {
      const [person] = await select<Person>(
        `SELECT ${PERSON} FROM person WHERE project_id = $1 AND id BETWEEN $2 AND $3 AND NOT is_deleted ORDER BY id LIMIT 1`,
        [projectId, first, last],
      )
      return person ?? null
    },
    async findByDistinctIds(projectId, distinctIds) {
      const rows = await select<Person & { distinctId: string }>(
        `SELECT ${PERSON}, owner.distinct_id AS "distinctId" FROM person_distinct_id AS owner
           JOIN person ON person.project_id = owner.project_id AND person.id = owner.person_id
          WHERE owner.project_id = $1 AND owner.distinct_id = ANY ($2::text[]) AND NOT is_deleted`,
        [projectId, distinctIds],
      )
      return new Map(rows.map(({ distinctId, ...person }) => [distinctId, person]))
    },
    async listDistinctIds(projectId, ids) {
      const rows = await select<{ id: PersonId; distinctIds: string[] }>(
        `SELECT wanted.id, ARRAY(SELECT distinct_id FROM person_distinct_id WHERE project_id = $1 AND person_id = wanted.id
                                 ORDER BY version, distinct_id LIMIT $3) AS "distinctIds"
           FROM unnest($2::uuid[]) AS wanted (id)`,
        [projectId, ids, MAX_DISTINCT_IDS],
      )
      return new Map(rows.map(({ id, distinctIds }) => [id, distinctIds]))
    },
    propertyValues: (projectId, property, containing) =>
      select<{ value: Json; personCount: number }>(
        `SELECT value, count(*)::int AS "personCount"
           FROM (SELECT properties -> $2 AS value, properties ->> $2 AS text
                   FROM (SELECT properties FROM person WHERE project_id = $1 AND NOT is_deleted
                          ORDER BY created_at DESC, id LIMIT $4) AS newest
                  WHERE properties ? $2) AS named
          WHERE CASE WHEN $3::text IS NULL THEN coalesce(text, '') <> '' ELSE text ILIKE $3 END
          GROUP BY value ORDER BY count(*) DESC, value::text LIMIT $5`,
        [projectId, property, containing === null ? null : toPattern(containing), MAX_PERSONS_FOR_VALUES, MAX_VALUES],
      ),
    groupTypes: (projectId) =>
      select<GroupType>(
        `SELECT name, type_index AS "typeIndex" FROM group_type WHERE project_id = $1 ORDER BY type_index`,
        [projectId],
      ),
    async groups(projectId, typeIndex, search, { limit, offset }) {
      const from = `FROM group_entry WHERE project_id = $1 AND type_index = $2::int
        AND ($3::text IS NULL OR group_key ILIKE $3 OR properties ->> 'name' ILIKE $3)`
      const values = [projectId, typeIndex, search === null ? null : toPattern(search)]
      const [items, totalCount] = await Promise.all([
        select<Group>(`SELECT ${GROUP} ${from} ORDER BY created_at DESC, group_key LIMIT $4 OFFSET $5`, [
          ...values,
          limit,
          offset,
        ]),
        count(from, values),
      ])
      return { items, totalCount }
    },
  }
}
