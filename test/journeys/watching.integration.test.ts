import { readFileSync, renameSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { createClient } from "graphql-ws"
import type { Pool } from "pg"
import WebSocket from "ws"
import { type EmbeddedClickHouse, startEmbeddedClickHouse } from "../../src/platform/embedded/embedded-clickhouse.js"
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { openPool } from "../../src/platform/postgres/open-pool.js"
import { findFailedRuleTests, hasPrometheus, startPrivatePrometheus } from "../support/private-prometheus.js"
import { copyOfTemplate } from "../support/store-templates.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PERSONAL_KEY, PROJECT_KEY, WaymarkProcess } from "../support/waymark-process.js"

const directory = copyOfTemplate("server")
const accessLog = join(directory.path, "access.log")
let postgres: EmbeddedPostgres
let engine: EmbeddedClickHouse
let pool: Pool
let server: WaymarkProcess
let api: WaymarkApi

beforeAll(async () => {
  const options = { dataDirectory: directory.path, logger: silentLogger }
  postgres = await startEmbeddedPostgres(options)
  engine = await startEmbeddedClickHouse(options)
  pool = openPool(postgres.url, 2, silentLogger)
  server = new WaymarkProcess(directory.path, {
    DATABASE_URL: postgres.url,
    CLICKHOUSE_URL: engine.url,
    ROLES: "web",
    ACCESS_LOG: accessLog,
  })
  api = new WaymarkApi(await server.ready())
})
afterAll(async () => {
  await server.stop()
  await pool.end()
  await Promise.all([postgres.stop(), engine.stop()])
  directory.remove()
})

const readMetrics = async (): Promise<string> => String((await api.get("/metrics")).body)
/** The value of a series, once it is there. */
const seriesOf = (series: string): Promise<number> =>
  waitFor(series, async () => {
    const line = (await readMetrics()).split("\n").find((one) => one.startsWith(`${series} `))
    return line === undefined ? null : Number(line.slice(series.length))
  })
const readLog = (path = accessLog): Record<string, unknown>[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Record<string, unknown>]))

