import type { PoolClient } from "pg"
import type { NewUuid } from "./batch.types.js"

const DAY_MS = 86_400_000
/** Deduplication promises seven days. One more is kept because the first and the current day are not whole. */
const KEPT_DAYS = 8
const DELETED_PER_STATEMENT = 20_000

const ASKED = `unnest(string_to_array($1, ',')::int[], string_to_array($2, ',')::uuid[]) WITH ORDINALITY
  AS given (project_id, uuid, place)`

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/**
 * Inserts the uuids of events, no two of them equal but for retried ones, whose uuids are noted already: they are passed over.
 * Only the owner of a project's shard writes them, so nobody comes between looking and writing; ON CONFLICT would cost half as
 * much again.
 * @returns the indexes of those that their project has already.
 */
export async function insertUuids(
  client: PoolClient,
  events: readonly NewUuid[],
  nowMs: number,
): Promise<ReadonlySet<number>> {
  if (!events.some(({ isRetried }) => isRetried)) return insertNewUuids(client, events, nowMs)
  const places = events.flatMap(({ isRetried }, index) => (isRetried ? [] : [index]))
  const known = await insertNewUuids(
    client,
    events.filter(({ isRetried }) => !isRetried),
    nowMs,
  )
  return new Set(places.filter((_, place) => known.has(place)))
}

async function insertNewUuids(
  client: PoolClient,
  events: readonly NewUuid[],
  nowMs: number,
): Promise<ReadonlySet<number>> {
  if (events.length === 0) return new Set()
  // One text each instead of arrays: uuids and numbers need no quoting, which is most of the cost of an array parameter.
  const projectIds = events.map(({ projectId }) => projectId).join()
  const uuids = events.map(({ uuid }) => uuid).join()
  const { rowCount } = await client.query(
    `INSERT INTO event_uuid (project_id, uuid, seen_on) SELECT project_id, uuid, $3::date FROM ${ASKED}
      WHERE NOT EXISTS (SELECT FROM event_uuid AS known
                         WHERE known.project_id = given.project_id AND known.uuid = given.uuid)`,
    [projectIds, uuids, toDay(nowMs)],
  )
  // A row that this transaction did not write was there before.
  if (rowCount === events.length) return new Set()
  const { rows } = await client.query<{ index: number }>(
    `SELECT place::int - 1 AS index FROM ${ASKED} JOIN event_uuid AS known USING (project_id, uuid)
      WHERE known.xmin <> pg_current_xact_id()::xid`,
    [projectIds, uuids],
  )
  return new Set(rows.map(({ index }) => index))
}

/**
 * Forgets some uuids that are older than the window, unless a dead letter of theirs may still be put back: few enough at a time
 * that nobody waits long.
 * @returns whether there may be more.
 */
export async function forgetOldUuids(client: PoolClient, nowMs: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `DELETE FROM event_uuid WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM event_uuid WHERE seen_on < $1::date AND NOT EXISTS (
         SELECT FROM ingest_dead_letter AS letter
          WHERE letter.project_id = event_uuid.project_id AND letter.noted_uuid = event_uuid.uuid)
        LIMIT $2))`,
    [toDay(nowMs - KEPT_DAYS * DAY_MS), DELETED_PER_STATEMENT],
  )
  return rowCount === DELETED_PER_STATEMENT
}
