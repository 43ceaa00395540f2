import { resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Pool } from "pg"
import { type PackedRequests, unpackRequests } from "../../src/features/capture/index.js"
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { openPool } from "../../src/platform/postgres/open-pool.js"
import { appendToLog } from "../support/append-to-log.js"
import { copyOfTemplate } from "../support/store-templates.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PROJECT_KEY, WaymarkProcess } from "../support/waymark-process.js"

/** Addresses of which the test file knows the one and not the other. */
const LONDON = "81.2.69.142"
const NOWHERE = "198.51.100.77"
const GEOIP_DB = resolve("test/features/persons/GeoIP2-City-Test.mmdb")

const directory = copyOfTemplate("server")
let postgres: EmbeddedPostgres
let pool: Pool
let server: WaymarkProcess
let api: WaymarkApi

async function start(roles: string): Promise<void> {
  const environment = { DATABASE_URL: postgres.url, GEOIP_DB, TRUST_PROXY: "1", ROLES: roles }
  server = new WaymarkProcess(directory.path, environment)
  api = new WaymarkApi(await server.ready())
}

beforeAll(async () => {
  postgres = await startEmbeddedPostgres({ dataDirectory: directory.path, logger: silentLogger })
  pool = openPool(postgres.url, 2, silentLogger)
  await start("web,query")
})
afterAll(async () => {
  await server.stop()
  await pool.end()
  await postgres.stop()
  directory.remove()
})

const send = async (path: string, body: object, from: string): Promise<void> => {
  const { status } = await api.request("POST", path, body, { "x-forwarded-for": from })
  expect(status).toBe(200)
}

/** Everything that waits in the ingest log, as text. */
async function readLog(): Promise<string> {
  const { rows } = await pool.query<PackedRequests>(
    'SELECT requests AS bytes, byte_count AS "byteCount" FROM ingest_log',
  )
  return JSON.stringify(await Promise.all(rows.map(unpackRequests)))
}

/** Names of the tables of PostgreSQL in which a text stands, the log aside. */
async function findTables(text: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
  )
  const found: string[] = []
  for (const { name } of rows) {
    const { rowCount } = await pool.query(`SELECT FROM "${name}" AS t WHERE t::text LIKE $1`, [`%${text}%`])
    if (rowCount !== 0) found.push(name)
  }
  return found
}

describe("a project with anonymize_ips", () => {
  test("is one by PATCH of its admins, which GET shows", async () => {
    const path = "/api/projects/1/"
    expect((await api.get(path)).body).toMatchObject({ anonymize_ips: false })
    expect(await api.patch(path, { anonymize_ips: "maybe" })).toMatchObject({ status: 400 })
    expect(await api.patch(path, { anonymize_ips: true, week_start_day: 1 })).toMatchObject({
      status: 200,
      body: { anonymize_ips: true, week_start_day: 1 },
    })
    expect((await api.get("/api/environments/1/")).body).toMatchObject({ anonymize_ips: true, week_start_day: 1 })
    const update = `mutation {
        updateProject(input: { settings: { raw: { anonymize_ips: "yes" } } }) {
          project { id: number } userErrors { message } } }`
    await expect(api.changed(update)).rejects.toThrow("anonymize_ips must be true or false.")
  })

  test("has no address in the log, whatever path an event took, but for visitors told by it", async () => {
    const event = (name: string, properties: object = {}) => ({
      event: name,
      distinct_id: name,
      properties: { ...properties, $set: { $ip: LONDON, seen: name } },
    })
    await send("/i/v0/e/", { api_key: PROJECT_KEY, ...event("single") }, LONDON)
    await send("/batch/", { api_key: PROJECT_KEY, batch: [event("batch", { $ip: LONDON }), event("other")] }, NOWHERE)
    const snapshot = { $session_id: "s", $window_id: "w", $snapshot_data: [{ type: 2, timestamp: Date.now() }] }
    await send("/s/", { api_key: PROJECT_KEY, event: "$snapshot", distinct_id: "a", properties: snapshot }, LONDON)
    const log = await readLog()
    expect(log).toContain("single")
    expect(log).toContain("$snapshot_items")
    expect(log).not.toContain(LONDON)
    expect(log).not.toContain(NOWHERE)

    const visit = { $cookieless_mode: true, $raw_user_agent: "Firefox", $host: "shop.example.com" }
    const cookieless = { event: "visit", distinct_id: "$posthog_cookieless", properties: visit }
    await send("/i/v0/e/", { api_key: PROJECT_KEY, ...cookieless, timestamp: new Date().toISOString() }, LONDON)
    expect(await readLog()).toContain(LONDON)
  })

  test("has places and no address in what is stored of them", async () => {
    await appendToLog(pool, 1, [{ receivedAtMs: Date.now(), clientIp: "", eventsJson: "[{", eventCount: 1 }])
    await server.stop()
    await start("web,query,ingest")
    await api.drained()
    expect(
      await api.hogql(
        `SELECT event, properties.$geoip_city_name, properties.$ip, person.properties.$geoip_city_name,
                person.properties.$initial_geoip_city_name, person.properties.seen, person.properties.$ip
         FROM events WHERE event IN ('single', 'batch', 'other') ORDER BY event`,
      ),
    ).toEqual([
      ["batch", "London", null, "London", "London", "batch", null],
      ["other", null, null, null, null, "other", null],
      ["single", "London", null, "London", "London", "single", null],
    ])
    expect(
      await api.hogql("SELECT properties.$geoip_city_name, properties.$ip FROM events WHERE event = 'visit'"),
    ).toEqual([["London", null]])
    await waitFor("the log to be empty", async () => (await pool.query("SELECT FROM ingest_log")).rowCount === 0)
    expect([...(await findTables(LONDON)), ...(await findTables(NOWHERE))]).toEqual([])
    const everything = await api.hogql("SELECT count() FROM events WHERE toString(properties) LIKE '%81.2.69.142%'")
    expect(everything).toEqual([[0]])
  })
})
