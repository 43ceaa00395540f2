import type { Pool, PoolClient, PoolConfig } from "pg"
import type { Logger } from "../logger/logger.js"
import { isConnectionLoss, toStoreFault } from "./connection-loss.js"
import { createPool } from "./trace-statements.js"

/** Time to get a connection, waiting for a free one included. */
const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 30_000
/** The client gives up a little later than the server, so that it does so only when the server is out of reach. */
const READ_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000

/** Settings of every connection that serves requests. */
export const CONNECTION_SETTINGS = {
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  query_timeout: READ_TIMEOUT_MS,
  keepAlive: true,
  application_name: "waymark",
} satisfies PoolConfig

/**
 * Opens a pool that logs the loss of a connection instead of ending the process, and connects again when it is next used.
 * `settings` are for connections that differ from all others.
 */
export function openPool(url: string, size: number, logger: Logger, settings: PoolConfig = {}): Pool {
  const pool = createPool({ ...CONNECTION_SETTINGS, ...settings, connectionString: url, max: size })
  pool.on("error", (error) => {
    // While the pool is being closed that is what happens to every connection.
    if (!pool.ending) logger.warn("an idle PostgreSQL connection was lost", { err: error })
  })
  return pool
}

/**
 * Runs `work` in one transaction: commits when it resolves, rolls back and rejects with the same error when it rejects.
 * A connection that was lost on the way is thrown away.
 * @throws AppError store_unavailable when PostgreSQL cannot be reached. The outcome is unknown if that happens at commit.
 */
export async function runTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw toStoreFault(error)
  })
  let broken = false
  // The pool listens to idle clients only; a client in use that loses its connection would otherwise end the process.
  const onError = (): void => {
    broken = true
  }
  client.on("error", onError)
  try {
    await client.query("begin")
    const result = await work(client)
    await client.query("commit")
    return result
  } catch (error) {
    broken ||= isConnectionLoss(error) || !(await rollsBack(client))
    throw toStoreFault(error)
  } finally {
    client.off("error", onError)
    client.release(broken)
  }
}

async function rollsBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query("rollback")
    return true
  } catch {
    return false
  }
}
