import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { SHARDED_TABLES } from "../../../../src/app/sharded-tables.js"
import { type CompiledQuery, compile, type HogqlQuery, QUERY_SETTINGS } from "../../../../src/hogql/index.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { ClickHouse } from "../../../../src/platform/clickhouse/click-house.js"
import { createClickHouse } from "../../../../src/platform/clickhouse/click-house-client.js"
import { clusterLayout } from "../../../../src/platform/clickhouse/cluster/cluster-layout.js"
import { deleteRows } from "../../../../src/platform/clickhouse/mutate-rows.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { applyMigrations } from "../../../../src/platform/migrations/apply-migrations.js"
import { clickHouseMigrationTarget } from "../../../../src/platform/migrations/click-house-migration-target.js"
import { loadMigrations, migrationsDirectory } from "../../../../src/platform/migrations/load-migrations.js"
import { requireCluster, requireLayout } from "../../../../src/platform/migrations/require-cluster.js"
import { splitStatements } from "../../../../src/platform/migrations/split-statements.js"
import { describeClickHouse } from "../../../contract/click-house.contract.js"
import { type CaseDataset, datasetRows } from "../../../hogql/support/dataset.js"
import { TestEngine } from "../../../hogql/support/engine.js"
import { emptyScope, scopeOf } from "../../../hogql/support/scope.js"
import { runAdminCommand } from "../../../support/admin-command.js"
import {
  ABSENT_CLUSTER_NAME,
  CLUSTER_NAME,
  type OneShardCluster,
  startOneShardCluster,
  withoutCluster,
} from "../../../support/one-shard-cluster.js"
import { waitFor } from "../../../support/wait-for.js"
import { WaymarkApi } from "../../../support/waymark-api.js"
import { temporaryDirectory, WaymarkProcess } from "../../../support/waymark-process.js"

interface HogqlCase {
  readonly id: string
  readonly hogql: string
  readonly params?: Pick<HogqlQuery, "filters" | "values" | "variables"> & { readonly team_timezone?: string }
  readonly expect: { readonly status: number }
}

const { cases, datasets } = JSON.parse(readFileSync("test/hogql/fixtures/hogql.json", "utf8")) as {
  readonly datasets: { readonly ds1: CaseDataset }
  readonly cases: readonly HogqlCase[]
}
const dataset = datasets.ds1
const SESSION = "019ad000-0000-7000-8000-000000000001"
const toEvent = (number: number) => ({
  project_id: 3,
  uuid: `019ad000-0000-7000-8000-0000000000${10 + number}`,
  event: "$pageview",
  distinct_id: `visitor ${number}`,
  properties: JSON.stringify({ $current_url: "https://shop.example/" }),
  timestamp: `2025-11-${10 + number} 10:00:00`,
  created_at: `2025-11-${10 + number} 10:00:00`,
  person_id: `00000000-0000-4000-8000-00000000000${number}`,
  person_created_at: "2025-01-01 00:00:00",
  $session_id: SESSION,
})

