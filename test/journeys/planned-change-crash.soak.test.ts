import { afterAll, beforeAll, expect, test } from "@jest/globals"
import { Client, type Pool } from "pg"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { openPool } from "../../src/platform/postgres/open-pool.js"
import { type EmbeddedStores, startEmbeddedStores } from "../support/embedded-stores.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PROJECT_KEY, temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"

const FLAGS = "/api/projects/@current/feature_flags/"
const EVERYBODY = { groups: [{ properties: [], rollout_percentage: 100 }] }
const directory = temporaryDirectory()
let stores: EmbeddedStores
let pool: Pool
let server: WaymarkProcess
let api: WaymarkApi

beforeAll(async () => {
  stores = await startEmbeddedStores()
  pool = openPool(stores.postgresUrl, 2, silentLogger)
  await start()
}, 120_000)
afterAll(async () => {
  await server.stop()
  await pool.end()
  await stores.stop()
  directory.remove()
})

async function start(): Promise<void> {
  const urls = { DATABASE_URL: stores.postgresUrl, CLICKHOUSE_URL: stores.clickHouseUrl }
  server = new WaymarkProcess(directory.path, urls)
  api = new WaymarkApi(await server.ready())
}

async function createFlag(key: string): Promise<number> {
  const { body } = await api.post<{ id: number }>(FLAGS, { key, filters: EVERYBODY, active: true })
  return body.id
}

async function plan(id: number, recurrence: "DAILY" | null): Promise<void> {
  await api.changed(
    `mutation ($id: ID!, $at: DateTimeISO!, $recurrence: Recurrence) {
      createFeatureFlagScheduledChange(input: { id: $id, at: $at, recurrence: $recurrence, change: { active: false } }) {
        scheduledChange { id } userErrors { message } } }`,
    { id, at: new Date(Date.now() + 3_600_000), recurrence },
  )
}

/** Their time has come three days ago, to the millisecond, as plans have it. */
async function makeDue(): Promise<void> {
  const past = "date_trunc('second', now()) - interval '3 days'"
  await pool.query(`UPDATE flag_scheduled_change SET starts_at = ${past}, due_at = ${past}`)
}

/** In a session of its own, which may be idle for as long as that takes. */
async function withLock(lock: string, work: () => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: stores.postgresUrl })
  await client.connect()
  await client.query(`BEGIN; ${lock}`)
  await work().finally(() => client.end())
}

async function readFlag(id: number) {
  const { body } = await api.get<{ active: boolean; version: number }>(`${FLAGS}${id}/`)
  const { rows } = await pool.query(
    "SELECT activity FROM activity_log WHERE scope = 'FeatureFlag' AND item_id = $1 AND activity = 'updated by plan'",
    [String(id)],
  )
  return { active: body.active, version: body.version, made: rows.length }
}

const MADE = { active: false, version: 2, made: 1 }

test("a server that dies in a planned change of a flag makes it once: none of it before, all of it after", async () => {
  const [once, daily] = [await createFlag("once"), await createFlag("daily")]
  await plan(once, null)
  await plan(daily, "DAILY")

  // Every change of a flag is logged in its transaction, which stays open until then.
  await withLock("LOCK TABLE activity_log IN EXCLUSIVE MODE", async () => {
    await makeDue()
    await waitFor("the server to be in the change", async () => {
      return (await pool.query("SELECT FROM pg_locks WHERE NOT granted")).rowCount !== 0
    })
    await server.kill()
  })
  await start()
  const isMade = async (id: number): Promise<boolean> =>
    (await pool.query("SELECT FROM feature_flag WHERE id = $1 AND version = 2", [id])).rowCount === 1
  await waitFor("a change to be committed", async () => (await isMade(once)) || (await isMade(daily)))
  await server.kill()

  await start()
  await waitFor("both changes", async () => (await isMade(once)) && (await isMade(daily)))
  expect(await readFlag(once)).toEqual(MADE)
  expect(await readFlag(daily)).toEqual(MADE)
  const { rows } = await pool.query(
    'SELECT flag_id AS id, due_at > now() AS "isDueLater", failure FROM flag_scheduled_change ORDER BY flag_id',
  )
  expect(rows).toEqual([
    { id: once, isDueLater: null, failure: null },
    { id: daily, isDueLater: true, failure: null },
  ])
  await waitFor("decisions of now", async () => {
    const asked = { api_key: PROJECT_KEY, distinct_id: "ada" }
    const { body } = await api.post<{ featureFlags: Record<string, boolean> }>("/decide?v=3", asked)
    return !Object.values(body.featureFlags).includes(true)
  })
}, 200_000)
