import type { ClientBase } from "pg"
import type { ClickHouse } from "../platform/clickhouse/click-house.js"
import { withPostgres } from "../platform/postgres/with-postgres.js"
import { dropSnapshots } from "./click-house-tables.js"

const TRY_LOCK = `SELECT pg_try_advisory_lock(hashtextextended('waymark backup', 0)) AS "isLocked"`

/** Whether the session is now the one that may make a backup; it is until it ends. */
export async function locksBackups(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ isLocked: boolean }>(TRY_LOCK)
  return rows[0]?.isLocked === true
}

/** Gives up what a backup that was killed keeps of the tables as they were, which would take more and more room. */
export function dropLeftSnapshots(postgresUrl: string, clickHouse: ClickHouse): Promise<void> {
  return withPostgres(postgresUrl, "waymark backup", async (client) => {
    if (await locksBackups(client)) await dropSnapshots(clickHouse)
  })
}
