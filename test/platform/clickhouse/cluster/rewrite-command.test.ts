import { describe, expect, test } from "@jest/globals"
import { SHARDED_TABLES } from "../../../../src/app/sharded-tables.js"
import { rewriteCommand } from "../../../../src/platform/clickhouse/cluster/rewrite-command.js"
import { readSystemEverywhere } from "../../../../src/platform/clickhouse/cluster/rewrite-tables.js"
import { loadMigrations, migrationsDirectory } from "../../../../src/platform/migrations/load-migrations.js"
import { splitStatements } from "../../../../src/platform/migrations/split-statements.js"

const cluster = {
  name: "main",
  tables: {
    visits: { shardedBy: "cityHash64(visitor)" },
    totals: { shardedBy: "cityHash64(visitor)", isFilledByViews: true as const },
  },
}
const rewrite = (sql: string) => rewriteCommand(sql, cluster, "waymark")
const ON = "ON CLUSTER `main`"

describe("a table in a cluster", () => {
  test("is one that holds rows, on every server, and one that spreads them by their key", () => {
    expect(rewrite("CREATE TABLE IF NOT EXISTS visits (visitor Int64) ENGINE = MergeTree\nORDER BY visitor")).toEqual([
      `CREATE TABLE IF NOT EXISTS visits_local ${ON} (visitor Int64) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/waymark/visits_local', '{replica}')\nORDER BY visitor SETTINGS replicated_deduplication_window = 0`,
      `CREATE TABLE IF NOT EXISTS visits ${ON} AS waymark.visits_local\n  ENGINE = Distributed('main', 'waymark', 'visits_local', cityHash64(visitor))`,
    ])
  })

  test("keeps the newest version by the same column", () => {
    const [local] = rewrite(
      "CREATE TABLE visits (visitor Int64, v UInt64) ENGINE = ReplacingMergeTree(v) ORDER BY visitor",
    )
    expect(local).toContain(
      "ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/waymark/visits_local', '{replica}', v)",
    )
  })

  test("recognises as many repeated inserts as on one server, and for a month", () => {
    const make = (table: string) =>
      rewrite(
        `CREATE TABLE ${table} (visitor Int64) ENGINE = MergeTree ORDER BY visitor
         SETTINGS non_replicated_deduplication_window = 500, fsync_after_insert = 1`,
      )[0]
    const month = 30 * 24 * 3600
    expect(make("visits")).toContain(
      `SETTINGS replicated_deduplication_window = 500, replicated_deduplication_window_seconds = ${month}, fsync_after_insert = 1`,
    )
    // Every shard sends it rows under the token of the one insert.
    expect(make("totals")).toContain("SETTINGS replicated_deduplication_window = 0, fsync_after_insert = 1")
  })

  test("that holds nothing is made everywhere as it is", () => {
    expect(rewrite("CREATE TABLE IF NOT EXISTS passing (a Int8) ENGINE = Null")).toEqual([
      `CREATE TABLE IF NOT EXISTS passing ${ON} (a Int8) ENGINE = Null`,
    ])
  })

  test("without a key cannot be made", () => {
    expect(() => rewrite("CREATE TABLE forgotten (a Int8) ENGINE = MergeTree ORDER BY a")).toThrow("forgotten")
  })
})

