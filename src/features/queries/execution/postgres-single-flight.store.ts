import { createHash } from "node:crypto"
import type { Pool, PoolClient } from "pg"
import { abortable } from "./abortable.js"
import type { SingleFlight } from "./single-flight.types.js"

/** Waits at the same time, each of which occupies a connection; further callers execute the query themselves. */
const MAX_WAITING = 4
/** After its caller has left, a wait occupies its connection no longer than this. */
const LOCK_TIMEOUT = "2s"
const LOCK_NOT_AVAILABLE = "55P03"

interface Session {
  readonly client: Promise<PoolClient>
  readonly onError: () => void
  claims: number
  isBroken: boolean
}

/**
 * Claims as advisory locks of PostgreSQL. All locks of a process belong to one session, taken from the pool for as long as
 * there are any: when the process dies the session ends, and PostgreSQL itself wakes up who waits. Nothing is written.
 */
export function createPostgresSingleFlight(
  pool: Pool,
  onFailure: (failure: unknown) => void,
): Pick<SingleFlight, "claim" | "waitForRelease"> {
  let current: Session | null = null
  let waiting = 0

  function openSession(): Session {
    const onError = (): void => breakOff(session)
    const session: Session = { client: pool.connect(), onError, claims: 0, isBroken: false }
    // The pool listens to idle clients only; a client in use that loses its connection would otherwise end the process.
    session.client.then((client) => client.on("error", onError), onError)
    return session
  }

  /** Later claims get another session; the locks of this one go with it once all its claims have been released. */
  function breakOff(session: Session): void {
    session.isBroken = true
    if (current === session) current = null
  }

  function leave(session: Session): void {
    if (--session.claims > 0) return
    if (current === session) current = null
    const giveBack = (client: PoolClient): void => {
      client.off("error", session.onError)
      client.release(session.isBroken)
    }
    session.client.then(giveBack, () => undefined)
  }

  /** The result of a lock function; undefined when the session is broken. */
  async function callLock(session: Session, name: string, lock: string): Promise<boolean | undefined> {
    try {
      const client = await session.client
      const { rows } = await client.query<{ done: boolean }>(`SELECT ${name}($1::bigint) AS done`, [lock])
      return rows[0]?.done
    } catch (failure) {
      breakOff(session)
      onFailure(failure)
      return undefined
    }
  }

  /** Waits for as long as a connection may be occupied. True once nobody holds the lock, or when that cannot be asked. */
  async function awaitLock(lock: string): Promise<boolean> {
    try {
      // Two statements of one message are one transaction, which ends with them, well or not.
      await pool.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'; SELECT pg_advisory_xact_lock_shared(${lock})`)
      return true
    } catch (failure) {
      if ((failure as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return false
      onFailure(failure)
      return true
    }
  }

  return {
    async claim(key) {
      const lock = toLock(key)
      current ??= openSession()
      const session = current
      session.claims++
      if ((await callLock(session, "pg_try_advisory_lock", lock)) === false) {
        leave(session)
        return null
      }
      return async () => {
        if (!session.isBroken) await callLock(session, "pg_advisory_unlock", lock)
        leave(session)
      }
    },

    async waitForRelease(key, signal) {
      if (waiting >= MAX_WAITING) return
      waiting++
      try {
        while (!(await abortable(awaitLock(toLock(key)), signal)));
      } finally {
        waiting--
      }
    },
  }
}

/** Locks have numbers of 64 bits. Two keys with the same one only wait for each other. */
const toLock = (key: string): string => createHash("sha256").update(key).digest().readBigInt64BE().toString()
