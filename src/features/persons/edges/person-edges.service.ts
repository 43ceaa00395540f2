import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import { asPersonId, isUuid, type PersonId, type ProjectId } from "../../../kernel/ids.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import type { ListPage, PageRequest } from "../../../kernel/paging.js"
import { readPage } from "../../../kernel/read-page.js"
import type { RunHogql } from "../actors/event-actors.service.js"
import type { Person } from "../directory/persons.graphql.js"
import { readProperties } from "../events/stored-events.service.js"

/** A group by its type and key. */
export interface GroupKey {
  readonly typeIndex: number
  readonly key: string
}

/** How far back events tell who belongs to a group (`docs/graphql.md#edges`). */
const DAY_MS = 86_400_000
const DAYS = 90
const MAX_GROUPS = 100
const MAX_PERSONS = 100
const MINUTE_MS = 60_000
const MAX_MINUTES = 60
/** A query has an end, and a cohort may be long. */
const MAX_COHORTS_AT_ONCE = 20
const GROUP_INDEXES = [0, 1, 2, 3, 4] as const
const BY_ID = [{ property: "id", kind: "uuid", isDescending: false }] as const

export type PersonEdges = ReturnType<typeof createPersonEdges>

/** Tells by HogQL who belongs together: persons with groups, as their events say, and with cohorts. */
export function createPersonEdges(runHogql: RunHogql, clock: Clock) {
  const toSince = (): string => `timestamp >= toDateTime64('${new Date(clock.now() - DAYS * DAY_MS).toISOString()}', 3)`

  return {
    /** Groups of events of the last 90 days, at most 100 a person, those of the latest events first. */
    async listGroups(
      projectId: ProjectId,
      ids: readonly PersonId[],
    ): Promise<{ readonly id: PersonId; readonly groups: readonly GroupKey[] }[]> {
      const wanted = ids.filter(isUuid)
      if (wanted.length === 0) return []
      const columns = GROUP_INDEXES.map((index) => `$group_${index}`)
      const rows = await runHogql(projectId, {
        query: `SELECT person_id, ${columns.join(", ")} FROM events
          WHERE ${toSince()} AND person_id IN {ids} AND (${columns.map((name) => `${name} != ''`).join(" OR ")})
          GROUP BY person_id, ${columns.join(", ")} ORDER BY max(timestamp) DESC
          LIMIT ${MAX_GROUPS} BY person_id LIMIT ${MAX_GROUPS * wanted.length}`,
        values: { ids: wanted },
      })
      const found = Map.groupBy(rows, ([id]) => String(id))
      return wanted.map((id) => ({ id, groups: listDistinct(found.get(id) ?? []) }))
    },

    /**
     * Persons with events of the last 90 days in groups of one type, for each group those of the latest events first.
     * @throws AppError invalid_input naming `first`, which is at most 100.
     */
    async listMembers(
      projectId: ProjectId,
      { typeIndex, keys, first }: { typeIndex: number; keys: readonly string[]; first: number },
    ): Promise<PersonId[][]> {
      requireWithin("first", first, MAX_PERSONS)
      if (!GROUP_INDEXES.some((index) => index === typeIndex)) return keys.map(() => [])
      const column = `$group_${typeIndex}`
      const rows = await runHogql(projectId, {
        query: `SELECT ${column}, person_id FROM events WHERE ${toSince()} AND ${column} IN {keys}
          GROUP BY ${column}, person_id ORDER BY max(timestamp) DESC, person_id
          LIMIT ${first} BY ${column} LIMIT ${first * keys.length}`,
        values: { keys: [...keys] },
      })
      const found = Map.groupBy(rows, ([key]) => String(key))
      return keys.map((key) => (found.get(key) ?? []).map(([, id]) => asPersonId(String(id))))
    },

    /**
     * Who sent an event in the last minutes, those of the latest events first, and how many there are in all; events of
     * visitors without a profile count as somebody's.
     * @throws AppError invalid_input naming `first`, which is at most 100, or `minutes`, which are at most 60.
     */
    async listOnline(
      projectId: ProjectId,
      { minutes, first }: { readonly minutes: number; readonly first: number },
    ): Promise<{ readonly count: number; readonly ids: readonly PersonId[] }> {
      requireWithin("first", first, MAX_PERSONS)
      requireWithin("minutes", minutes, MAX_MINUTES)
      const since = `timestamp >= toDateTime64('${new Date(clock.now() - minutes * MINUTE_MS).toISOString()}', 3)`
      const rows = await runHogql(projectId, {
        query: `SELECT person_id, (SELECT count(DISTINCT person_id) FROM events WHERE ${since}) FROM events WHERE ${since}
          GROUP BY person_id ORDER BY max(timestamp) DESC, person_id LIMIT ${first}`,
      })
      return { count: Number(rows[0]?.[1] ?? 0), ids: rows.map(([id]) => asPersonId(String(id))) }
    },

    /**
     * Which of some cohorts hold which of some persons, as queries see it.
     * @throws AppError for a cohort that queries cannot use.
     */
    async listHolding(
      projectId: ProjectId,
      cohortIds: readonly number[],
      ids: readonly PersonId[],
    ): Promise<ReadonlyMap<PersonId, ReadonlySet<number>>> {
      const wanted = ids.filter(isUuid)
      if (cohortIds.length === 0 || wanted.length === 0) return new Map()
      const found = new Map<PersonId, Set<number>>()
      for (let from = 0; from < cohortIds.length; from += MAX_COHORTS_AT_ONCE) {
        const asked = cohortIds.slice(from, from + MAX_COHORTS_AT_ONCE)
        const tests = asked.map((cohortId) => `if(id IN COHORT ${cohortId}, 1, 0)`)
        const rows = await runHogql(projectId, {
          query: `SELECT id, ${tests.join(", ")} FROM persons WHERE id IN {ids} LIMIT ${wanted.length}`,
          values: { ids: wanted },
        })
        for (const [id, ...held] of rows) {
          const person = asPersonId(String(id))
          const holding = asked.filter((_, index) => held[index] === 1)
          found.set(person, new Set([...(found.get(person) ?? []), ...holding]))
        }
      }
      return found
    },

    /**
     * How many persons the conditions of a cohort hold for, whether it is kept or not.
     * @param filters as they are kept with a cohort
     * @throws AppError invalid_input for conditions that queries cannot use.
     */
    async countFitting(projectId: ProjectId, filters: Json): Promise<number> {
      if (!isJsonObject(filters) || !isJsonObject(filters.properties))
        throw new AppError("invalid_input", { attr: "filters", detail: "filters.properties must be a group." })
      const query = {
        query: "SELECT count() FROM persons WHERE {filters}",
        filters: { properties: filters.properties },
      }
      const [[count] = []] = await runHogql(projectId, query).catch((thrown: unknown) => {
        if (!(thrown instanceof AppError) || thrown.code !== "hogql_query_error") throw thrown
        throw new AppError("invalid_input", { attr: "filters", detail: thrown.message, cause: thrown })
      })
      return Number(count ?? 0)
    },

    /** Persons whom a cohort holds, in the order of their ids. @throws AppError for a cohort that there is not. */
    listOfCohort: (projectId: ProjectId, cohortId: number, request: PageRequest): Promise<ListPage<Person>> =>
      readPage<Person>(
        {
          order: BY_ID,
          read: async ({ from, isBackward, limit, offset }) => {
            const beyond = from === null ? "" : `AND toString(id) ${isBackward ? "<" : ">"} {from}`
            const rows = await runHogql(projectId, {
              query: `SELECT id, properties, is_identified, toUnixTimestamp64Milli(created_at) FROM persons
                WHERE id IN COHORT ${cohortId} ${beyond} ORDER BY toString(id) ${isBackward ? "DESC" : "ASC"}
                LIMIT ${limit} OFFSET ${offset}`,
              values: { from: from?.[0] ?? null },
            })
            return { rows: rows.map((row) => toPerson(projectId, row)) }
          },
          count: async () => {
            const query = `SELECT count() FROM persons WHERE id IN COHORT ${cohortId}`
            const [[count] = []] = await runHogql(projectId, { query })
            return Number(count ?? 0)
          },
        },
        request,
      ),
  }
}

function requireWithin(attr: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= max) return
  throw new AppError("invalid_input", { attr, detail: `${attr} must be between 1 and ${max}.` })
}

/** Each group once, in the order of the rows. */
function listDistinct(rows: readonly (readonly Json[])[]): GroupKey[] {
  const groups = new Map<string, GroupKey>()
  for (const [, ...keys] of rows)
    for (const typeIndex of GROUP_INDEXES) {
      const key = String(keys[typeIndex] ?? "")
      if (key !== "") groups.set(`${typeIndex}:${key}`, { typeIndex, key })
    }
  return [...groups.values()].slice(0, MAX_GROUPS)
}

function toPerson(projectId: ProjectId, [id, properties, isIdentified, createdAtMs]: readonly Json[]): Person {
  return {
    projectId,
    id: asPersonId(String(id)),
    properties: readProperties(properties ?? null),
    isIdentified: isIdentified === true || isIdentified === 1,
    createdAt: new Date(Number(createdAtMs)),
  }
}
