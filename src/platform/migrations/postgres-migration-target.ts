import { setTimeout as sleep } from "node:timers/promises"
import { type Client, DatabaseError } from "pg"
import { withPostgres } from "../postgres/with-postgres.js"
import type { AppliedMigration, Migration, MigrationLock, MigrationTarget } from "./migration.types.js"

const APPLICATION = "waymark migrations"

/**
 * Whoever waits for a lock on a table keeps all who come later from the table as well, while other processes serve. So a migration
 * waits this long, lets them pass, and tries again: for a minute at least (decision 0097).
 */
const LOCK_TIMEOUT_MS = 500
const PAUSE_BETWEEN_TRIES_MS = 500
const MOST_TRIES = 120
/** `lock_not_available` and `deadlock_detected`. */
const LOCKED_OUT = ["55P03", "40P01"]

/**
 * A lock held by a PostgreSQL session: it goes when the session goes, so a killed holder blocks nobody. It has a connection
 * of its own, as a migration may take longer than the statements that pools allow.
 * @throws StartupError when PostgreSQL cannot be reached.
 */
export function postgresLock(url: string, name: string): MigrationLock {
  return (work) =>
    withPostgres(url, APPLICATION, async (client) => {
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
      withPostgres(url, APPLICATION, async (client) => {
        await client.query(`create table if not exists schema_migration (
          name text primary key,
          checksum text not null,
          applied_at timestamptz not null default now()
        )`)
        const sql = "select name, checksum from schema_migration order by name"
        return (await client.query<AppliedMigration>(sql)).rows
      }),
    apply: (migration) =>
      withPostgres(url, APPLICATION, async (client) => {
        for (let tries = 1; !(await applyUnlessLockedOut(client, migration, tries === MOST_TRIES)); tries++)
          await sleep(PAUSE_BETWEEN_TRIES_MS)
      }),
  }
}

/** @returns whether it was applied. Rejects with what PostgreSQL says, in the last try also when it was locked out. */
async function applyUnlessLockedOut(client: Client, { name, checksum, sql }: Migration, isLast: boolean) {
  try {
    await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await client.query("insert into schema_migration (name, checksum) values ($1, $2)", [name, checksum])
    await client.query(sql)
    await client.query("commit")
    return true
  } catch (failure) {
    if (isLast || !(failure instanceof DatabaseError && LOCKED_OUT.includes(failure.code ?? ""))) throw failure
    await client.query("rollback")
    return false
  }
}
