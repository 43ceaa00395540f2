import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Pool } from "pg"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { openPool } from "../../src/platform/postgres/open-pool.js"
import { type EmbeddedStores, startEmbeddedStores } from "../support/embedded-stores.js"
import { makeKey } from "../support/make-key.js"
import { plantRecords } from "../support/matrix/planted-records.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"

const MARK = "only-of-the-deleted"
const directory = temporaryDirectory()
let stores: EmbeddedStores
let pool: Pool
let server: WaymarkProcess
let api: WaymarkApi

beforeAll(async () => {
  stores = await startEmbeddedStores()
  pool = openPool(stores.postgresUrl, 2, silentLogger)
  server = new WaymarkProcess(directory.path, {
    DATABASE_URL: stores.postgresUrl,
    CLICKHOUSE_URL: stores.clickHouseUrl,
  })
  api = new WaymarkApi(await server.ready())
}, 120_000)
afterAll(async () => {
  await server.stop()
  await pool.end()
  await stores.stop()
  directory.remove()
})

/** Rows of every table of both stores whose columns name a project or an organization by this value; only those that have any. */
async function findRows(value: number | string): Promise<Record<string, number>> {
  const name = typeof value === "number" ? "project_id" : "organization_id"
  const found: Record<string, number> = {}
  const { rows: columns } = await pool.query<{ table: string; column: string; isList: boolean }>(
    `SELECT quote_ident(c.table_name) AS table, c.column_name AS column, c.data_type = 'ARRAY' AS "isList"
       FROM information_schema.columns AS c JOIN information_schema.tables AS t USING (table_schema, table_name)
      WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.column_name ~ ($1 || 's?$')`,
    [name],
  )
  for (const { table, column, isList } of columns) {
    const { rows } = await pool.query<{ count: number }>(
      `SELECT count(*)::int FROM ${table} WHERE ${isList ? `$1 = ANY (${column})` : `${column} = $1`}`,
      [value],
    )
    if (rows[0]?.count !== 0) found[`${table}.${column}`] = rows[0]?.count ?? 0
  }
  if (typeof value === "string") return found
  const tables = await stores.clickHouse.rows<{ table: string; column: string }>({
    sql: `SELECT table, name AS column FROM system.columns WHERE database = currentDatabase() AND name LIKE '%project_id'
      AND table IN (SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree')`,
  })
  for (const { table, column } of tables) {
    const sql = `SELECT count() AS count FROM ${table} WHERE ${column} = {project:Int64}`
    const [row] = await stores.clickHouse.rows<{ count: number }>({ sql, parameters: { project: value } })
    if (row?.count !== 0) found[`clickhouse ${table}`] = row?.count ?? 0
  }
  return found
}

/** Files of the server that hold any of these texts. */
const findFiles = (...texts: string[]): string[] =>
  readdirSync(directory.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => texts.some((text) => readFileSync(path, "latin1").includes(text)))

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
  expect(await findRows(project)).toEqual({})
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
    const planted = Object.keys(await findRows(number))
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
    expect(await findRows(uuid)).toEqual({})
    await settle(number)
    expect((await api.get("/api/users/@me/")).status).toBe(200)
  })
})
