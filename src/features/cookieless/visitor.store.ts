import type { Pool, PoolClient } from "pg"
import type { Ids } from "../../platform/ids/ids.js"
import type { Visitor, VisitorStore } from "./cookieless.types.js"
import { oldestDay } from "./process/visit-day.js"

const SALT_BYTES = 16
/** Requests that came together may be committed in another order than they came in. */
const COMMIT_MARGIN_MS = 3_600_000
const DELETED_PER_STATEMENT = 20_000

/** A day's salt becomes durable, and known to all processes, by this; whoever comes first makes it. */
export type MakeSalts = (days: readonly string[]) => Promise<void>

/**
 * Makes salts on a connection of their own, so that they outlive whatever becomes of the batch that needs them. In the order of the
 * days, so that two processes that make the same days never deadlock.
 */
export const createSaltMaker =
  (pool: Pool, ids: Pick<Ids, "bytes">): MakeSalts =>
  async (days) => {
    await pool.query(
      `INSERT INTO cookieless_salt (day, salt) SELECT * FROM unnest($1::date[], $2::bytea[]) AS made (day, salt) ORDER BY day
         ON CONFLICT (day) DO NOTHING`,
      [days, days.map(() => ids.bytes(SALT_BYTES))],
    )
  }

type Queries = Pick<PoolClient, "query">

/** Visitors in PostgreSQL, inside the transaction that `client` is in. Only the owner of a project's shard writes its visitors. */
export const createVisitorStore = (client: Queries, makeSalts: MakeSalts): VisitorStore => ({
  findSalts: async (days) => {
    const known = await readSalts(client, days)
    const missing = days.filter((day) => !known.has(day))
    if (missing.length === 0) return known
    await makeSalts(missing)
    // Maybe not those that were made just now: another process may have come first.
    return readSalts(client, days)
  },
  load: async (keys) => {
    const { rows } = await client.query<Visitor>(
      `SELECT project_id AS "projectId", day::text, device_id AS "deviceId", logins, session_id AS "sessionId",
              (extract(epoch FROM last_seen_at) * 1000)::float8 AS "lastSeenMs"
         FROM cookieless_visitor
         JOIN (SELECT DISTINCT * FROM unnest($1::int[], $2::date[], $3::text[]) AS key (project_id, day, device_id)) AS wanted
        USING (project_id, day, device_id)`,
      [keys.map(({ projectId }) => projectId), keys.map(({ day }) => day), keys.map(({ deviceId }) => deviceId)],
    )
    return rows
  },
  save: async (visitors) => {
    await client.query(
      `INSERT INTO cookieless_visitor (project_id, day, device_id, logins, session_id, last_seen_at)
       SELECT * FROM unnest($1::int[], $2::date[], $3::text[], $4::int[], $5::uuid[], $6::timestamptz[])
       ON CONFLICT (day, project_id, device_id) DO UPDATE
         SET logins = excluded.logins, session_id = excluded.session_id, last_seen_at = excluded.last_seen_at`,
      [
        visitors.map(({ projectId }) => projectId),
        visitors.map(({ day }) => day),
        visitors.map(({ deviceId }) => deviceId),
        visitors.map(({ logins }) => logins),
        visitors.map(({ sessionId }) => sessionId),
        visitors.map(({ lastSeenMs }) => new Date(lastSeenMs).toISOString()),
      ],
    )
  },
})

async function readSalts(client: Queries, days: readonly string[]): Promise<Map<string, Buffer>> {
  const { rows } = await client.query<{ day: string; salt: Buffer }>(
    "SELECT day::text, salt FROM cookieless_salt WHERE day = ANY ($1::date[])",
    [days],
  )
  return new Map(rows.map(({ day, salt }) => [day, salt]))
}

/**
 * Forgets the salts of days of which no event can come any more, and some of their visitors: from then on nobody can compute an
 * id again, not even from the address. Requests that still wait in the log keep their days.
 * @returns whether there may be more.
 */
export async function forgetOldVisitors(client: PoolClient, nowMs: number): Promise<boolean> {
  const { rows } = await client.query<{ waitingMs: number }>(
    `SELECT (extract(epoch FROM received_at) * 1000)::float8 AS "waitingMs" FROM ingest_log ORDER BY id LIMIT 1`,
  )
  const keptFrom = oldestDay(Math.min(nowMs, rows[0]?.waitingMs ?? nowMs) - COMMIT_MARGIN_MS)
  await client.query("DELETE FROM cookieless_salt WHERE day < $1::date", [keptFrom])
  const { rowCount } = await client.query(
    "DELETE FROM cookieless_visitor WHERE ctid = ANY (ARRAY(SELECT ctid FROM cookieless_visitor WHERE day < $1::date LIMIT $2))",
    [keptFrom, DELETED_PER_STATEMENT],
  )
  return rowCount === DELETED_PER_STATEMENT
}