describe("a change of a table in a cluster", () => {
  test("gives new columns to both, first where rows lie, and everything else there alone", () => {
    expect(
      rewrite(
        "ALTER TABLE visits ADD COLUMN a Array(Int8) DEFAULT [1, 2], ADD INDEX i a TYPE minmax, ADD COLUMN b String",
      ),
    ).toEqual([
      `ALTER TABLE visits_local ${ON} ADD COLUMN a Array(Int8) DEFAULT [1, 2], ADD INDEX i a TYPE minmax, ADD COLUMN b String`,
      `ALTER TABLE visits ${ON} ADD COLUMN a Array(Int8) DEFAULT [1, 2], ADD COLUMN b String`,
    ])
    for (const change of ["MODIFY TTL at", "MODIFY SETTING a = 1", "MATERIALIZE COLUMN a", "DROP PARTITION 7"])
      expect(rewrite(`ALTER TABLE visits ${change}`)).toEqual([`ALTER TABLE visits_local ${ON} ${change}`])
  })

  test("deletes where rows lie, looks at their own shard alone, and at all shards of other tables", () => {
    const where = (own: string) =>
      `DELETE WHERE visitor IN (SELECT t.visitor FROM ${own} AS t JOIN totals AS o ON o.visitor = t.visitor)`
    expect(rewrite(`ALTER TABLE visits ${where("visits")}`)).toEqual([
      `ALTER TABLE visits_local ${ON} ${where("visits_local")}`,
    ])
  })

  test("empties, merges and drops where rows lie", () => {
    expect(rewrite("TRUNCATE TABLE visits")).toEqual([`TRUNCATE TABLE visits_local ${ON}`])
    expect(rewrite("OPTIMIZE TABLE visits FINAL")).toEqual([`OPTIMIZE TABLE visits_local ${ON} FINAL`])
    expect(rewrite("DELETE FROM visits WHERE a = 1")).toEqual([`DELETE FROM visits_local ${ON} WHERE a = 1`])
    expect(rewrite("DROP TABLE IF EXISTS visits SYNC")).toEqual([
      `DROP TABLE IF EXISTS visits ${ON} SYNC`,
      `DROP TABLE IF EXISTS visits_local ${ON} SYNC`,
    ])
    expect(rewrite("DROP VIEW IF EXISTS old")).toEqual([`DROP VIEW IF EXISTS old ${ON}`])
  })
})

describe("a statement in a cluster", () => {
  test("makes a view of what is inserted on a shard, whose rows may belong on others", () => {
    expect(rewrite("CREATE MATERIALIZED VIEW IF NOT EXISTS v TO totals AS SELECT visitor FROM visits")).toEqual([
      `CREATE MATERIALIZED VIEW IF NOT EXISTS v ${ON} TO totals AS SELECT visitor FROM visits_local`,
    ])
  })

  test("stops queries on all servers", () => {
    expect(rewrite("KILL QUERY WHERE query_id = {id:String} ASYNC")).toEqual([
      `KILL QUERY ${ON} WHERE query_id = {id:String} ASYNC`,
    ])
  })

  test("asks all servers what runs there, and leaves texts alone", () => {
    const sql = "SELECT 'FROM system.processes' FROM system.processes AS p JOIN system.tables AS t ON 1"
    expect(readSystemEverywhere(sql, "main")).toBe(
      "SELECT 'FROM system.processes' FROM clusterAllReplicas('main', system.processes) AS p JOIN system.tables AS t ON 1",
    )
  })

  test("that there is no rule for is a defect", () => {
    expect(() => rewrite("RENAME TABLE visits TO others")).toThrow("no rule")
  })
})

describe("the migrations of ClickHouse in a cluster", () => {
  const readStatements = async () =>
    (await loadMigrations(migrationsDirectory("clickhouse"))).flatMap(({ sql }) => splitStatements(sql))

  test("have a rule and a key for every statement", async () => {
    for (const sql of await readStatements())
      expect(rewriteCommand(sql, { name: "main", tables: SHARDED_TABLES }, "waymark").length).toBeGreaterThan(0)
  })

  test("spread no table by anything but its order where versions of a row have to meet", async () => {
    const merging = (await readStatements()).filter((sql) => /ENGINE = (?:Replacing|Aggregating)/.test(sql))
    expect(merging.length).toBeGreaterThan(5)
    for (const sql of merging) {
      const [, table = ""] = /TABLE IF NOT EXISTS (\w+)/.exec(sql) ?? []
      const [, order = ""] = /ORDER BY \(([^)]+)\)/.exec(sql) ?? []
      const [, key = ""] = /\((.+)\)/.exec(SHARDED_TABLES[table]?.shardedBy ?? "") ?? []
      expect({ table, order: order.split(", ") }).toEqual({
        table,
        order: expect.arrayContaining(key.split(", ")),
      })
    }
  })
})
