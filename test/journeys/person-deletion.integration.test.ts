import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Pool } from "pg"
import type { ClickHouse } from "../../src/platform/clickhouse/click-house.js"
import { createClickHouse } from "../../src/platform/clickhouse/click-house-client.js"
import { type EmbeddedClickHouse, startEmbeddedClickHouse } from "../../src/platform/embedded/embedded-clickhouse.js"
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { openPool } from "../../src/platform/postgres/open-pool.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PERSONAL_KEY, PROJECT_KEY, temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"

const ENVIRONMENT = "/api/environments/@current"
const PERSONS = `${ENVIRONMENT}/persons`
const QUERY = `${ENVIRONMENT}/query`
const FLAGS = "/api/projects/@current/feature_flags/"
/** Part of every id and address of the person who is deleted, and of nothing else. */
const MARK = "zebrafinch"
const USER = `${MARK}-user`
const EMAIL = `${MARK}@example.com`
const SESSION = "0199a000-0000-7000-8000-00000000dead"
/** What a deletion takes to be done, and the engine to remove the files that it replaced. */
const DONE_WITHIN_MS = 60_000

const directory = { server: temporaryDirectory(), stores: temporaryDirectory() }
let postgres: EmbeddedPostgres
let engine: EmbeddedClickHouse
let server: WaymarkProcess
let api: WaymarkApi
let pool: Pool
let clickHouse: ClickHouse

beforeAll(async () => {
  const dataDirectory = directory.stores.path
  postgres = await startEmbeddedPostgres({ dataDirectory, logger: silentLogger })
  engine = await startEmbeddedClickHouse({ dataDirectory, logger: silentLogger })
  server = new WaymarkProcess(directory.server.path, { DATABASE_URL: postgres.url, CLICKHOUSE_URL: engine.url })
  api = new WaymarkApi(await server.ready())
  pool = openPool(postgres.url, 4, silentLogger)
  clickHouse = createClickHouse({ url: () => engine.url, logger: silentLogger })
  // The engine keeps replaced files for some minutes, in case the machine loses power.
  for (const { name } of await tables())
    await clickHouse.command({ sql: `ALTER TABLE ${name} MODIFY SETTING old_parts_lifetime = 1` })
})
afterAll(async () => {
  await server.stop()
  await pool.end()
  await clickHouse.close()
  await Promise.all([postgres.stop(), engine.stop()])
  for (const { remove } of Object.values(directory)) remove()
})

const tables = () =>
  clickHouse.rows<{ name: string }>({
    sql: "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'",
  })

/** Tables of PostgreSQL with rows that hold any of the texts in any column, also within bytes. */
async function searchPostgres(...texts: string[]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1",
  )
  const wanted = texts.flatMap((text) => [text, Buffer.from(text).toString("hex")])
  const found: string[] = []
  for (const { name } of rows) {
    const sql = `SELECT 1 FROM ${name} AS one, unnest($1::text[]) AS wanted WHERE strpos(lower(one::text), wanted) > 0 LIMIT 1`
    if ((await pool.query(sql, [wanted])).rowCount !== 0) found.push(name)
  }
  return found
}

/** Tables of ClickHouse with such rows, and its list of mutations when their texts hold any. */
async function searchClickHouse(...texts: string[]): Promise<string[]> {
  const found: string[] = []
  const condition = (text: string) =>
    `arrayExists(wanted -> position(lower(${text}), wanted) > 0, {texts:Array(String)})`
  const look = async (name: string, text: string): Promise<void> => {
    const sql = `SELECT 1 FROM ${name} WHERE ${condition(text)} LIMIT 1`
    if ((await clickHouse.rows({ sql, parameters: { texts } })).length > 0) found.push(name)
  }
  for (const { name } of await tables()) await look(name, "formatRow('JSONEachRow', *)")
  await look("system.mutations", "command")
  return found
}

/** Files below a directory that hold the text as it is. */
function searchFiles(path: string, text: string): string[] {
  const found: string[] = []
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    try {
      if (readFileSync(join(entry.parentPath, entry.name)).includes(text))
        found.push(join(entry.parentPath, entry.name))
    } catch {
      // The engine has removed it meanwhile.
    }
  }
  return found
}

