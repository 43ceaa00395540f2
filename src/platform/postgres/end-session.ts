import type { PoolClient } from "pg"

/** Gives up all locks of the session behind `client` and ends it. When it resolves, others can have them. Never rejects. */
export async function endSession(client: PoolClient): Promise<void> {
  try {
    // PostgreSQL notices the end of a connection a moment later, and who comes in that moment finds the locks held.
    await client.query("SELECT pg_advisory_unlock_all()")
  } catch {
    // The connection is lost, and they are given up with it.
  }
  client.release(true)
}
