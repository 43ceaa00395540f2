import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { Redis } from "ioredis"
import type { Pool } from "pg"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { openPool } from "../../src/platform/postgres/open-pool.js"
import { createPrivateRedis, hasRedisServer, type PrivateRedis } from "../platform/redis-server.js"
import { type EmbeddedStores, startEmbeddedStores } from "../support/embedded-stores.js"
import { makeKey } from "../support/make-key.js"
import { plantRecords } from "../support/matrix/planted-records.js"
import { findRowsOf } from "../support/rows-of-project.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"

const MARK = "only-of-the-deleted"
const directory = temporaryDirectory()
let stores: EmbeddedStores
let pool: Pool
let privateRedis: PrivateRedis
/** Null where there is no redis-server. */
let redis: Redis | null = null
let server: WaymarkProcess
let api: WaymarkApi

beforeAll(async () => {
  stores = await startEmbeddedStores()
  pool = openPool(stores.postgresUrl, 2, silentLogger)
  privateRedis = await createPrivateRedis()
  if (hasRedisServer()) {
    await privateRedis.start()
    redis = new Redis(privateRedis.url.replace("unix://", ""))
  }
  server = new WaymarkProcess(directory.path, {
    DATABASE_URL: stores.postgresUrl,
    CLICKHOUSE_URL: stores.clickHouseUrl,
    ...(redis !== null && { REDIS_URL: privateRedis.url }),
  })
  api = new WaymarkApi(await server.ready())
}, 120_000)
afterAll(async () => {
  await server.stop()
  redis?.disconnect()
  await privateRedis.dispose()
  await pool.end()
  await stores.stop()
  directory.remove()
})

/** Files of the server that hold any of these texts. */
const findFiles = (...texts: string[]): string[] =>
  readdirSync(directory.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => texts.some((text) => readFileSync(path, "latin1").includes(text)))

/** Keys of Redis that have any of these texts in them or in what they hold. */
async function findKeys(...texts: string[]): Promise<string[]> {
  const found: string[] = []
  for (const key of (await redis?.keys("*")) ?? []) {
    const held = (await redis?.type(key)) === "hash" ? await redis?.hvals(key) : [await redis?.get(key)]
    if (texts.some((text) => `${key} ${held?.join(" ")}`.includes(text))) found.push(key)
  }
  return found
}

/** What a deletion should leave of answers in Redis: none with this text, once the deletion is done. */
async function keepAnswer(sql: string, text: string, project: number | string = "@current"): Promise<void> {
  const query = { kind: "HogQLQuery", query: sql }
  await api.post(`/api/environments/${project}/query/`, { query })
  if (redis !== null) await waitFor("an answer to be kept", async () => (await findKeys(text)).length > 0)
}

async function createProject(name: string, organizationId: string | null) {
  const { createProject: made } = await api.changed<{ createProject: { number: number; apiToken: string } }>(
    `mutation ($name: String!, $organizationId: ID) {
      createProject(input: { name: $name, organizationId: $organizationId }) {
        project { number apiToken } userErrors { message } } }`,
    { name, organizationId },
  )
  return made
}

const deleteProject = (project: number, name: string) =>
  api.changed(
    `mutation ($project: ID!, $name: String!) {
      deleteProject(input: { projectId: $project, name: $name }) { deletedId userErrors { message } } }`,
    { project, name },
  )

/** Has the deletion settle at once: a clock is all that it waits for. */
async function settle(project: number): Promise<void> {
  await pool.query("UPDATE project_deletion SET requested_at = requested_at - interval '1 hour'")
  await waitFor(
    "the deletion to be done",
    async () => (await pool.query("SELECT FROM project_deletion")).rows.length === 0,
    120_000,
  )
  expect(await findRowsOf(stores, pool, project)).toEqual({})
}

