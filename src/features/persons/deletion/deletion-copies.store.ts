import type { Pool } from "pg"
import type { CrashPoints } from "../../../kernel/crash-points.js"
import type { PersonId, ProjectId } from "../../../kernel/ids.js"
import { toDateTimeText } from "../../../kernel/time-text.js"
import { type ClickHouse, EngineError } from "../../../platform/clickhouse/click-house.js"
import { derivePersonId } from "../person-uuid.js"
import type { DeleteRecordings } from "../persons.types.js"

interface Deletion {
  readonly id: string
  readonly projectId: ProjectId
  readonly personId: PersonId
  readonly version: number
  readonly distinctIds: readonly { readonly distinctId: string; readonly version: number }[]
  readonly deleteEvents: boolean
  readonly deleteRecordings: boolean
  readonly requestedAtMs: number
  readonly isEarly: boolean
}

export interface ApplyDeletionsDependencies {
  readonly pool: Pool
  readonly clickHouse: Pick<ClickHouse, "insert" | "rows" | "command">
  readonly deleteRecordings: DeleteRecordings
  /** Null in every process that is not made to die. */
  readonly crashPoints: CrashPoints | null
}

const MAX_DELETIONS_AT_ONCE = 1000
/** Events that were accepted before a deletion may still wait in the log: then the deletion has to be applied once more. */
const PENDING = `SELECT id, project_id AS "projectId", person_id AS "personId", version::float8, distinct_ids AS "distinctIds",
    delete_events AS "deleteEvents", delete_recordings AS "deleteRecordings", (extract(epoch FROM requested_at) * 1000)::float8 AS "requestedAtMs",
    (delete_events OR delete_recordings) AND EXISTS (SELECT FROM ingest_log
                               WHERE ingest_log.project_id = person_deletion.project_id
                                 AND received_at <= requested_at) AS "isEarly"
  FROM person_deletion WHERE id > $1 ORDER BY id LIMIT ${MAX_DELETIONS_AT_ONCE}`
const NEVER = "1970-01-01 00:00:00"

/**
 * Applies deletions to ClickHouse. Every step is idempotent: after a crash all of it is done again. The engine keeps a mutation
 * that deletes events and finishes it, also over a restart of its own. What the engine refuses of one project holds up no other.
 * @throws the first refusal, once everything else is applied; anything else at once, as it would fail for everybody.
 */
export async function applyDeletions(dependencies: ApplyDeletionsDependencies): Promise<void> {
  let last = "0"
  let refusal: EngineError | null = null
  for (;;) {
    const { rows } = await dependencies.pool.query<Deletion>(PENDING, [last])
    for (const group of Map.groupBy(rows, ({ projectId, requestedAtMs }) => `${projectId} ${requestedAtMs}`).values())
      try {
        await apply(dependencies, group)
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        refusal ??= error
      }
    if (rows.length < MAX_DELETIONS_AT_ONCE) break
    last = rows.at(-1)?.id ?? last
  }
  if (refusal !== null) throw refusal
}

/** Deletions of one project at one time: their events go in one pass over the table. */
async function apply(dependencies: ApplyDeletionsDependencies, deletions: readonly Deletion[]): Promise<void> {
  const { pool, clickHouse, deleteRecordings, crashPoints } = dependencies
  const [first] = deletions
  if (first === undefined) return
  await clickHouse.insert({ table: "persons", rows: deletions.map(toTombstone) })
  crashPoints?.hit("after-deletion-tombstones")
  const freed = deletions.flatMap(toFreedIds)
  if (freed.length > 0) {
    await clickHouse.insert({ table: "person_distinct_ids", rows: freed })
    await clickHouse.insert({ table: "person_distinct_id_overrides", rows: freed })
  }
  await deleteOlderCopies(dependencies, first.projectId, deletions)
  const withEvents = deletions.filter(({ deleteEvents }) => deleteEvents)
  if (withEvents.length > 0) await deleteEvents(dependencies, first, withEvents)
  const recorded = deletions.filter((deletion) => deletion.deleteRecordings)
  if (recorded.length > 0) await deleteRecordings(first.projectId, recorded.flatMap(toIds), first.requestedAtMs)
  const done = deletions.filter(({ isEarly }) => !isEarly)
  await pool.query("DELETE FROM person_deletion WHERE id = ANY ($1::bigint[])", [done.map(({ id }) => id)])
}