describe("a cluster of one shard", () => {
  let cluster: OneShardCluster
  let clickHouse: ClickHouse
  /** The engine itself, without a cluster around it. */
  let engine: ClickHouse
  beforeAll(async () => {
    cluster = await startOneShardCluster()
    engine = createClickHouse({ url: cluster.engineUrl, logger: silentLogger })
    const tables = SHARDED_TABLES
    clickHouse = createClickHouse({ url: cluster.url, logger: silentLogger, cluster: { name: CLUSTER_NAME, tables } })
    const target = clickHouseMigrationTarget(clickHouse, (work) => work())
    await applyMigrations({ target, directory: migrationsDirectory("clickhouse"), logger: silentLogger })
  })
  afterAll(async () => {
    await clickHouse.close()
    await engine.close()
    await cluster.stop()
  })

  describeClickHouse("cluster of one shard", async (table) => {
    const tables = { [table]: { shardedBy: "cityHash64(id)" } }
    return createClickHouse({ url: cluster.url, logger: silentLogger, cluster: { name: CLUSTER_NAME, tables } })
  })

  const count = async (from: string): Promise<number> => {
    const [found] = await clickHouse.rows<{ rows: number }>({ sql: `SELECT count() AS rows FROM ${from}` })
    return found?.rows ?? 0
  }

  test("has all tables of the migrations, each through one that spreads it", async () => {
    const found = await clickHouse.rows<{ name: string }>({
      sql: "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'Distributed' ORDER BY name",
    })
    // That one is made beside the migrations.
    const made = Object.keys(SHARDED_TABLES).filter((name) => name !== "store_pair")
    expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(made))
  })

  test("stores events once under their token, and makes their session of them", async () => {
    const rows = [1, 2, 3].map(toEvent)
    for (let attempt = 0; attempt < 2; attempt++)
      await clickHouse.insert({ table: "events", rows, deduplicationToken: "a batch" })
    expect(await count(`events WHERE $session_id = '${SESSION}'`)).toBe(3)
    const sql = `SELECT length(pageviews) AS pages FROM session_rollup FINAL WHERE session_id = '${SESSION}'`
    expect(await clickHouse.rows({ sql })).toEqual([{ pages: 3 }])
  })

  test("deletes rows whose ids another table lists", async () => {
    const parameters = { project: 3, deletion: 7 }
    await clickHouse.insert({
      table: "person_deletion_ids",
      rows: [{ deletion: 7, kind: "distinct_id", id: "visitor 1", version: 0 }],
    })
    const isGone = await deleteRows(clickHouse, {
      table: "events",
      condition: `project_id = {project:Int64}
        AND distinct_id IN (SELECT id FROM person_deletion_ids WHERE deletion = {deletion:UInt64})`,
      parameters,
      name: "deletion 7",
    })
    expect(isGone).toBe(true)
    expect(await count("events WHERE distinct_id = 'visitor 1'")).toBe(0)
    await clickHouse.command({ sql: "ALTER TABLE person_deletion_ids DROP PARTITION 7" })
    expect(await count("person_deletion_ids")).toBe(0)
  })

  test("is known to its servers, and has tables that one server refuses to go on with", async () => {
    await requireCluster(clickHouse, CLUSTER_NAME)
    await requireLayout(clickHouse, CLUSTER_NAME)
    await expect(requireLayout(clickHouse, null)).rejects.toThrow(
      "ClickHouse has the tables of a cluster. Name it by CLICKHOUSE_CLUSTER.",
    )
    await expect(requireCluster(clickHouse, "elsewhere")).rejects.toThrow("ClickHouse knows no cluster elsewhere.")
  })

  describe("answers HogQL", () => {
    let server: TestEngine
    beforeAll(async () => {
      server = new TestEngine()
      for (const [table, rows] of datasetRows(dataset)) {
        server.insert(table, rows)
        if (rows.length > 0) await clickHouse.insert({ table, rows })
      }
    })
    afterAll(() => server.close())

    const inAnyOrder = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort()
    const ask = async ({ sql, parameters }: CompiledQuery) => {
      const settings = { ...QUERY_SETTINGS, date_time_output_format: "iso" }
      return (await clickHouse.query({ sql, parameters, settings })).rows
    }

    test.each(
      cases
        .filter(({ expect: { status } }) => status === 200)
        .map(({ id, hogql, params }) => [id, hogql, params] as const),
    )("of case %s as one server does: %s", async (_id, text, params) => {
      const compiled = await compile({ text, ...params }, scopeOf(dataset, params?.team_timezone ?? "UTC"))
      expect(inAnyOrder(await ask(compiled))).toEqual(inAnyOrder(server.run(compiled).rows))
    })

    test("with the persons that events belong to since a merge", async () => {
      const scope = { ...emptyScope, projectId: asProjectId(4) }
      const [before, since] = ["00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b"]
      const events = [toEvent(4), toEvent(5)].map((event) => ({ ...event, project_id: 4, person_id: before }))
      const person = { project_id: 4, id: since, created_at: "2025-01-01 00:00:00", properties: "{}", version: 1 }
      await clickHouse.insert({ table: "events", rows: events })
      await clickHouse.insert({ table: "persons", rows: [person] })
      await clickHouse.insert({
        table: "person_distinct_id_overrides",
        rows: events.map(({ distinct_id }) => ({ project_id: 4, distinct_id, person_id: since, version: 1 })),
      })
      const text = "SELECT p.id, e.distinct_id FROM events e JOIN persons p ON p.id = e.person_id ORDER BY 2"
      expect(await ask(await compile({ text }, scope))).toEqual(events.map(({ distinct_id }) => [since, distinct_id]))
    })
  })

  describe("puts statements that", () => {
    test("the engine can read", async () => {
      expect(cluster.onCluster.length).toBeGreaterThan(70)
      for (const sql of cluster.onCluster) {
        const parameters = { sql }
        const read = await engine.query({ sql: "SELECT formatQuery({sql:String})", parameters })
        expect(read.rows[0]?.[0]).toContain("ON CLUSTER")
      }
    })

    test("make replicated tables as they are written", async () => {
      await engine.command({ sql: "CREATE DATABASE waymark_as_written" })
      const written = createClickHouse({
        url: cluster.engineUrl,
        logger: silentLogger,
        database: "waymark_as_written",
      })
      const replicated = cluster.onCluster.filter((sql) => sql.includes("ENGINE = Replicated"))
      for (const sql of replicated) await written.command({ sql: withoutCluster(sql) })
      await written.close()
      const [made] = await engine.rows<{ tables: number }>({
        sql: `SELECT count() AS tables FROM system.tables
          WHERE database = 'waymark_as_written' AND engine LIKE 'Replicated%MergeTree'`,
      })
      expect(made?.tables).toBe(replicated.length)
    })
  })

  describe("under a server", () => {
    const directory = temporaryDirectory()
    let server: WaymarkProcess
    let api: WaymarkApi
    beforeAll(async () => {
      await engine.command({ sql: "CREATE DATABASE waymark_served" })
      const { href } = Object.assign(new URL(cluster.url), { pathname: "/waymark_served" })
      server = new WaymarkProcess(directory.path, { CLICKHOUSE_URL: href, CLICKHOUSE_CLUSTER: CLUSTER_NAME })
      api = new WaymarkApi(await server.ready())
    })
    afterAll(async () => {
      await server.stop()
      directory.remove()
    })

    test("takes events, merges their persons, answers and deletes", async () => {
      const email = "ada@example.com"
      await api.capture({ event: "seen", distinct_id: "visitor", properties: { $session_id: SESSION } })
      await api.capture({ event: "signed up", distinct_id: "ada", properties: { $set: { email } } })
      await api.capture({ event: "$identify", distinct_id: "ada", properties: { $anon_distinct_id: "visitor" } })
      await api.drained()
      expect(await api.hogql("SELECT event, person.properties.email FROM events ORDER BY event")).toEqual([
        ["$identify", email],
        ["seen", email],
        ["signed up", email],
      ])
      expect(await api.hogql("SELECT session_id FROM sessions")).toEqual([[SESSION]])
      const series = ["seen", "signed up"].map((event) => ({ kind: "EventsNode", event }))
      const query = { kind: "FunnelsQuery", series }
      const funnel = await api.post<{ results: unknown }>("/api/environments/@current/query/", { query })
      expect(funnel.body.results).toMatchObject([{ count: 1 }, { count: 1 }])

      const persons = "/api/environments/@current/persons/"
      const found = await api.get<{ results: { id: string }[] }>(persons)
      expect(found.body.results).toHaveLength(1)
      await api.request("DELETE", `${persons}${found.body.results[0]?.id}/?delete_events=true`)
      await waitFor("the events to be gone", async () => (await api.hogql("SELECT 1 FROM events")).length === 0)
    })

    test("sees at once what it has stored, and nothing of what it has deleted", async () => {
      const send = async (event: string, session: number) => {
        const properties = { $session_id: `019ad000-0000-7000-8000-0000000000b${session}` }
        await api.capture({ event, distinct_id: "bob", properties })
        await api.drained()
      }
      for (let round = 1; round <= 3; round++) {
        await send("kept", round)
        expect(await api.hogql("SELECT count() FROM events")).toEqual([[round]])
        expect(await api.hogql("SELECT count() FROM sessions")).toEqual([[round]])
      }
      await send("spam", 3)
      await send("spam", 4)
      await api.changed(
        `mutation { deleteEvents(input: { names: ["spam"], dryRun: false }) { outcome { eventCount } userErrors { message } } }`,
      )
      const isDone = "{ project { eventDeletions(first: 1) { nodes { finishedAt } } } }"
      type Deletions = { project: { eventDeletions: { nodes: { finishedAt: string | null }[] } } }
      await waitFor("the deletion to be done", async () => {
        const { project } = await api.graphql<Deletions>(isDone)
        return project.eventDeletions.nodes[0]?.finishedAt
      })
      expect(await api.hogql("SELECT DISTINCT event FROM events")).toEqual([["kept"]])
      expect(await api.hogql("SELECT count() FROM sessions")).toEqual([[3]])
    })
  })

  test.each([
    ["backup", "--to"],
    ["export", "--to"],
  ])("is refused by the command %s in one line, with nothing written", async (command, option) => {
    const folder = temporaryDirectory()
    const target = join(folder.path, "target")
    const ended = await runAdminCommand([command, option, target], {
      DATA_DIR: folder.path,
      DATABASE_URL: "postgresql://nobody@127.0.0.1:9/none",
      CLICKHOUSE_URL: cluster.url,
      CLICKHOUSE_CLUSTER: CLUSTER_NAME,
    })
    expect(ended).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "A ClickHouse cluster is not read by this command: BACKUP and RESTORE of ClickHouse do that ON CLUSTER.\n",
    })
    expect(readdirSync(folder.path)).toEqual([])
    folder.remove()
  })

  describe("of two shards", () => {
    let absent: ClickHouse
    beforeAll(async () => {
      const name = ABSENT_CLUSTER_NAME
      await engine.command({ sql: "CREATE DATABASE waymark_spread" })
      absent = createClickHouse({
        url: cluster.url,
        logger: silentLogger,
        database: "waymark_spread",
        cluster: { name, tables: SHARDED_TABLES },
      })
      const migrations = await loadMigrations(migrationsDirectory("clickhouse"))
      const statements = migrations.flatMap(({ sql }) => splitStatements(sql))
      for (const sql of statements.filter((statement) => !statement.startsWith("INSERT"))) await absent.command({ sql })
    })
    afterAll(() => absent.close())

    test.each([
      ["SELECT person_id, groupArray(timestamp) FROM events WHERE event IN ('seen', 'bought') GROUP BY person_id"],
      ["SELECT person.properties.email, count() FROM events GROUP BY 1"],
      ["SELECT count() FROM events WHERE person_id IN (SELECT id FROM persons WHERE properties.plan = 'team')"],
      ["SELECT session.$channel_type, count() FROM events GROUP BY 1"],
    ])("joins and groups on the shards and adds up what comes: %s", async (text) => {
      const { sql, parameters } = await compile({ text }, { ...emptyScope, inlinesSubqueries: true })
      const plan = await absent.rows<{ explain: string }>({
        sql: `EXPLAIN ${sql}`,
        parameters,
        settings: QUERY_SETTINGS,
      })
      const steps = plan.flatMap(({ explain }) => /MergingAggregated|Join|ReadFrom\w*/.exec(explain)?.[0] ?? [])
      expect(steps).toEqual(["MergingAggregated", "ReadFromRemote"])
    })
  })

  // Last, as it is about everything that was asked by then.
  test("has got settings alone that releases from 25.8 on know", async () => {
    const ofCluster = Object.keys(clusterLayout({ name: CLUSTER_NAME, tables: {} }, "waymark").settings)
    expect([...cluster.settings]).toEqual(expect.arrayContaining(ofCluster))
    const names = [...cluster.settings].sort()
    const sql = "SELECT name FROM system.settings WHERE name IN {names:Array(String)} AND NOT is_obsolete ORDER BY name"
    const known = await engine.rows<{ name: string }>({ sql, parameters: { names } })
    expect(known.map(({ name }) => name)).toEqual(names)
    const later = await engine.rows<{ name: string; reason: string }>({
      sql: `SELECT change.name AS name, change.reason AS reason
        FROM system.settings_changes ARRAY JOIN changes AS change
        WHERE type = 'Session' AND change.name IN {names:Array(String)}
          AND arrayMap(part -> toUInt32(part), splitByChar('.', version)) > [25, 8]`,
      parameters: { names },
    })
    expect(later.filter(({ reason }) => /new setting/i.test(reason))).toEqual([])
  })
})