const emailQuery = {
  kind: "HogQLQuery",
  query: `SELECT event, person.properties.email FROM events WHERE distinct_id LIKE '${MARK}%'`,
}
const run = (some: object) => api.post<Record<string, unknown>>(`${QUERY}/`, { query: emailQuery, ...some })

async function sendEvents(): Promise<void> {
  const anonymous = { $anon_distinct_id: `${MARK}-anon`, $set: { email: EMAIL, name: MARK } }
  const beside = { $anon_distinct_id: "neighbour-anon", $set: { email: "n@example.com" } }
  await api.capture({ event: "seen", distinct_id: `${MARK}-quiet`, properties: { $process_person_profile: false } })
  await api.capture({ event: "landed", distinct_id: `${MARK}-anon`, properties: { page: `/of/${MARK}` } })
  await api.capture({ event: "$identify", distinct_id: USER, properties: anonymous })
  await api.capture({ event: "$create_alias", distinct_id: USER, properties: { alias: `${MARK}-quiet` } })
  await api.capture({ event: "$identify", distinct_id: "neighbour", properties: beside })
  await api.drained()
  // Refused, with both ids in the warning; and an event without a name, whose warning has its sender.
  await api.capture({ event: "$identify", distinct_id: USER, properties: { $anon_distinct_id: "neighbour" } })
  await api.capture({ distinct_id: USER, properties: {} })
  await api.drained()
  await waitFor("both warnings", async () => {
    const { rows } = await pool.query("SELECT FROM ingestion_warning WHERE last_distinct_id = $1", [USER])
    return rows.length === 2
  })
  const letter = { uuid: "u", event: "odd", distinctId: USER, properties: { email: EMAIL }, receivedAtMs: 1 }
  await pool.query("INSERT INTO ingest_dead_letter (project_id, event, reason) VALUES (1, $1, 'planted')", [
    JSON.stringify(letter),
  ])
}

async function sendRecording(): Promise<void> {
  const nowMs = Date.now()
  const items = [
    { type: 4, timestamp: nowMs - 9_000, data: { href: `https://a.test/${MARK}`, width: 1, height: 1 } },
    { type: 3, timestamp: nowMs - 8_000, data: { source: 5, text: EMAIL, id: 1 } },
    {
      type: 6,
      timestamp: nowMs - 7_000,
      data: { plugin: "rrweb/console@1", payload: { level: "warn", payload: [EMAIL] } },
    },
  ]
  const properties = {
    token: PROJECT_KEY,
    distinct_id: USER,
    $session_id: SESSION,
    $window_id: "w",
    $snapshot_data: items,
  }
  await api.post("/s/", [{ event: "$snapshot", uuid: "0199a000-0000-7000-8000-0000000000b1", properties }])
  await api.drained()
}

async function useFlagsAndCohorts(): Promise<void> {
  const flag = { key: "kept", ensure_experience_continuity: true, filters: { groups: [{ rollout_percentage: 50 }] } }
  expect((await api.post(FLAGS, flag)).status).toBe(201)
  await waitFor("the flag to be decided", async () => {
    const asked = { token: PROJECT_KEY, distinct_id: USER, $anon_distinct_id: `${MARK}-anon` }
    const { body } = await api.post<{ featureFlags: object }>("/decide?v=3", asked)
    return "kept" in body.featureFlags
  })
  await waitFor("the hash key to be kept", async () => (await searchPostgres(MARK)).includes("flag_hash_key"))
  const named = { key: "email", type: "person", operator: "exact", value: [EMAIL, "n@example.com"] }
  const naming = { key: "named", filters: { groups: [{ properties: [named] }] } }
  expect((await api.post(FLAGS, naming)).status).toBe(201)
  const { createCohort } = await api.changed<{ createCohort: { id: number } }>(
    'mutation { createCohort(input: { isStatic: true, name: "c" }) { cohort { id: number } userErrors { message } } }',
  )
  await api.changed(
    `mutation ($id: ID!, $ids: [String!]!) {
      addCohortMembers(input: { id: $id, distinctIds: $ids }) { memberCount userErrors { message } } }`,
    {
      id: createCohort.id,
      ids: [USER],
    },
  )
}

