import type { Pool } from "pg"
import type { CrashPoints } from "../../../kernel/crash-points.js"
import type { PersonId, ProjectId } from "../../../kernel/ids.js"
import { toDateTimeText } from "../../../kernel/time-text.js"
import type { ClickHouse } from "../../../platform/clickhouse/click-house.js"
import { deleteRows, type MutatedRows } from "../../../platform/clickhouse/mutate-rows.js"
import type { DeleteRecordings, KeptSessions } from "../persons.types.js"
import { createDeletionIds, type DeletionId, selectIds, selectVersions } from "./deletion-ids.store.js"
import { createDeletionSessions } from "./deletion-sessions.store.js"

/** Persons of one project that one request deletes: their copies go together. */
export interface RequestedDeletion {
  readonly requestId: string
  readonly projectId: ProjectId
  readonly persons: readonly Tombstone<PersonId>[]
  readonly distinctIds: readonly (Tombstone<string> & { readonly personId: PersonId })[]
  /** Persons that were merged into them before. */
  readonly merged: readonly Tombstone<PersonId>[]
  readonly deleteEvents: boolean
  readonly deleteRecordings: boolean
  readonly requestedAtMs: number
}

/** An id that is freed, with a version above all that it had. */
interface Tombstone<Id> {
  readonly id: Id
  readonly version: number
}

export interface DeletionCopiesDependencies {
  readonly pool: Pool
  readonly clickHouse: Pick<ClickHouse, "insert" | "rows" | "command">
  readonly deleteRecordings: DeleteRecordings
  readonly sessions: KeptSessions
  /** Null in every process that is not made to die. */
  readonly crashPoints: CrashPoints | null
}

const NEVER = "1970-01-01 00:00:00"
/** Tables with an id of a person, or one of theirs, and a version in every row. */
const VERSIONED = [
  ["persons", "id", "person"],
  ["person_distinct_ids", "distinct_id", "distinct_id"],
  ["person_distinct_id_overrides", "distinct_id", "distinct_id"],
] as const

/** Members of static cohorts that are none any more. */
const FORMER_MEMBERS = `person_id IN (SELECT toUUID(id) FROM (${selectIds("person")}))
  AND (cohort_id, person_id) NOT IN (
    SELECT cohort_id, person_id FROM cohort_people WHERE project_id = {project:Int64}
     GROUP BY cohort_id, person_id HAVING argMax(is_deleted, version) = 0)`

