import type { PoolClient } from "pg"
import type { PersonId, ProjectId } from "../../../kernel/ids.js"
import { lockPersons } from "../batch/person-lock.store.js"
import type { DeletedPersons, DeletionExtent, PersonDeletionListener } from "../persons.types.js"
import { TOMBSTONE_VERSION_STEP } from "../process/person-registry.js"
import { createPendingDeletions, type PendingDeletionsDependencies } from "./pending-deletions.store.js"

export interface PersonDeletionsDependencies extends PendingDeletionsDependencies {
  readonly listeners: readonly PersonDeletionListener[]
}

const DELETE_PERSONS = `
  WITH named AS (SELECT id, email FROM person WHERE project_id = $1 AND id = ANY ($2::uuid[]) AND NOT is_deleted),
  deleted AS (
    UPDATE person SET properties = '{}', email = NULL, is_identified = false, is_deleted = true, version = version + $3
     WHERE project_id = $1 AND id = ANY ($2::uuid[]) AND NOT is_deleted RETURNING id, version),
  freed AS (
    UPDATE person_distinct_id AS owner SET person_id = NULL, version = owner.version + $3 FROM deleted
     WHERE owner.project_id = $1 AND owner.person_id = deleted.id
    RETURNING deleted.id AS person_id, owner.distinct_id, owner.version),
  request AS MATERIALIZED (SELECT nextval('person_deletion_request') AS id),
  personless AS (
    DELETE FROM personless_distinct_id WHERE project_id = $1 AND distinct_id IN (SELECT distinct_id FROM freed))
  INSERT INTO person_deletion
    (request_id, project_id, person_id, email, version, delete_events, delete_recordings, requested_at, distinct_ids)
  SELECT (SELECT id FROM request), $1, id, email, version, $4, $5, $6,
         coalesce((SELECT jsonb_agg(jsonb_build_object('distinctId', freed.distinct_id, 'version', freed.version))
                     FROM freed WHERE freed.person_id = deleted.id), '[]')
    FROM deleted JOIN named USING (id)
  RETURNING person_id AS "personId", email, distinct_ids AS "distinctIds"`

export type PersonDeletions = ReturnType<typeof createPersonDeletions>

/**
 * Deletes persons for good: in PostgreSQL at once, leaving tombstones and a row for what ClickHouse has yet to apply; in ClickHouse
 * right after, or later when it is away. Tombstones outrank whatever was written before, and are outranked by persons
 * who use the ids later.
 */
export function createPersonDeletions(dependencies: PersonDeletionsDependencies) {
  const { database, listeners, answers, crashPoints } = dependencies
  return {
    /** What is left to do once PostgreSQL has committed. */
    ...createPendingDeletions(dependencies),

    /**
     * Deletes persons, and of their ids the events that were accepted and the recordings that began before `nowMs`, as far as
     * `extent` says so. Their ids may be used again at once. Answers how many of them there were.
     */
    async request(
      projectId: ProjectId,
      personIds: readonly PersonId[],
      extent: DeletionExtent,
      nowMs: number,
    ): Promise<number> {
      const count = await database.transaction(async (client) => {
        const deleted = await deletePersons(client, { projectId, personIds, extent, nowMs })
        if (deleted === null) return 0
        for (const listener of listeners) await listener(client, deleted)
        await answers.forget(client, deleted)
        return deleted.personIds.length
      })
      crashPoints?.hit("after-deletion-commit")
      return count
    },
  }
}

interface DeletionRequest {
  readonly projectId: ProjectId
  readonly personIds: readonly PersonId[]
  readonly extent: DeletionExtent
  readonly nowMs: number
}

/** Null when there are no such persons. */
async function deletePersons(
  client: PoolClient,
  { projectId, personIds, extent, nowMs }: DeletionRequest,
): Promise<DeletedPersons | null> {
  await lockPersons(client, [projectId])
  type DeletedRow = {
    readonly personId: PersonId
    readonly email: string | null
    readonly distinctIds: readonly { readonly distinctId: string }[]
  }
  const values = [projectId, personIds, TOMBSTONE_VERSION_STEP, extent.events, extent.recordings, new Date(nowMs)]
  const { rows } = await client.query<DeletedRow>(DELETE_PERSONS, values)
  if (rows.length === 0) return null
  return {
    projectId,
    personIds: rows.map(({ personId }) => personId),
    distinctIds: rows.flatMap(({ distinctIds }) => distinctIds.map(({ distinctId }) => distinctId)),
    emails: rows.flatMap(({ email }) => email ?? []),
    deletesEvents: extent.events,
    requestedAtMs: nowMs,
  }
}
