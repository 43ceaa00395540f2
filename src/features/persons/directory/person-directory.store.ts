import type { Pool, QueryResultRow } from "pg"
import { AppError } from "../../../kernel/errors.js"
import { isUuid, type PersonId, type ProjectId } from "../../../kernel/ids.js"
import { type JsonObject, toStorableText } from "../../../kernel/json.js"
import { jsonUnitsUpTo } from "../../../kernel/json-size.js"
import type { ListPage, PageRequest } from "../../../kernel/paging.js"
import { readPage } from "../../../kernel/read-page.js"
import { toStoreFault } from "../../../platform/postgres/connection-loss.js"
import { type SqlOrderColumn, toOrderColumn } from "../../../platform/postgres/sql-order.js"
import { toRangeSql } from "../../../platform/postgres/sql-range.js"
import { type PersonFilter, toConditionSql, toPattern } from "./person-condition.store.js"
import type { RunSearch } from "./person-search.store.js"
import type { GroupObjectType, GroupTypeType, Person, PropertyValueType } from "./persons.graphql.js"

const PERSON = `person.project_id AS "projectId", person.id, person.properties, person.is_identified AS "isIdentified", person.created_at AS "createdAt"`
const GROUP = `project_id AS "projectId",
  type_index AS "typeIndex", group_key AS key, properties, created_at AS "createdAt"`

/** Most distinct ids shown of one person; a person with more is a test account or a mistake. */
const MAX_DISTINCT_IDS = 1000
const MAX_VALUES = 20
const MAX_PERSONS_FOR_VALUES = 100_000

/** Of the properties of all persons or groups in a page (`docs/contract/management.md#paging`). */
const MAX_PAGE_CHARACTERS = 8 * 1024 * 1024
const CHARACTERS_OF_NUMBER = 6

/** Of the properties of all persons that an operation reads at once, an export among them. */
export const MAX_CHARACTERS_AT_ONCE = 20_000_000
/** Persons of one statement: 32 MB of the largest. */
const PERSONS_AT_ONCE = 50

interface WithProperties {
  readonly properties: JsonObject
}

/** A page of rows by a condition whose values are `$1`, `$2` and so on. */
interface PageSql {
  readonly columns: string
  readonly from: string
  readonly order: readonly SqlOrderColumn[]
}

const NEWEST_PERSONS_FIRST = [
  toOrderColumn("createdAt", "time", { column: "person.created_at", isDescending: true }),
  toOrderColumn("id", "uuid", { column: "person.id" }),
]
const NEWEST_GROUPS_FIRST = [
  toOrderColumn("createdAt", "time", { isDescending: true }),
  toOrderColumn("key", "text", { column: "group_key" }),
]

/** Reads the persons and groups of a project. Methods throw AppError store_unavailable when PostgreSQL is away. */
export type PersonDirectory = ReturnType<typeof createPersonDirectory>

/** Refuses what would be too much to hold in memory, and says where it is to be had. */
export const tooManyProperties = (): AppError =>
  new AppError("result_too_large", {
    detail:
      "These persons have more than 20 million characters of properties together. Ask for them page by page, or export " +
      "`SELECT * FROM persons` by POST /api/environments/:project_id/query/export.",
  })

