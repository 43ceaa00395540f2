import type { Pool } from "pg"
import type { PersonId, ProjectId } from "../../../kernel/ids.js"
import { derivePersonId } from "../person-uuid.js"
import type { RequestedDeletion } from "./deletion-copies.store.js"

/** A deletion that is under way, and how far it is. */
export interface PendingDeletion extends RequestedDeletion {
  /** Whether queries have been told for good: nothing can be stored any more that tombstones would have to outrank. */
  readonly isHidden: boolean
  /** Of the persons, in lower case. */
  readonly emails: readonly string[]
  /** Runs of queries that may have read the persons when the last of them was gone; null before. */
  readonly awaitedRuns: readonly string[] | null
  /** Whether events that were accepted before it may still wait in the log. */
  readonly isEarly: boolean
}

interface DeletionRow
  extends Omit<PendingDeletion, "requestId" | "persons" | "distinctIds" | "merged" | "emails" | "isEarly"> {
  readonly personId: PersonId
  readonly version: number
  readonly email: string | null
  readonly distinctIds: readonly { readonly distinctId: string; readonly version: number }[]
}

/** Longest pauses between two looks at a deletion: the first is a second, each later one twice as long. */
export const LONGEST_PAUSE_SECONDS = { unfinished: 30, refused: 3_600 } as const
const MAX_DOUBLINGS = 12

const LIST_DUE = "SELECT DISTINCT request_id::text AS id FROM person_deletion WHERE due_at <= $1 ORDER BY id"
const READ = `SELECT project_id AS "projectId", person_id AS "personId", email, version::float8, distinct_ids AS "distinctIds",
    delete_events AS "deleteEvents", delete_recordings AS "deleteRecordings", is_hidden AS "isHidden",
    awaited_runs AS "awaitedRuns", (extract(epoch FROM requested_at) * 1000)::float8 AS "requestedAtMs"
  FROM person_deletion WHERE request_id = $1 ORDER BY id`
const IS_EARLY = `SELECT EXISTS (SELECT FROM ingest_log
  WHERE project_id = $1 AND received_at <= to_timestamp($2::float8 / 1000)) AS "isEarly"`
const READ_MERGED = `SELECT id, version::float8 FROM person
  WHERE project_id = $1 AND id = ANY ($2::uuid[]) AND id <> ALL ($3::uuid[]) AND is_deleted`
const DELAY = `UPDATE person_deletion SET attempts = attempts + 1,
    due_at = $2::timestamptz + make_interval(secs => least(2 ^ least(attempts, ${MAX_DOUBLINGS}), $3))
  WHERE request_id = $1`

/** Deletions that are not done yet, by request: all persons of one request are of one project. */
export const createDeletionQueue = (pool: Pool) => ({
  /** Ids of the requests that are to be worked on, the oldest first. */
  async listDue(nowMs: number): Promise<string[]> {
    return (await pool.query<{ id: string }>(LIST_DUE, [new Date(nowMs)])).rows.map(({ id }) => id)
  },

  /** Null when somebody else has finished it meanwhile. */
  async read(requestId: string): Promise<PendingDeletion | null> {
    const { rows } = await pool.query<DeletionRow>(READ, [requestId])
    const [first] = rows
    if (first === undefined) return null
    const { projectId, requestedAtMs } = first
    const persons = rows.map(({ personId, version }) => ({ id: personId, version }))
    const distinctIds = rows.flatMap(({ personId, distinctIds: ids }) =>
      ids.map(({ distinctId, version }) => ({ id: distinctId, personId, version })),
    )
    return {
      ...first,
      requestId,
      persons,
      distinctIds,
      emails: rows.flatMap(({ email }) => email ?? []),
      merged: await readMerged(pool, projectId, persons, distinctIds),
      isEarly: (await pool.query(IS_EARLY, [projectId, requestedAtMs])).rows[0]?.isEarly === true,
    }
  },

  async markHidden(requestId: string): Promise<void> {
    await pool.query("UPDATE person_deletion SET is_hidden = true WHERE request_id = $1", [requestId])
  },

  /** Has a deletion wait before it is looked at again. */
  async delay(requestId: string, nowMs: number, longestSeconds: number): Promise<void> {
    await pool.query(DELAY, [requestId, new Date(nowMs), longestSeconds])
  },
})

/** Persons of these ids that were merged into others before. */
async function readMerged(
  pool: Pool,
  projectId: ProjectId,
  persons: readonly { readonly id: PersonId }[],
  distinctIds: readonly { readonly id: string }[],
): Promise<PendingDeletion["merged"]> {
  const candidates = distinctIds.map(({ id }) => derivePersonId(projectId, id))
  const values = [projectId, candidates, persons.map(({ id }) => id)]
  return (await pool.query<{ id: PersonId; version: number }>(READ_MERGED, values)).rows
}
