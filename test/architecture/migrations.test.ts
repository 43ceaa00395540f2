import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { describe, expect, test } from "@jest/globals"
import { findContractions, listAlteredTables } from "./support/find-contractions.js"
import { readFiles } from "./support/read-files.js"

/** Migrations of before the rule, whose releases were never meant to run beside their successors. */
const BEFORE_THE_RULE = { postgres: "0053", clickhouse: "0015" } as const

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string }

const readMigrations = (store: keyof typeof BEFORE_THE_RULE) =>
  readFiles(`migrations/${store}/*.sql`)
    .map(({ path, text }) => ({ name: basename(path), text }))
    .filter(({ name }) => name >= BEFORE_THE_RULE[store])

describe("migrations", () => {
  test.each(["postgres", "clickhouse"] as const)("of %s take nothing from processes of the release before", (store) => {
    const broken = readMigrations(store).flatMap(({ name, text }) =>
      findContractions(text, version).map((what) => `${name} ${what}`),
    )
    expect(broken).toEqual([])
  })

  test("of PostgreSQL alter one older table, and never hold it while they wait for another", () => {
    const several = readMigrations("postgres").filter(({ text }) => listAlteredTables(text).length > 1)
    expect(several.map(({ name }) => name)).toEqual([])
    const sql =
      "CREATE TABLE note (id int); ALTER TABLE note ADD a int; ALTER TABLE flag ADD a int; ALTER TABLE cohort ADD a int"
    expect(listAlteredTables(sql)).toEqual(["flag", "cohort"])
  })

  test.each([
    ["ALTER TABLE flag DROP COLUMN old", "drops a column"],
    ["ALTER TABLE flag RENAME COLUMN old TO new", "renames"],
    ["ALTER TABLE flag ALTER COLUMN key TYPE varchar(200)", "changes a type"],
    ["ALTER TABLE events MODIFY COLUMN batch UInt64", "changes a type"],
    ["ALTER TABLE flag ALTER COLUMN name SET NOT NULL", "forbids null"],
    ["ALTER TABLE flag ALTER COLUMN name DROP DEFAULT", "drops a default"],
    ["ALTER TABLE flag ADD COLUMN name text NOT NULL", "adds a column that must have a value"],
    ["DROP TABLE flag", "drops a table or view"],
  ])("that say %s are refused", (sql, what) => {
    expect(findContractions(sql, "0.3.0")).toEqual([what])
  })

  test.each([
    "ALTER TABLE flag ADD COLUMN name text NOT NULL DEFAULT ''",
    "ALTER TABLE flag ADD COLUMN name text, ADD COLUMN size bigint NOT NULL DEFAULT 0",
    "-- It used to DROP COLUMN old.\nCREATE TABLE note (id int NOT NULL)",
    "CREATE TABLE note (id int);\nALTER TABLE note ADD CHECK (id > 0);\nALTER TABLE flag ADD COLUMN note_id int",
    "-- Waits for v0.2.9: it does not read the column.\nALTER TABLE flag DROP COLUMN old",
  ])("that only add, or say for which earlier release they waited, are taken: %s", (sql) => {
    expect(findContractions(sql, "0.3.0")).toEqual([])
  })

  test("that wait for this very release are refused until the next one", () => {
    const sql = "-- Waits for v0.3.0: it does not read the column.\nALTER TABLE flag DROP COLUMN old"
    expect([findContractions(sql, "0.3.0"), findContractions(sql, "0.3.1")]).toEqual([["drops a column"], []])
  })
})
