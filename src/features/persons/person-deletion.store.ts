import type { Pool, PoolClient } from "pg"
import type { PersonId, ProjectId } from "../../kernel/ids.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import type { Database } from "../../platform/postgres/database.types.js"
import { lockPersons } from "./person-lock.store.js"
import type { PersonDeletions } from "./persons.types.js"
import { TOMBSTONE_VERSION_STEP } from "./process/person-registry.js"

interface Deletion {
  readonly id: string
  readonly projectId: ProjectId
  readonly personId: PersonId
  readonly version: number
  readonly distinctIds: readonly { readonly distinctId: string; readonly version: number }[]
  readonly deleteEvents: boolean
  readonly requestedAtMs: number
}

const PENDING = `SELECT id, project_id AS "projectId", person_id AS "personId", version::float8, distinct_ids AS "distinctIds",
    delete_events AS "deleteEvents", (extract(epoch FROM requested_at) * 1000)::float8 AS "requestedAtMs"
  FROM person_deletion ORDER BY id LIMIT 100`
const NEVER = "1970-01-01 00:00:00"

/**
 * Deletes persons: in PostgreSQL at once, leaving tombstones and a note of what ClickHouse must hear; in ClickHouse right after,
 * or later when it is away. Tombstones outrank whatever was written before, and lose against whoever uses the ids anew.
 */
export function createPersonDeletions(
  { pool, transaction }: Pick<Database, "pool" | "transaction">,
  clickHouse: ClickHouse,
): PersonDeletions {
  return {
    request: (projectId, personId, deleteEvents, nowMs) =>
      transaction((client) => bury(client, { projectId, personId, deleteEvents, nowMs })),
    async applyPending() {
      const { rows } = await pool.query<Deletion>(PENDING)
      for (const deletion of rows) await apply(pool, clickHouse, deletion)
    },
  }
}

async function bury(
  client: PoolClient,
  asked: { projectId: ProjectId; personId: PersonId; deleteEvents: boolean; nowMs: number },
): Promise<boolean> {
  await lockPersons(client, [asked.projectId])
  const { rows } = await client.query<{ version: string }>(
    `UPDATE person SET properties = '{}', email = NULL, is_identified = false, is_deleted = true, version = version + $3
      WHERE project_id = $1 AND id = $2 AND NOT is_deleted RETURNING version`,
    [asked.projectId, asked.personId, TOMBSTONE_VERSION_STEP],
  )
  if (rows[0] === undefined) return false
  await client.query(
    `WITH freed AS (UPDATE person_distinct_id SET person_id = NULL, version = version + $3
                     WHERE project_id = $1 AND person_id = $2 RETURNING distinct_id, version)
     INSERT INTO person_deletion (project_id, person_id, version, delete_events, requested_at, distinct_ids)
     SELECT $1, $2, $4, $5, $6,
            coalesce((SELECT jsonb_agg(jsonb_build_object('distinctId', distinct_id, 'version', version)) FROM freed), '[]')`,
    [
      asked.projectId,
      asked.personId,
      TOMBSTONE_VERSION_STEP,
      rows[0].version,
      asked.deleteEvents,
      new Date(asked.nowMs),
    ],
  )
  return true
}

/** Every step may be repeated without harm, so a crash in between only means that all of it is done again. */
async function apply(pool: Pool, clickHouse: ClickHouse, deletion: Deletion): Promise<void> {
  const { id, projectId, personId, version, distinctIds, deleteEvents, requestedAtMs } = deletion
  const freed = distinctIds.map((row) => ({
    project_id: projectId,
    distinct_id: row.distinctId,
    person_id: personId,
    is_deleted: true,
    version: row.version,
  }))
  await clickHouse.insert({
    table: "persons",
    rows: [
      {
        project_id: projectId,
        id: personId,
        created_at: NEVER,
        properties: {},
        is_identified: false,
        is_deleted: true,
        version,
      },
    ],
  })
  if (freed.length > 0) {
    await clickHouse.insert({ table: "person_distinct_ids", rows: freed })
    await clickHouse.insert({ table: "person_distinct_id_overrides", rows: freed })
  }
  if (deleteEvents)
    await clickHouse.command({
      sql: `ALTER TABLE events DELETE WHERE project_id = {project:Int64} AND created_at <= {until:DateTime64(3, 'UTC')}
              AND (person_id = {person:UUID} OR distinct_id IN {ids:Array(String)})`,
      parameters: {
        project: projectId,
        person: personId,
        ids: distinctIds.map(({ distinctId }) => distinctId),
        until: new Date(requestedAtMs).toISOString().slice(0, -1).replace("T", " "),
      },
    })
  await pool.query("DELETE FROM person_deletion WHERE id = $1", [id])
}
