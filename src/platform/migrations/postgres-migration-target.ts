import { withPostgres } from "../postgres/with-postgres.js"
import type { AppliedMigration, MigrationLock, MigrationTarget } from "./migration.types.js"

const APPLICATION = "waymark migrations"

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