describe("what is watched of a process", () => {
  test("are GraphQL operations by their first field, on every transport, and what holds connections", async () => {
    await api.graphql("query NameOfTheCaller { me { id } }")
    const client = createClient({
      url: `${api.url.replace("http", "ws")}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { Authorization: `Bearer ${PERSONAL_KEY}` },
      lazy: false,
    })
    await new Promise<void>((resolve, reject) =>
      client.subscribe({ query: "{ me { id } }" }, { next: () => undefined, error: reject, complete: resolve }),
    )
    expect(await seriesOf("waymark_streams_open")).toBe(1)
    await client.dispose()

    const operations = "waymark_graphql_operation_duration_seconds_count"
    expect(await seriesOf(`${operations}{operation="query.me",transport="http",outcome="ok"}`)).toBe(1)
    expect(await seriesOf(`${operations}{operation="query.me",transport="websocket",outcome="ok"}`)).toBe(1)
    expect(await seriesOf('waymark_http_request_duration_seconds_count{route="graphql",status="200"}')).toBe(1)
    expect(await seriesOf('waymark_postgres_connections{pool="requests",state="waiting"}')).toBe(0)
    expect(await seriesOf("waymark_disk_size_bytes")).toBeGreaterThan(await seriesOf("waymark_disk_free_bytes"))
    expect(await readMetrics()).not.toContain("NameOfTheCaller")
  })

  test("has every name that the alerts and the dashboard ask for", async () => {
    const texts = ["deploy/prometheus/rules.yml", "deploy/grafana/waymark.json"].map((path) =>
      readFileSync(path, "utf8"),
    )
    const asked = new Set(texts.flatMap((text) => text.match(/\b(?:waymark|process)_[a-z_]+/g) ?? []))
    const shown = await readMetrics()
    expect(asked.size).toBeGreaterThan(15)
    const isMissing = (name: string) => !shown.includes(`\n${name}{`) && !shown.includes(`\n${name} `)
    // Of embedded servers, which this process has none of.
    expect([...asked].filter(isMissing)).toEqual(["waymark_server_memory_bytes"])
  })

  test("is a line of the access log for each request, by its route and project, without keys; SIGHUP begins a new file", async () => {
    await api.capture({ event: "logged", distinct_id: "ada", properties: { note: "private" } })
    await api.get(`/api/projects/@current/feature_flags/?personal_api_key=${PERSONAL_KEY}`)
    const lines = await waitFor("the lines of both", () => {
      const found = readLog().filter(({ project }) => project === 1)
      return found.some(({ method }) => method === "POST") && found.some(({ method }) => method === "GET") && found
    })
    expect(lines.find(({ route }) => route === "feature_flags_list")).toMatchObject({ method: "GET", status: 200 })
    for (const secret of [PERSONAL_KEY, PROJECT_KEY, "private"])
      expect(readFileSync(accessLog, "utf8")).not.toContain(secret)

    renameSync(accessLog, `${accessLog}.1`)
    server.child.kill("SIGHUP")
    await waitFor("a line in the new file", async () => {
      await api.get("/_livez")
      return readLog().some(({ route }) => route === "health")
    })
    expect(server.child.exitCode).toBe(null)
  })
})

describe("what the graph says of the server", () => {
  const HEALTH = `{ serverHealth { stores { store isReachable usedBytes freeBytes } shardCount shardsWithoutOwner
    captureRefusal lastBackupAt } }`

  test("is told to those who run it: each store, and that nobody stores what is accepted", async () => {
    const { serverHealth } = await api.graphql<{ serverHealth: object }>(HEALTH)
    expect(serverHealth).toEqual({
      stores: [
        // Its disk may be another machine's.
        { store: "POSTGRES", isReachable: true, usedBytes: expect.any(Number), freeBytes: null },
        { store: "CLICKHOUSE", isReachable: true, usedBytes: expect.any(Number), freeBytes: expect.any(Number) },
      ],
      shardCount: 4,
      shardsWithoutOwner: 4,
      captureRefusal: null,
      lastBackupAt: null,
    })
  })

  test("is told neither to members nor to owners of another organization", async () => {
    const { createOrganization } = await api.changed<{ createOrganization: { id: string } }>(
      'mutation { createOrganization(input: { name: "Other" }) { organization { id: uuid } userErrors { message } } }',
    )
    for (const [email, role, organizationId] of [
      ["member@a.test", "MEMBER", null],
      ["owner@b.test", "OWNER", createOrganization.id],
    ]) {
      const { inviteUser } = await api.changed<{ inviteUser: { personalApiKey: string } }>(
        `mutation ($email: String!, $role: OrganizationRole!, $organizationId: ID) {
          inviteUser(input: { email: $email, role: $role, organizationId: $organizationId, keyScopes: [ALL] }) {
            invited { personalApiKey } userErrors { message } } }`,
        { email, role, organizationId },
      )
      const theirs = new WaymarkApi(api.url, inviteUser.personalApiKey)
      await expect(theirs.graphql(HEALTH)).rejects.toThrow("owners and admins of the organization that runs the server")
    }
  })
})

const describeAlerts = (): void => {
  test("fire for a log that nobody works on, dead letters, a store that is down and requests that fail", async () => {
    const prometheus = await startPrivatePrometheus(api.url)
    const ofThisMachine = "WaymarkDiskNearlyFull"
    const firing = async (): Promise<string[]> => (await prometheus.firing()).filter((name) => name !== ofThisMachine)
    try {
      await waitFor("the alert of a missing ingester", async () =>
        (await firing()).includes("WaymarkShardWithoutOwner"),
      )
      expect(await firing()).toEqual(["WaymarkShardWithoutOwner"])

      await api.capture({ event: "waiting", distinct_id: "ada" })
      await pool.query("UPDATE ingest_log SET received_at = received_at - interval '2 minutes'")
      await pool.query(
        `INSERT INTO ingest_dead_letter (project_id, received_at, client_ip, historical_migration, reason, reason_code, event)
         VALUES (1, now(), '', false, 'as a test', 'unprocessable', '{}')`,
      )
      await engine.stop()
      const expected = [
        "WaymarkDeadLetters",
        "WaymarkIngestionBehind",
        "WaymarkServerErrors",
        "WaymarkShardWithoutOwner",
        "WaymarkStoreDown",
      ]
      let asked = 0
      await waitFor("all alerts", async () => {
        const query = { kind: "HogQLQuery", query: `SELECT ${++asked} FROM events` }
        const { status } = await api.post("/api/environments/@current/query/", { query, refresh: "force_blocking" })
        const now = String(await firing())
        if (now !== String(expected)) throw new Error(`${status}, and what fires is ${now}`)
        return true
      })
    } finally {
      await prometheus.stop()
    }
  })

  test("fire for a disk and memory of which less than a tenth is free, and for a process that does not answer", () => {
    const series = (name: string, values: string) => ({ series: `${name}{job="waymark",instance="a"}`, values })
    const alert = (alertname: string, eval_time: string, exp_alerts: object[]) => ({ alertname, eval_time, exp_alerts })
    const firing = (severity: string, summary: string) => ({
      exp_labels: { severity, instance: "a", job: "waymark" },
      exp_annotations: { summary },
    })
    const failed = findFailedRuleTests([
      {
        interval: "1m",
        input_series: [
          series("waymark_disk_free_bytes", "50x10 5x10"),
          series("waymark_disk_size_bytes", "100x21"),
          series("process_resident_memory_bytes", "30x20"),
          { series: 'waymark_server_memory_bytes{job="waymark",instance="a",server="postgres"}', values: "10x20" },
          {
            series: 'waymark_server_memory_bytes{job="waymark",instance="a",server="clickhouse"}',
            values: "40x10 55x10",
          },
          series("waymark_memory_limit_bytes", "100x20"),
          series("up", "1x10 0x10"),
          series("waymark_scheduled_exports_failing", "0x10 2x30"),
        ],
        alert_rule_test: [
          alert("WaymarkDiskNearlyFull", "10m", []),
          alert("WaymarkDiskNearlyFull", "17m", [firing("critical", "a has 5% of its disk left.")]),
          alert("WaymarkMemoryNearlyFull", "10m", []),
          alert("WaymarkMemoryNearlyFull", "17m", [
            {
              exp_labels: { severity: "warning", instance: "a" },
              exp_annotations: { summary: "a and its embedded servers take 95% of the memory." },
            },
          ]),
          alert("WaymarkScheduledExportsFail", "20m", []),
          alert("WaymarkScheduledExportsFail", "27m", [
            {
              exp_labels: { severity: "warning" },
              exp_annotations: { summary: "2 exports by schedule cannot write their files." },
            },
          ]),
          alert("WaymarkProcessDown", "10m", []),
          alert("WaymarkProcessDown", "13m", [firing("critical", "a does not answer.")]),
        ],
      },
    ])
    expect(failed).toBe("")
  })
}

describe("the alerts", () => {
  if (hasPrometheus()) describeAlerts()
  else test.skip("need Prometheus", () => undefined)
})
