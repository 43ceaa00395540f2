import type { Pool } from "pg"
import type { UserId } from "../../../kernel/ids.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"

/** A session as every request looks it up. */
export interface StoredSession {
  readonly id: string
  readonly userId: UserId
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number
  readonly lastUsedAtMs: number
}

const FIND = `
  SELECT id, user_id AS "userId", (extract(epoch FROM expires_at) * 1000)::float8 AS "expiresAtMs",
    (extract(epoch FROM last_used_at) * 1000)::float8 AS "lastUsedAtMs"
  FROM browser_session WHERE hash = $1`

const TOUCH = `
  UPDATE browser_session SET last_used_at = to_timestamp($2 / 1000.0), expires_at = to_timestamp($3 / 1000.0)
  WHERE id = $1 AND last_used_at <= to_timestamp($4 / 1000.0)`

export type SessionStore = ReturnType<typeof createSessionStore>

/** Reads on the path of every request of a browser, as prepared statements on the plain pool. */
export function createSessionStore(pool: Pool) {
  return {
    /** The session of a token with this hash, ended by time or not; null when there is none. */
    find: (hash: string): Promise<StoredSession | null> =>
      whenReachable(async () => {
        const { rows } = await pool.query<StoredSession>({ name: "sign-in.findSession", text: FIND, values: [hash] })
        return rows[0] ?? null
      }),
    /** Moves the end of a session on, unless somebody else did so since `notAfterMs`. */
    touch: async (id: string, usedAtMs: number, expiresAtMs: number, notAfterMs: number): Promise<void> => {
      await pool.query(TOUCH, [id, usedAtMs, expiresAtMs, notAfterMs])
    },
  }
}
