import { Client } from "pg"
import { isConnectionLoss } from "../postgres/connection-loss.js"
import { connectToStore } from "./connect-to-store.js"
import type { AppliedMigration, MigrationLock, MigrationTarget } from "./migration.types.js"

const CONNECT_LIMITS = { connectionTimeoutMillis: 5_000, keepAlive: true }

/**
 * A lock held by a PostgreSQL session: it goes when the session goes, so a killed holder blocks nobody. It has a connection
 * of its own, as a migration may take longer than the statements that pools allow.
 * @throws StartupError when PostgreSQL cannot be reached.
 */
export function postgresLock(url: string, name: string): MigrationLock {
  return (work) =>
    withClient(url, async (client) => {
      await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [name])
      return work()
    })
}

/**
 * PostgreSQL as a target: a migration and the row that records it are one transaction, so it is applied wholly or not
 * at all, and never twice even if the lock is lost on the way.
 */
export function postgresMigrationTarget(url: string): MigrationTarget {
  return {
    store: "PostgreSQL",
    lock: postgresLock(url, "waymark migrations"),
    applied: () =>
      withClient(url, async (client) => {
        await client.query(`create table if not exists schema_migration (
          name text primary key,
          checksum text not null,
          applied_at timestamptz not null default now()
        )`)
        const sql = "select name, checksum from schema_migration order by name"
        return (await client.query<AppliedMigration>(sql)).rows
      }),
    apply: (migration) =>
      withClient(url, async (client) => {
        await client.query("begin")
        await client.query("insert into schema_migration (name, checksum) values ($1, $2)", [
          migration.name,
          migration.checksum,
        ])
        await client.query(migration.sql)
        await client.query("commit")
      }),
  }
}

/** Ending the session rolls back what it has not committed and gives up its locks. */
async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect(url)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function connect(url: string): Promise<Client> {
  return connectToStore({
    store: "PostgreSQL",
    variable: "DATABASE_URL",
    isAway: isConnectionLoss,
    connect: async () => {
      const client = new Client({ connectionString: url, application_name: "waymark migrations", ...CONNECT_LIMITS })
      // Without a listener the loss of an idle connection would end the process; the next query reports it.
      client.on("error", () => undefined)
      try {
        await client.connect()
        return client
      } catch (failure) {
        await client.end()
        throw failure
      }
    },
  })
}