const toIds = ({ distinctIds }: Deletion): string[] => distinctIds.map(({ distinctId }) => distinctId)

const toTombstone = ({ projectId, personId, version }: Deletion) => ({
  project_id: projectId,
  id: personId,
  created_at: NEVER,
  properties: {},
  is_identified: false,
  is_deleted: true,
  version,
})

const toFreedIds = ({ projectId, personId, distinctIds }: Deletion) =>
  distinctIds.map(({ distinctId, version }) => ({
    project_id: projectId,
    distinct_id: distinctId,
    person_id: personId,
    is_deleted: true,
    version,
  }))

/**
 * Deletes the versions before the tombstones: the engine would keep them, with all their properties, until it happens to merge
 * parts. Persons that were merged into the deleted ones have left such versions too.
 */
async function deleteOlderCopies(
  { pool, clickHouse }: ApplyDeletionsDependencies,
  projectId: ProjectId,
  deletions: readonly Deletion[],
): Promise<void> {
  const mergedIds = deletions.flatMap(({ distinctIds }) =>
    distinctIds.map(({ distinctId }) => derivePersonId(projectId, distinctId)),
  )
  const { rows: merged } = await pool.query<{ personId: PersonId; version: number }>(
    `SELECT id AS "personId", version::float8 FROM person WHERE project_id = $1 AND id = ANY ($2::uuid[]) AND is_deleted`,
    [projectId, mergedIds],
  )
  const bounds = new Map([...merged, ...deletions].map(({ personId, version }) => [personId, version]))
  await clickHouse.command({
    sql: `ALTER TABLE persons DELETE WHERE project_id = {project:Int64} AND id IN {persons:Array(UUID)}
            AND version < arrayElement({versions:Array(UInt64)}, indexOf({persons:Array(UUID)}, id))`,
    parameters: { project: projectId, persons: [...bounds.keys()], versions: [...bounds.values()] },
  })
}

/**
 * Deletes the events of the persons' ids, and those stored under the persons' uuids by ids that nobody has. An id that a
 * split gave to another person keeps its events, although the older ones carry the uuid.
 */
async function deleteEvents(
  { pool, clickHouse }: ApplyDeletionsDependencies,
  { projectId, requestedAtMs }: Pick<Deletion, "projectId" | "requestedAtMs">,
  deletions: readonly Deletion[],
): Promise<void> {
  const ids = deletions.flatMap(toIds)
  const scope = { project: projectId, persons: deletions.map(({ personId }) => personId), ids }
  const found = await clickHouse.rows<{ distinct_id: string }>({
    sql: `SELECT DISTINCT distinct_id FROM events
           WHERE project_id = {project:Int64} AND person_id IN {persons:Array(UUID)} AND distinct_id NOT IN {ids:Array(String)}`,
    parameters: scope,
  })
  const { rows } = await pool.query<{ id: string }>(
    `SELECT found.id FROM unnest($2::text[]) AS found (id)
      WHERE NOT EXISTS (SELECT FROM person_distinct_id AS owner
                         WHERE owner.project_id = $1 AND owner.distinct_id = found.id AND owner.person_id IS NOT NULL)`,
    [projectId, found.map(({ distinct_id }) => distinct_id)],
  )
  await clickHouse.command({
    sql: `ALTER TABLE events DELETE WHERE project_id = {project:Int64} AND created_at <= {until:DateTime64(3, 'UTC')}
            AND (distinct_id IN {ids:Array(String)}
                 OR (person_id IN {persons:Array(UUID)} AND distinct_id IN {orphans:Array(String)}))`,
    parameters: {
      ...scope,
      orphans: rows.map(({ id }) => id),
      until: toDateTimeText(requestedAtMs),
    },
  })
}
