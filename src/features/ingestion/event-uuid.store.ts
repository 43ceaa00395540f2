import type { PoolClient } from "pg"
import type { LoggedEvent } from "./ingestion.types.js"

const DAY_MS = 86_400_000
/** Deduplication promises seven days; the day of storing and the running one are cut off, so one more is kept. */
const KEPT_DAYS = 8
const DELETED_PER_STATEMENT = 20_000

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Remembers the uuids of events and answers the indexes of those that their project has already. */
export async function keepUuids(
  client: PoolClient,
  events: readonly LoggedEvent[],
  nowMs: number,
): Promise<ReadonlySet<number>> {
  if (events.length === 0) return new Set()
  const { rows } = await client.query<{ index: number }>(
    `WITH asked AS MATERIALIZED (SELECT * FROM unnest($1::int[], $2::uuid[]) WITH ORDINALITY AS row (project_id, uuid, place)),
          kept AS (INSERT INTO event_uuid (project_id, uuid, seen_on) SELECT project_id, uuid, $3::date FROM asked
                   ON CONFLICT DO NOTHING RETURNING project_id, uuid)
     SELECT place::int - 1 AS index FROM asked LEFT JOIN kept USING (project_id, uuid) WHERE kept.uuid IS NULL`,
    [events.map(({ projectId }) => projectId), events.map(({ uuid }) => uuid), toDay(nowMs)],
  )
  return new Set(rows.map(({ index }) => index))
}

/**
 * Forgets some uuids that are older than the window, so many at a time that nobody waits long.
 * @returns whether there may be more.
 */
export async function forgetOldUuids(client: PoolClient, nowMs: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `DELETE FROM event_uuid WHERE ctid = ANY (ARRAY(SELECT ctid FROM event_uuid WHERE seen_on < $1::date LIMIT $2))`,
    [toDay(nowMs - KEPT_DAYS * DAY_MS), DELETED_PER_STATEMENT],
  )
  return rowCount === DELETED_PER_STATEMENT
}