describe("deleting a project", () => {
  test("leaves no row of it in any table and no trace on disk, and all others as they were", async () => {
    const { number, apiToken } = await createProject("Going", null)
    const ids = await plantRecords(api, number, apiToken, MARK)
    await api.capture({ event: "stays", distinct_id: "ada" })
    await makeKey(api, ["*"], { label: "bound", projectIds: [number] })
    await makeKey(api, ["*"], { label: "bound to two", projectIds: [1, number] })
    await api.capture({ event: "$identify", distinct_id: "ada", properties: { $groups: { team: "a" } } }, apiToken)
    expect((await api.post("/flags/?v=2", { api_key: apiToken, distinct_id: "ada" })).status).toBe(200)
    await api.drained()
    await waitFor("the rules to be on disk", () => findFiles(apiToken).length > 0 && findFiles(MARK).length > 0)
    await keepAnswer(`SELECT '${MARK}'`, MARK, number)
    const planted = Object.keys(await findRowsOf(stores, pool, number))
    expect(planted).toEqual(
      expect.arrayContaining([
        "feature_flag.project_id",
        "person.project_id",
        "clickhouse events",
        "personal_key.project_ids",
      ]),
    )
    expect(planted.length).toBeGreaterThan(25)

    await expect(deleteProject(number, "Gone")).rejects.toThrow("nothing was deleted")
    await deleteProject(number, "Going")
    expect((await api.capture({ event: "late", distinct_id: "ada" }, apiToken)).status).toBe(401)
    expect((await api.get(`/api/projects/${number}/`)).status).toBe(404)
    await settle(number)
    await waitFor("the files to be gone", () => findFiles(apiToken, MARK).length === 0)
    expect(await findKeys(apiToken, MARK)).toEqual([])

    const { rows: keys } = await pool.query("SELECT label, project_ids FROM personal_key WHERE label LIKE 'bound%'")
    expect(keys).toEqual([{ label: "bound to two", project_ids: [1] }])
    expect(await api.hogql("SELECT event FROM events WHERE event = 'stays'")).toEqual([["stays"]])
    const { rows: audit } = await pool.query(
      "SELECT project_id, organization_id, changes FROM activity_log WHERE scope = 'Project' AND activity = 'deleted'",
    )
    expect(audit).toEqual([{ project_id: null, organization_id: ids.organization, changes: { name: "Going" } }])
  })

  test("of the last one is refused", async () => {
    await expect(deleteProject(1, "My project")).rejects.toThrow("one project at least")
  })
})

describe("deleting an organization", () => {
  test("takes its projects along, and leaves its people", async () => {
    const { createOrganization } = await api.changed<{ createOrganization: { uuid: string } }>(
      'mutation { createOrganization(input: { name: "Verein" }) { organization { uuid } userErrors { message } } }',
    )
    const { uuid } = createOrganization
    const { number, apiToken } = await createProject("Its own", uuid)
    await api.capture({ event: MARK, distinct_id: "bob" }, apiToken)
    await makeKey(api, ["*"], { label: "of it", organizationIds: [uuid] })
    await api.drained()
    const remove = (name: string) =>
      api.changed(
        `mutation ($id: ID!, $name: String!) {
          deleteOrganization(input: { id: $id, name: $name }) { deletedId userErrors { message } } }`,
        { id: uuid, name },
      )
    await expect(remove("Verband")).rejects.toThrow("nothing was deleted")
    await remove("Verein")
    expect(await findRowsOf(stores, pool, uuid)).toEqual({})
    await settle(number)
    expect((await api.get("/api/users/@me/")).status).toBe(200)
  })
})

describe("deleting", () => {
  const read = "SELECT properties.mark, 'kept' FROM events WHERE event = 'marked'"
  const send = async (mark: string) => {
    await api.capture({ event: "marked", distinct_id: mark, properties: { mark, $set: { mark } } })
    await api.drained()
  }

  test("events takes the answers along that show them", async () => {
    await send("of-deleted-events")
    await keepAnswer(read, "of-deleted-events")
    await api.changed(
      `mutation { deleteEvents(input: { names: ["marked"], dryRun: false }) { outcome { eventCount } userErrors { message } } }`,
    )
    const sql = "SELECT FROM event_deletion WHERE finished_at IS NULL"
    await waitFor("the deletion to be done", async () => (await pool.query(sql)).rows.length === 0, 120_000)
    expect(await findKeys("of-deleted-events")).toEqual([])
  })

  test("a person takes the answers along that show them", async () => {
    await send("of-a-deleted-person")
    await keepAnswer(read, "of-a-deleted-person")
    const { body } = await api.get<{ results: { id: string }[] }>(
      "/api/environments/@current/persons/?distinct_id=of-a-deleted-person",
    )
    await api.request("DELETE", `/api/environments/@current/persons/${body.results[0]?.id}/?delete_events=true`)
    const sql = "SELECT FROM person_deletion"
    await waitFor("the deletion to be done", async () => (await pool.query(sql)).rows.length === 0, 120_000)
    expect(await findKeys("of-a-deleted-person")).toEqual([])
  })
})
