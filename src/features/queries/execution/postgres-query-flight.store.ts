import { createHash } from "node:crypto"
import type { Pool, PoolClient } from "pg"
import type { QueryFlights } from "./query-flights.types.js"

/** Waits at once, each of which occupies a connection; beyond that callers calculate for themselves. */
const MAX_WAITING = 4
/** A wait that its caller has given up keeps its connection no longer than this. */
const WAIT_SLICE = "2s"
const LOCK_NOT_AVAILABLE = "55P03"

interface Session {
  readonly client: Promise<PoolClient>
  readonly onError: () => void
  flights: number
  isBroken: boolean
}

/**
 * Flights as advisory locks of PostgreSQL. All that a process has belong to one session, taken from the pool for as long
 * as there are any: when the process dies the session ends, and PostgreSQL itself wakes up who waits. Nothing is written.
 */
export function createPostgresQueryFlights(pool: Pool, onFailure: (failure: unknown) => void): QueryFlights {
  let current: Session | null = null
  let waiting = 0

  function open(): Session {
    const onError = (): void => breakOff(session)
    const session: Session = { client: pool.connect(), onError, flights: 0, isBroken: false }
    // The pool listens to idle clients only; a client in use that loses its connection would otherwise end the process.
    session.client.then((client) => client.on("error", onError), onError)
    return session
  }

  /** Later flights get another session; the locks of this one go with it once all its flights have ended. */
  function breakOff(session: Session): void {
    session.isBroken = true
    if (current === session) current = null
  }

  function leave(session: Session): void {
    if (--session.flights > 0) return
    if (current === session) current = null
    const giveBack = (client: PoolClient): void => {
      client.off("error", session.onError)
      client.release(session.isBroken)
    }
    session.client.then(giveBack, () => undefined)
  }

  /** What a lock function answers; undefined, with the failure told, when the session is of no more use. */
  async function ask(session: Session, call: string, lock: string): Promise<boolean | undefined> {
    try {
      const client = await session.client
      const { rows } = await client.query<{ done: boolean }>(`SELECT ${call}($1::bigint) AS done`, [lock])
      return rows[0]?.done
    } catch (failure) {
      breakOff(session)
      onFailure(failure)
      return undefined
    }
  }

  return {
    async begin(key) {
      const lock = lockOf(key)
      current ??= open()
      const session = current
      session.flights++
      if ((await ask(session, "pg_try_advisory_lock", lock)) === false) {
        leave(session)
        return null
      }
      return async () => {
        if (!session.isBroken) await ask(session, "pg_advisory_unlock", lock)
        leave(session)
      }
    },

    async ended(key, signal) {
      if (waiting >= MAX_WAITING) return
      waiting++
      const lock = lockOf(key)
      const isOver = async (): Promise<boolean> => {
        try {
          // Two statements of one message are one transaction, which ends with them, well or not.
          await pool.query(`SET LOCAL lock_timeout = '${WAIT_SLICE}'; SELECT pg_advisory_xact_lock_shared(${lock})`)
          return true
        } catch (failure) {
          if ((failure as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return false
          onFailure(failure)
          return true
        }
      }
      try {
        while (!(await abortable(isOver(), signal)));
      } finally {
        waiting--
      }
    },
  }
}

/** Locks have numbers of 64 bits. Two keys with the same one only wait for each other. */
const lockOf = (key: string): string => createHash("sha256").update(key).digest().readBigInt64BE().toString()

async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const left = Promise.withResolvers<never>()
  const leave = (): void => left.reject(signal.reason)
  signal.addEventListener("abort", leave, { once: true })
  try {
    if (signal.aborted) leave()
    return await Promise.race([work, left.promise])
  } finally {
    signal.removeEventListener("abort", leave)
  }
}