async function runQueries(): Promise<void> {
  expect((await run({ refresh: "blocking" })).body.is_cached).toBe(false)
  expect((await run({ refresh: "blocking" })).body.is_cached).toBe(true)
  await run({ refresh: "force_async", client_query_id: "kept-run" })
  await waitFor("the run to end", async () => {
    const { body } = await api.get<{ query_status: { complete: boolean } }>(`${QUERY}/kept-run/`)
    return body.query_status.complete
  })
  const exported = await fetch(`${api.url}${QUERY}/export/?format=csv`, {
    method: "POST",
    headers: { authorization: `Bearer ${PERSONAL_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ query: emailQuery, client_query_id: "kept-export" }),
  })
  expect(await exported.text()).toContain(EMAIL)
}

const findPersonId = async (): Promise<string> => {
  const { body } = await api.get<{ results: { id: string }[] }>(`${PERSONS}/?distinct_id=${USER}`)
  return body.results[0]?.id ?? ""
}

describe("a person who has come through every door", () => {
  let personId = ""
  beforeAll(async () => {
    await sendEvents()
    await sendRecording()
    await useFlagsAndCohorts()
    await runQueries()
    personId = await findPersonId()
  }, 120_000)

  test("is where this search looks", async () => {
    expect(await searchPostgres(MARK)).toEqual(
      expect.arrayContaining([
        "feature_flag",
        "flag_hash_key",
        "ingest_dead_letter",
        "ingestion_warning",
        "person",
        "person_distinct_id",
        "query_run",
      ]),
    )
    expect(await searchPostgres(personId)).toContain("cohort_member")
    expect(await searchClickHouse(MARK)).toEqual(
      expect.arrayContaining([
        "events",
        "person_distinct_ids",
        "persons",
        "session_replay_events",
        "session_snapshots",
        "log_entries",
      ]),
    )
    expect(searchFiles(join(directory.stores.path, "clickhouse"), MARK)).not.toEqual([])
  })

  test("is in no answer once the deletion is answered", async () => {
    const path = `${PERSONS}/${personId}/?delete_events=true&delete_recordings=true`
    expect((await api.request("DELETE", path)).status).toBe(202)
    expect((await run({ refresh: "force_cache" })).body).not.toHaveProperty("results")
    expect((await api.get(`${QUERY}/kept-run/`)).status).toBe(404)
  })

  test("has left nothing in either store when the deletion is done", async () => {
    const isDone = async () => (await pool.query("SELECT FROM person_deletion")).rowCount === 0
    await waitFor("the deletion to be done", isDone, DONE_WITHIN_MS)
    expect(await searchPostgres(MARK, personId)).toEqual([])
    expect(await searchClickHouse(MARK, personId)).toEqual([])
  })

  test("has left nothing in the files of ClickHouse, nor in those and the log of the server", async () => {
    const path = join(directory.stores.path, "clickhouse")
    await waitFor("the files to go", () => searchFiles(path, MARK).length === 0, DONE_WITHIN_MS)
    expect(searchFiles(directory.server.path, MARK)).toEqual([])
    expect(server.stdout + server.stderr).not.toContain(MARK)
  }, 150_000)

  test("has left the flag that named it to the others in its list", async () => {
    const flags = await api.get<{ results: { key: string; filters: unknown }[] }>(FLAGS)
    const named = flags.body.results.find(({ key }) => key === "named")
    expect(JSON.stringify(named?.filters)).toContain('["deleted person","n@example.com"]')
  })

  test("took nobody else along, nor the counts of warnings", async () => {
    expect(await api.hogql("SELECT DISTINCT person.properties.email FROM events")).toEqual([["n@example.com"]])
    const { rows } = await pool.query("SELECT sum(occurrences)::int AS count FROM ingestion_warning")
    expect(rows).toEqual([{ count: 2 }])
  })
})