/** What ClickHouse holds of deleted persons. Every step is idempotent: after a crash all of them are done again. */
export function createDeletionCopies(dependencies: DeletionCopiesDependencies) {
  const { pool, clickHouse, deleteRecordings, crashPoints } = dependencies
  const listed = createDeletionIds(pool, clickHouse)
  const sessions = createDeletionSessions(clickHouse, listed, dependencies.sessions)

  const remove = ({ projectId, requestId }: RequestedDeletion, rows: Omit<MutatedRows, "name">): Promise<boolean> =>
    deleteRows(clickHouse, {
      ...rows,
      condition: `project_id = {project:Int64} AND ${rows.condition}`,
      parameters: { project: projectId, deletion: requestId, ...rows.parameters },
      name: `deletion ${requestId}`,
    })

  /**
   * Deletes the events of the persons' ids, and those stored under the persons' uuids by ids that nobody has. An id that a
   * split gave to another person keeps its events, although the older ones carry the uuid.
   */
  async function deleteEvents(deletion: RequestedDeletion): Promise<boolean> {
    const { projectId, requestId, requestedAtMs } = deletion
    const persons = `person_id IN (SELECT toUUID(id) FROM (${selectIds("person")}))`
    const found = await clickHouse.rows<{ distinct_id: string }>({
      sql: `SELECT DISTINCT distinct_id FROM events
             WHERE project_id = {project:Int64} AND ${persons} AND distinct_id NOT IN (${selectIds("distinct_id")})`,
      parameters: { project: projectId, deletion: requestId },
    })
    const { rows } = await pool.query<{ id: string }>(
      `SELECT found.id FROM unnest($2::text[]) AS found (id)
        WHERE NOT EXISTS (SELECT FROM person_distinct_id AS owner
                           WHERE owner.project_id = $1 AND owner.distinct_id = found.id AND owner.person_id IS NOT NULL)`,
      [projectId, found.map(({ distinct_id }) => distinct_id)],
    )
    await listed.add(
      requestId,
      rows.map(({ id }) => ({ kind: "orphan", id, version: 0 })),
    )
    const condition = `created_at <= {until:DateTime64(3, 'UTC')} AND (distinct_id IN (${selectIds("distinct_id")})
        OR (${persons} AND distinct_id IN (${selectIds("orphan")})))`
    const parameters = { until: toDateTimeText(requestedAtMs) }
    await sessions.list(deletion, condition, parameters)
    return remove(deletion, { table: "events", condition, parameters })
  }

  return {
    listed,
    sessions,

    /** Names the ids of a deletion to ClickHouse, where everything else finds them. */
    async addIds({ requestId, persons, merged, distinctIds }: RequestedDeletion): Promise<void> {
      const known = await clickHouse.rows({
        sql: `${selectIds("person")} LIMIT 1`,
        parameters: { deletion: requestId },
      })
      if (known.length > 0) return
      // Persons last: the look above finds those.
      await listed.add(
        requestId,
        distinctIds.map(({ id, version }): DeletionId => ({ kind: "distinct_id", id, version })),
      )
      await listed.add(
        requestId,
        [...merged, ...persons].map(({ id, version }) => ({ kind: "person", id, version })),
      )
    },

    /** Tells queries that the persons are gone and their ids free. Of persons who use the ids later, these say nothing. */
    async hide({ projectId, persons, distinctIds }: RequestedDeletion): Promise<void> {
      const toTombstone = ({ id, version }: Tombstone<PersonId>) => ({
        project_id: projectId,
        id,
        created_at: NEVER,
        properties: {},
        is_identified: false,
        is_deleted: true,
        version,
      })
      await clickHouse.insert({ table: "persons", rows: persons.map(toTombstone) })
      crashPoints?.hit("after-deletion-tombstones")
      const freed = distinctIds.map(({ id, personId, version }) => ({
        project_id: projectId,
        distinct_id: id,
        person_id: personId,
        is_deleted: true,
        version,
      }))
      if (freed.length === 0) return
      await clickHouse.insert({ table: "person_distinct_ids", rows: freed })
      await clickHouse.insert({ table: "person_distinct_id_overrides", rows: freed })
    },

    /**
     * Deletes events and recordings as far as that was asked for, and all versions of the persons before the tombstones, which the
     * engine would keep, with all their properties, until it happens to merge parts. @returns whether nothing is left.
     */
    async deleteData(deletion: RequestedDeletion): Promise<boolean> {
      const { projectId, distinctIds, requestedAtMs } = deletion
      const ids = distinctIds.map(({ id }) => id)
      const outcomes = await Promise.all([
        remove(deletion, toVersions("persons", "id", "person", "<")),
        !deletion.deleteEvents || deleteEvents(deletion),
        !deletion.deleteRecordings || deleteRecordings(projectId, ids, requestedAtMs),
      ])
      return !outcomes.includes(false)
    },

    /** Deletes the tombstones, once nothing can be stored any more that they would have to outrank. @returns whether none is left. */
    async deleteTombstones(deletion: RequestedDeletion): Promise<boolean> {
      const outcomes = await Promise.all([
        ...VERSIONED.map(([table, column, kind]) => remove(deletion, toVersions(table, column, kind, "<="))),
        remove(deletion, { table: "cohort_people", condition: FORMER_MEMBERS, parameters: {} }),
      ])
      return !outcomes.includes(false)
    },
  }
}

/** Rows of the ids of a deletion with versions up to those of their tombstones. */
const toVersions = (
  table: string,
  column: string,
  kind: DeletionId["kind"],
  comparison: "<" | "<=",
): Omit<MutatedRows, "name"> => ({
  table,
  condition: `(${column}, version) IN (${selectVersions(`stored.${column}, stored.version`, table, column, kind)}
    AND stored.version ${comparison} listed.version)`,
  parameters: {},
})
