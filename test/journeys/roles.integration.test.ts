import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Pool } from "pg"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { openPool } from "../../src/platform/postgres/open-pool.js"
import { type EmbeddedStores, startEmbeddedStores } from "../support/embedded-stores.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"

const RUNS = 6
const WORKERS = 2
const QUERY_PATH = "/api/projects/@current/query/"

const directory = temporaryDirectory()
const servers: WaymarkProcess[] = []
let stores: EmbeddedStores
let pool: Pool
let web: WaymarkApi
let ingest: WaymarkApi

function start(roles: string, more: Record<string, string> = {}): WaymarkProcess {
  const { postgresUrl, clickHouseUrl } = stores
  const shared = { DATABASE_URL: postgresUrl, CLICKHOUSE_URL: clickHouseUrl, ROLES: roles }
  const server = new WaymarkProcess(directory.path, { ...shared, ...more })
  servers.push(server)
  return server
}

beforeAll(async () => {
  stores = await startEmbeddedStores()
  pool = openPool(stores.postgresUrl, 1, silentLogger)
  const [first, second] = [start("web"), start("ingest")]
  web = new WaymarkApi(await first.ready())
  ingest = new WaymarkApi(await second.ready())
}, 120_000)
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await pool.end()
  await stores.stop()
  directory.remove()
})

const startRun = async (text: string): Promise<string> => {
  const query = { kind: "HogQLQuery", query: text }
  const { body } = await web.post<{ query_status: { id: string } }>(QUERY_PATH, { query, refresh: "async" })
  return body.query_status.id
}
const listRuns = async () =>
  (await pool.query<{ state: string; worker: string | null }>("SELECT state, worker_id AS worker FROM query_run")).rows
const readResidentKib = (server: WaymarkProcess | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server?.child.pid}/status`, "utf8"))?.[1])

describe("processes with a role each", () => {
  test("serve only probes and metrics without the role web", async () => {
    expect((await ingest.get("/_livez")).status).toBe(200)
    expect((await ingest.get("/_readyz")).body).toMatchObject({ status: "ready" })
    expect(String((await ingest.get("/metrics")).body)).toMatch(/^waymark_ingestion_owned_shards 4$/m)
    for (const answer of [
      await ingest.capture({ event: "astray", distinct_id: "ada" }),
      await ingest.post("/graphql", { query: "{ me { id } }" }),
      await ingest.get("/api/users/@me/"),
    ])
      expect(answer).toMatchObject({
        status: 503,
        body: { detail: "This process answers no requests: its ROLES are ingest. Ask one that has the role web." },
      })
  })

  test("store in one what another accepted, and the one that stores takes less memory", async () => {
    expect((await web.capture({ event: "told", distinct_id: "ada" })).status).toBe(200)
    await web.drained()
    expect(await web.hogql("SELECT event FROM events")).toEqual([["told"]])
    expect(readResidentKib(servers[1])).toBeLessThan(readResidentKib(servers[0]))
  })

  test("leave background queries to those with the role query, as many at once as QUERY_WORKERS says", async () => {
    const ids = await Promise.all(Array.from({ length: RUNS }, (_, run) => startRun(`SELECT ${run}`)))
    expect(ids).toHaveLength(RUNS)
    // A blocking query is answered by the process that was asked, and none of those that wait is taken meanwhile.
    expect(await web.hogql("SELECT 1")).toEqual([[1]])
    expect(await listRuns()).toEqual(ids.map(() => ({ state: "queued", worker: null })))

    await start("query", { QUERY_WORKERS: String(WORKERS) }).ready()
    const atOnce: number[] = []
    await waitFor("all runs to end", async () => {
      const runs = await listRuns()
      atOnce.push(runs.filter(({ state }) => state === "running").length)
      return runs.every(({ state }) => state === "complete" || state === "failed")
    })
    expect(Math.max(...atOnce)).toBeLessThanOrEqual(WORKERS)
    const runs = await listRuns()
    expect(runs.map(({ state }) => state)).toEqual(ids.map(() => "complete"))
    expect(new Set(runs.map(({ worker }) => worker)).size).toBe(1)
  })
})
