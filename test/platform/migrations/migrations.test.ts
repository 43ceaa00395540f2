import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { applyMigrations } from "../../../src/platform/migrations/apply-migrations.js"
import { clickHouseMigrationTarget } from "../../../src/platform/migrations/click-house-migration-target.js"
import { loadMigrations, migrationsDirectory } from "../../../src/platform/migrations/load-migrations.js"
import type { MigrationLock } from "../../../src/platform/migrations/migration.types.js"
import { splitStatements } from "../../../src/platform/migrations/split-statements.js"
import { RecordingClickHouse } from "./migrations-recording-click-house.js"

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "waymark-migrations-"))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const put = (file: string, sql: string): void => writeFileSync(join(directory, file), sql)
const noLock: MigrationLock = (work) => work()
const migrate = (clickHouse: RecordingClickHouse): Promise<string[]> =>
  applyMigrations({ target: clickHouseMigrationTarget(clickHouse, noLock), directory, logger: silentLogger })

describe("the migrations of this package", () => {
  test.each(["postgres", "clickhouse"] as const)("for %s are named and numbered properly", async (store) => {
    await expect(loadMigrations(migrationsDirectory(store))).resolves.toBeDefined()
  })
})

describe("a folder of migrations", () => {
  test("is read in the order of the numbers", async () => {
    put("0002_b.sql", "b")
    put("0001_a.sql", "a")
    put("README.md", "not a migration")
    expect((await loadMigrations(directory)).map(({ name }) => name)).toEqual(["0001_a", "0002_b"])
  })

  test("may not use a number twice", async () => {
    put("0001_a.sql", "a")
    put("0001_b.sql", "b")
    await expect(loadMigrations(directory)).rejects.toThrow("migrations 0001_a.sql and 0001_b.sql have the same number")
  })

  test("may not hold SQL under another kind of name", async () => {
    put("1-a.sql", "a")
    await expect(loadMigrations(directory)).rejects.toThrow("migration 1-a.sql is not named NNNN_name.sql")
  })

  test("may change its line endings", async () => {
    put("0001_a.sql", "a\nb")
    const [unix] = await loadMigrations(directory)
    put("0001_a.sql", "a\r\nb")
    expect(await loadMigrations(directory)).toEqual([unix])
  })
})

describe("splitting SQL into statements", () => {
  test("ends a statement at a semicolon and drops empty ones", () => {
    expect(splitStatements("a;\n\n b ;; -- nothing more\n")).toEqual(["a", "b"])
  })

  test("leaves semicolons in texts and quoted names alone", () => {
    const sql = String.raw`select ';', 'it''s; \'; ok', "a;b", ${"`c;d`"}`
    expect(splitStatements(`${sql}; e`)).toEqual([sql, "e"])
  })

  test("takes comments out, whatever they hold", () => {
    expect(splitStatements("a -- it's; not a statement\n/* nor; 'this */ b")).toEqual(["a  \n  b"])
  })
})

describe("migrating ClickHouse", () => {
  test("runs each statement once and nothing at the next start", async () => {
    put("0001_a.sql", "one; two;")
    const clickHouse = new RecordingClickHouse()
    expect(await migrate(clickHouse)).toEqual(["0001_a"])
    expect(await migrate(clickHouse)).toEqual([])
    expect(clickHouse.statements).toEqual(["one", "two"])
  })

  test.each([1, 2, 3, 4, 5])("completes after a crash before step %i", async (step) => {
    put("0001_a.sql", "one; two")
    put("0002_b.sql", "three")
    const clickHouse = new RecordingClickHouse()
    clickHouse.crashBeforeStep(step)
    await expect(migrate(clickHouse)).rejects.toThrow("crashed")
    await migrate(clickHouse)
    expect([...new Set(clickHouse.statements)]).toEqual(["one", "two", "three"])
    expect(clickHouse.appliedNames()).toEqual(["0001_a", "0002_b"])
  })

  test("takes a migration that was remembered twice as applied", async () => {
    put("0001_a.sql", "one")
    const clickHouse = new RecordingClickHouse()
    clickHouse.crashAfterRemembering()
    await expect(migrate(clickHouse)).rejects.toThrow("crashed")
    expect(await migrate(clickHouse)).toEqual([])
  })

  test("refuses data of a newer Waymark", async () => {
    put("0001_a.sql", "one")
    put("0002_b.sql", "two")
    const clickHouse = new RecordingClickHouse()
    await migrate(clickHouse)
    rmSync(join(directory, "0002_b.sql"))
    await expect(migrate(clickHouse)).rejects.toThrow(
      "The data in ClickHouse was written by a newer Waymark (migration 0002_b). Start that version or newer.",
    )
  })

  test("refuses a migration that was changed after it had been applied", async () => {
    put("0001_a.sql", "one")
    const clickHouse = new RecordingClickHouse()
    await migrate(clickHouse)
    put("0001_a.sql", "another")
    await expect(migrate(clickHouse)).rejects.toThrow("Migration 0001_a was changed after ClickHouse had applied it.")
    expect(clickHouse.statements).toEqual(["one"])
  })

  test("does nothing on an empty folder", async () => {
    mkdirSync(join(directory, "old"))
    expect(await migrate(new RecordingClickHouse())).toEqual([])
  })
})
