import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Pool } from "pg"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { openPool } from "../../src/platform/postgres/open-pool.js"
import { readSessions } from "../support/capture-load.js"
import { type ClickHouseGate, startClickHouseGate } from "../support/click-house-gate.js"
import { type EmbeddedStores, startEmbeddedStores } from "../support/embedded-stores.js"
import { findRowsOf } from "../support/rows-of-project.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"

const DAY_MS = 86_400_000
const directory = temporaryDirectory()
let stores: EmbeddedStores
let pool: Pool
let gate: ClickHouseGate
let server: WaymarkProcess
let api: WaymarkApi

beforeAll(async () => {
  stores = await startEmbeddedStores()
  pool = openPool(stores.postgresUrl, 2, silentLogger)
  gate = await startClickHouseGate(stores.clickHouseUrl)
  await start()
}, 120_000)
afterAll(async () => {
  await server.stop()
  await gate.stop()
  await pool.end()
  await stores.stop()
  directory.remove()
})

async function start(): Promise<void> {
  server = new WaymarkProcess(directory.path, { DATABASE_URL: stores.postgresUrl, CLICKHOUSE_URL: gate.url })
  api = new WaymarkApi(await server.ready())
}

/** Kills the server at each of these places in turn, and starts it again; the first is where it is already on its way to. */
async function killAt(places: readonly (readonly ["statements" | "answers", RegExp])[], begin: () => Promise<unknown>) {
  for (const [index, [what, pattern]] of places.entries()) {
    const reached = gate.keepBack(what, pattern)
    await (index === 0 ? begin() : start())
    await reached
    await server.kill()
    gate.open("stays")
  }
  await start()
}

const sessionOf = (number: number): string => `019ad000-0000-7000-8000-0000000000a${number}`
const view = (event: string, session: number, daysAgo = 0) => ({
  event,
  distinct_id: "ada",
  timestamp: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
  properties: { $session_id: sessionOf(session), $current_url: `https://a.example/${event}/${daysAgo}` },
})
const isDone = async (table: string): Promise<boolean> => (await pool.query(`SELECT FROM ${table}`)).rowCount === 0

/** What queries find of events and of sessions, which equal a recount. */
async function readLeft() {
  const { rolledUp, recounted } = await readSessions(api)
  expect(rolledUp).toEqual(recounted)
  const events = (await api.hogql<[string]>("SELECT event FROM events ORDER BY timestamp, event")).flat()
  return { events, sessions: rolledUp.map(([id]) => id) }
}

describe("a server that dies", () => {
  test("in a deletion of events goes on with it, and leaves all others and their sessions", async () => {
    const events = [view("bought", 1), view("spam", 1), view("spam", 2), view("bought", 3)]
    for (const event of events) await api.capture(event)
    await api.drained()
    await killAt(
      [
        ["answers", /^ALTER TABLE events DELETE/],
        ["answers", /^INSERT INTO person_deletion_ids\s+SELECT DISTINCT deletion, 'stale_session'/],
        ["statements", /^ALTER TABLE session_rollup DELETE/],
        ["answers", /^INSERT INTO session_sources/],
        ["answers", /^ALTER TABLE person_deletion_ids DROP PARTITION/],
      ],
      () =>
        api.changed(
          `mutation { deleteEvents(input: { names: ["spam"], dryRun: false }) { outcome { eventCount } userErrors { message } } }`,
        ),
    )
    await waitFor("the deletion to be done", () => isDone("event_deletion WHERE finished_at IS NULL"), 120_000)
    expect(await readLeft()).toEqual({ events: ["bought", "bought"], sessions: [sessionOf(1), sessionOf(3)] })
    const { rows } = await pool.query(
      "SELECT event_count::int AS count, remaining_count::int AS left FROM event_deletion",
    )
    expect(rows).toEqual([{ count: 2, left: 0 }])
  }, 400_000)

  test("in a deletion by retention goes on with it", async () => {
    for (const event of [view("old", 4, 40), view("old", 1, 40), view("young", 4)]) await api.capture(event)
    await api.drained()
    await killAt(
      [
        ["answers", /^ALTER TABLE events DELETE/],
        ["answers", /^INSERT INTO session_sources/],
      ],
      async () => {
        await pool.query(`UPDATE project SET settings = settings || '{"event_retention_days": 30}' WHERE id = 1`)
        await server.kill()
        await start()
      },
    )
    await waitFor("no old event", async () => !(await readLeft()).events.includes("old"), 120_000)
    await waitFor("the deletion to be done", () => isDone("event_deletion WHERE finished_at IS NULL"), 120_000)
    expect(await readLeft()).toEqual({
      events: ["bought", "bought", "young"],
      sessions: [sessionOf(1), sessionOf(3), sessionOf(4)],
    })
  }, 400_000)

  test("in a deletion of a project leaves nothing of it", async () => {
    const { createProject } = await api.changed<{ createProject: { number: number; apiToken: string } }>(
      `mutation { createProject(input: { name: "Going" }) { project { number apiToken } userErrors { message } } }`,
    )
    const { number, apiToken } = createProject
    await api.capture({ ...view("gone", 5), distinct_id: "bob" }, apiToken)
    await api.drained()
    await killAt(
      [
        ["statements", /^ALTER TABLE events DELETE/],
        ["answers", /^ALTER TABLE persons DELETE/],
        ["answers", /^ALTER TABLE session_rollup DELETE/],
      ],
      () =>
        api.changed(
          `mutation { deleteProject(input: { projectId: "${number}", name: "Going" }) { deletedId userErrors { message } } }`,
        ),
    )
    await pool.query("UPDATE project_deletion SET requested_at = requested_at - interval '1 hour'")
    await waitFor("the deletion to be done", () => isDone("project_deletion"), 120_000)
    expect(await findRowsOf(stores, pool, number)).toEqual({})
    expect((await readLeft()).events).toEqual(["bought", "bought", "young"])
  }, 400_000)
})
