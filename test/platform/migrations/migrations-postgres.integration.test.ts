import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals"
import type { Pool } from "pg"
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { applyMigrations } from "../../../src/platform/migrations/apply-migrations.js"
import { migrationsDirectory } from "../../../src/platform/migrations/load-migrations.js"
import { postgresMigrationTarget } from "../../../src/platform/migrations/postgres-migration-target.js"
import { openPool } from "../../../src/platform/postgres/open-pool.js"
import { waitFor } from "../../support/wait-for.js"

let dataDirectory: string
let directory: string
let server: EmbeddedPostgres
let pool: Pool

beforeAll(async () => {
  dataDirectory = mkdtempSync(join(tmpdir(), "waymark-migrations-"))
  server = await startEmbeddedPostgres({ dataDirectory, logger: silentLogger })
  pool = openPool(server.url, 4, silentLogger)
})
afterAll(async () => {
  await pool.end()
  await server.stop()
  rmSync(dataDirectory, { recursive: true, force: true })
})
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "waymark-migrations-"))
  await pool.query("drop schema public cascade")
  await pool.query("create schema public")
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const put = (file: string, sql: string): void => writeFileSync(join(directory, file), sql)
const migrate = (from = directory): Promise<string[]> =>
  applyMigrations({ target: postgresMigrationTarget(server.url), directory: from, logger: silentLogger })
const applied = async (): Promise<string[]> =>
  (await pool.query<{ name: string }>("select name from schema_migration order by name")).rows.map(({ name }) => name)

describe("migrating PostgreSQL", () => {
  test("applies the migrations of this package to an empty database, once", async () => {
    const first = await migrate(migrationsDirectory("postgres"))
    expect(first).toEqual(await applied())
    expect(await migrate(migrationsDirectory("postgres"))).toEqual([])
  })

  test("applies only what is new", async () => {
    put("0001_a.sql", "create table a (id int); create table b (id int)")
    expect(await migrate()).toEqual(["0001_a"])
    put("0002_c.sql", "alter table a add column name text")
    expect(await migrate()).toEqual(["0002_c"])
    expect(await applied()).toEqual(["0001_a", "0002_c"])
  })

  test("leaves nothing of a migration that fails, and says why in one line", async () => {
    put("0001_a.sql", "create table a (id int);\ncreate tabel b (id int)")
    await expect(migrate()).rejects.toThrow('Migration 0001_a failed on PostgreSQL: syntax error at or near "tabel"')
    expect(await applied()).toEqual([])
    put("0001_a.sql", "create table a (id int)")
    expect(await migrate()).toEqual(["0001_a"])
  })

  test("resumes after PostgreSQL was killed in the middle of a migration", async () => {
    put("0001_a.sql", "create table a (id int)")
    put("0002_b.sql", "create table b (id int); select pg_sleep(600); create table c (id int)")
    const interrupted = migrate().catch((error: Error) => error)
    await waitFor("the long migration", async () => {
      const { rows } = await pool.query("select 1 from pg_stat_activity where wait_event = 'PgSleep'")
      return rows.length === 1
    })
    const killed = server.pid()
    process.kill(killed as number, "SIGKILL")
    expect(await interrupted).toMatchObject({ name: "StartupError", message: expect.stringContaining("0002_b") })
    await waitFor("the new server", () => server.pid() !== null && server.pid() !== killed)
    put("0002_b.sql", "create table b (id int); create table c (id int)")
    expect(await migrate()).toEqual(["0002_b"])
    expect(await applied()).toEqual(["0001_a", "0002_b"])
  })

  test("applies each migration once when several programs start together", async () => {
    put("0001_a.sql", "create table a (id int); select pg_sleep(0.05)")
    put("0002_b.sql", "create table b (id int)")
    const results = await Promise.all([migrate(), migrate(), migrate()])
    expect(results.flat().sort()).toEqual(["0001_a", "0002_b"])
  })

  test("lets others use a table that it has to wait for", async () => {
    put("0001_a.sql", "create table a (id int)")
    await migrate()
    put("0002_b.sql", "alter table a add column b int")
    const other = await pool.connect()
    await other.query("begin; insert into a values (1)")
    const migrating = migrate()
    await waitFor("the migration to wait", async () => {
      const { rows } = await pool.query("select from pg_stat_activity where wait_event_type = 'Lock'")
      return rows.length > 0
    })
    // Without a limit this would stand behind the migration for as long as the other transaction is open.
    await pool.query("insert into a values (2)")
    expect(await applied()).toEqual(["0001_a"])
    await other.query("commit")
    other.release()
    expect(await migrating).toEqual(["0002_b"])
  })

  test("refuses data of a newer Waymark", async () => {
    put("0001_a.sql", "create table a (id int)")
    put("0012_x.sql", "create table x (id int)")
    await migrate()
    rmSync(join(directory, "0012_x.sql"))
    await expect(migrate()).rejects.toThrow(
      "The data in PostgreSQL was written by a newer Waymark (migration 0012_x). Start that version or newer.",
    )
  })

  test("refuses a migration that was changed after it had been applied", async () => {
    put("0001_a.sql", "create table a (id int)")
    await migrate()
    put("0001_a.sql", "create table a (id bigint)")
    await expect(migrate()).rejects.toThrow("Migration 0001_a was changed after PostgreSQL had applied it.")
  })
})

describe("a PostgreSQL that cannot be reached", () => {
  test.each([
    ["it refuses the database", () => server.url.replace(/waymark$/, "another"), 'database "another" does not exist'],
    ["nobody listens", () => "postgresql://waymark@localhost:1/waymark", "connect ECONNREFUSED"],
  ])("is reported in one line when %s", async (_what, url, reason) => {
    const failure = applyMigrations({ target: postgresMigrationTarget(url()), directory, logger: silentLogger })
    await expect(failure).rejects.toMatchObject({
      name: "StartupError",
      message: expect.stringMatching(/^PostgreSQL cannot be reached: [^\n]*\. Check DATABASE_URL\.$/),
    })
    await expect(failure).rejects.toThrow(reason)
  })
})