/** Reads persons and groups from PostgreSQL, which ingestion keeps up to date before it answers for an event as stored. */
export function createPersonDirectory(pool: Pool, runSearch: RunSearch) {
  const select = async <Row>(text: string, values: readonly unknown[]): Promise<Row[]> => {
    try {
      return (await pool.query<Row & QueryResultRow>(text, [...values])).rows
    } catch (error) {
      throw toStoreFault(error)
    }
  }
  /** A page of what a condition finds; fewer rows where their properties are large. */
  const page = <Row extends WithProperties>(
    projectId: ProjectId,
    { columns, from, order }: PageSql,
    values: readonly unknown[],
    request: PageRequest,
    maxCharacters = MAX_PAGE_CHARACTERS,
  ): Promise<ListPage<Row>> =>
    readPage<Row>(
      {
        order,
        read: (range) => {
          const { beyond, orderBy, limit, offset, values: bound } = toRangeSql(order, range, values)
          return runSearch(projectId, (search) =>
            search.upTo<Row>(
              `SELECT ${columns} ${from} AND ${beyond} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}`,
              bound,
              ({ properties }) => jsonUnitsUpTo(properties, maxCharacters, CHARACTERS_OF_NUMBER),
              maxCharacters,
            ),
          )
        },
        count: async () => {
          const text = `SELECT count(*)::int AS count ${from}`
          const [row] = await runSearch(projectId, (search) => search.all<{ count: number }>(text, values))
          return row?.count ?? 0
        },
      },
      request,
    )

  return {
    /** Newest first. Fewer than asked for when their properties together have more than `maxCharacters` of JSON. */
    list: (
      projectId: ProjectId,
      filter: PersonFilter,
      request: PageRequest,
      maxCharacters?: number,
    ): Promise<ListPage<Person>> => {
      const { from, values } = toConditionSql(projectId, filter)
      return page(projectId, { columns: PERSON, from, order: NEWEST_PERSONS_FIRST }, values, request, maxCharacters)
    },
    /**
     * Persons that exist, in any order.
     * @throws AppError result_too_large when more than are read at once have too many properties together.
     */
    async findMany(projectId: ProjectId, ids: readonly PersonId[]): Promise<Person[]> {
      const text = `SELECT ${PERSON} FROM person WHERE project_id = $1 AND id = ANY ($2::uuid[]) AND NOT is_deleted`
      const wanted = ids.filter(isUuid)
      if (wanted.length <= PERSONS_AT_ONCE) return select<Person>(text, [projectId, wanted])
      const found: Person[] = []
      let characters = 0
      for (let from = 0; from < wanted.length; from += PERSONS_AT_ONCE) {
        const persons = await select<Person>(text, [projectId, wanted.slice(from, from + PERSONS_AT_ONCE)])
        for (const { properties } of persons)
          characters += jsonUnitsUpTo(properties, MAX_CHARACTERS_AT_ONCE, CHARACTERS_OF_NUMBER)
        if (characters > MAX_CHARACTERS_AT_ONCE) throw tooManyProperties()
        found.push(...persons)
      }
      return found
    },
    /** The first person whose id lies between the two; null when there is none. */
    async findInRange(projectId: ProjectId, first: PersonId, last: PersonId): Promise<Person | null> {
      const [person] = await select<Person>(
        `SELECT ${PERSON} FROM person WHERE project_id = $1 AND id BETWEEN $2 AND $3 AND NOT is_deleted ORDER BY id LIMIT 1`,
        [projectId, first, last],
      )
      return person ?? null
    },
    /** Persons by the distinct ids looked up; ids that belong to nobody are left out. */
    async findByDistinctIds(projectId: ProjectId, distinctIds: readonly string[]): Promise<Map<string, Person>> {
      const rows = await select<Person & { distinctId: string }>(
        `SELECT ${PERSON}, owner.distinct_id AS "distinctId" FROM person_distinct_id AS owner
           JOIN person ON person.project_id = owner.project_id AND person.id = owner.person_id
          WHERE owner.project_id = $1 AND owner.distinct_id = ANY ($2::text[]) AND NOT is_deleted`,
        [projectId, distinctIds],
      )
      return new Map(rows.map(({ distinctId, ...person }) => [distinctId, person]))
    },
    /** Distinct ids per person. */
    async listDistinctIds(projectId: ProjectId, ids: readonly PersonId[]): Promise<Map<PersonId, string[]>> {
      const rows = await select<{ id: PersonId; distinctIds: string[] }>(
        `SELECT wanted.id, ARRAY(SELECT distinct_id FROM person_distinct_id WHERE project_id = $1 AND person_id = wanted.id
                                 ORDER BY version, distinct_id LIMIT $3) AS "distinctIds"
           FROM unnest($2::uuid[]) AS wanted (id)`,
        [projectId, ids, MAX_DISTINCT_IDS],
      )
      return new Map(rows.map(({ id, distinctIds }) => [id, distinctIds]))
    },
    /** The 20 values that most persons have, of the newest 100,000 persons; `containing` narrows them, in any case. */
    propertyValues: (projectId: ProjectId, property: string, containing: string | null) =>
      runSearch(projectId, (search) =>
        search.all<PropertyValueType>(
          `SELECT value, count(*)::int AS "personCount"
           FROM (SELECT properties -> $2 AS value, properties ->> $2 AS text
                   FROM (SELECT properties FROM person WHERE project_id = $1 AND NOT is_deleted
                          ORDER BY created_at DESC, id LIMIT $4) AS newest
                  WHERE properties ? $2) AS named
          WHERE CASE WHEN $3::text IS NULL THEN coalesce(text, '') <> '' ELSE text ILIKE $3 END
          GROUP BY value ORDER BY count(*) DESC, value::text LIMIT $5`,
          [projectId, property, containing === null ? null : toPattern(containing), MAX_PERSONS_FOR_VALUES, MAX_VALUES],
        ),
      ),
    groupTypes: (projectId: ProjectId) =>
      select<GroupTypeType>(
        `SELECT name, type_index AS "typeIndex" FROM group_type WHERE project_id = $1 ORDER BY type_index`,
        [projectId],
      ),
    /** Groups that there are, in any order. */
    findGroups: (projectId: ProjectId, groups: readonly { typeIndex: number; key: string }[]) =>
      select<GroupObjectType>(
        `SELECT ${GROUP} FROM unnest($2::int[], $3::text[]) AS wanted (type_index, group_key)
           JOIN group_entry USING (type_index, group_key) WHERE project_id = $1`,
        [projectId, groups.map(({ typeIndex }) => typeIndex), groups.map(({ key }) => toStorableText(key))],
      ),
    /** Groups of one type, newest first; `searched` is part of the key or of the property `name`, in any case. */
    groups(
      projectId: ProjectId,
      typeIndex: number,
      searched: string | null,
      request: PageRequest,
    ): Promise<ListPage<GroupObjectType>> {
      const from = `FROM group_entry WHERE project_id = $1 AND type_index = $2::int
        AND ($3::text IS NULL OR group_key ILIKE $3 OR properties ->> 'name' ILIKE $3)`
      const values = [projectId, typeIndex, searched === null ? null : toPattern(searched)]
      return page(projectId, { columns: GROUP, from, order: NEWEST_GROUPS_FIRST }, values, request)
    },
  }
}
