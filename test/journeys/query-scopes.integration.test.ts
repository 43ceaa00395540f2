import { beforeAll, describe, expect, test } from "@jest/globals"
import type { Json, JsonObject } from "../../src/kernel/json.js"
import { makeKey } from "../support/make-key.js"
import { ownServer } from "../support/own-server.js"
import { type Answer, WaymarkApi } from "../support/waymark-api.js"

const { api } = ownServer()
const QUERY = "/api/environments/1/query/"

/** Speaks to the server with a key of these scopes. */
async function withScopes(...scopes: string[]): Promise<WaymarkApi> {
  const { value } = await makeKey(api, scopes)
  return new WaymarkApi(() => api.url, value)
}

interface QueryBody {
  readonly results: Json[][]
  readonly columns: string[]
  readonly clickhouse: string | null
  readonly explain: string[] | null
  readonly detail?: string
  readonly attr?: string
}

const ask = (
  caller: WaymarkApi,
  query: string,
  more: JsonObject = {},
  rest: JsonObject = {},
): Promise<Answer<QueryBody>> =>
  caller.post<QueryBody>(QUERY, { query: { kind: "HogQLQuery", query, ...more }, refresh: "force_blocking", ...rest })

const refused = (scope: string) => ({ status: 403, body: { detail: `API key missing required scope '${scope}'` } })

let reader: WaymarkApi
beforeAll(async () => {
  reader = await withScopes("query:read")
  await api.capture({ event: "it's 5 o'clock \\ now", distinct_id: "ann" })
  await api.drained()
})

describe("explain: true", () => {
  const TEXT = "SELECT distinct_id FROM events WHERE event = 'it''s 5 o''clock \\\\ now'"

  test("adds the engine's plan and the SQL that it is given, which can be run as it stands", async () => {
    const { status, body } = await ask(await withScopes("query:write"), TEXT, { explain: true })
    expect({ status, results: body.results }).toEqual({ status: 200, results: [["ann"]] })
    expect(body.clickhouse).toContain(`'it\\'s 5 o\\'clock \\\\ now'`)
    expect(body.clickhouse).toContain("equals(r.project_id, 1)")
    expect(body.clickhouse).not.toContain("{")
    expect(body.explain?.join("\n")).toContain("ReadFromMergeTree")
    expect(body.explain?.join("\n")).toContain("project_id in [1, 1]")
  })

  test("tells nothing of how much the tables hold, which is what all projects have", async () => {
    const { body } = await ask(api, TEXT, { explain: true })
    expect(body.explain?.join("\n")).not.toMatch(/Parts|Granules|Ranges|Rows/)
  })

  test("is refused by the name of the scope to a key that may only read, and changes nothing without it", async () => {
    expect(await ask(reader, TEXT, { explain: true })).toMatchObject(refused("query:write"))
    const { status, body } = await ask(reader, TEXT, { explain: false })
    expect({ status, ...body }).toMatchObject({ status: 200, clickhouse: null, explain: null, results: [["ann"]] })
  })

  test("is as closed when the answer is cached, in a status, in its events and in what a cancel answers", async () => {
    const asked = { client_query_id: "plan", refresh: "blocking" }
    expect(await ask(api, TEXT, { explain: true }, asked)).toMatchObject({ status: 200 })
    expect(await ask(reader, TEXT, { explain: true }, asked)).toMatchObject(refused("query:write"))
    expect(await reader.get(`${QUERY}plan/`)).toMatchObject(refused("query:write"))
    expect(await reader.get(`${QUERY}plan/events/`)).toMatchObject({ status: 403 })
    expect(await reader.get(`${QUERY}plan/export/`)).toMatchObject(refused("query:write"))
    expect(await reader.request("DELETE", `${QUERY}plan/`)).toMatchObject(refused("query:write"))
    expect(await api.get(`${QUERY}plan/`)).toMatchObject({
      status: 200,
      body: { query_status: { results: { explain: expect.any(Array) } } },
    })
  })

  test("is refused where there is no plan to show: in an export, and in the source of an ActorsQuery", async () => {
    const query = { kind: "HogQLQuery", query: "SELECT 1", explain: true }
    expect(await api.post(`${QUERY}export/`, { query })).toMatchObject({
      status: 400,
      body: { attr: "query__explain" },
    })
    const actors = { kind: "ActorsQuery", source: { ...query, query: "SELECT id FROM persons" } }
    expect(await api.post(QUERY, { query: actors })).toMatchObject({
      status: 400,
      body: { attr: "query__source__explain" },
    })
  })
})

describe("tables of records", () => {
  const FLAGS = "/api/projects/1/feature_flags/"
  const PRO: JsonObject = {
    properties: { type: "AND", values: [{ key: "plan", type: "person", value: "pro", operator: "exact" }] },
  }
  let other: { id: number }

  beforeAll(async () => {
    const { made } = await api.changed<{ made: { id: number } }>(
      'mutation { made: createProject(input: { name: "Nebenan" }) { project { id: number } userErrors { message } } }',
    )
    other = made
    const groups = [{ rollout_percentage: 40 }]
    const filters = { groups, payloads: { true: '"hush"' } }
    const secret = { is_remote_configuration: true, has_encrypted_payloads: true }
    const create = async (path: string, body: JsonObject) =>
      expect(await api.post(path, body)).toMatchObject({ status: 201 })
    await create(FLAGS, { key: "bigger", name: "Größer", filters: { groups } })
    await create(FLAGS, { key: "hidden", ...secret, filters })
    await create(FLAGS, { key: "gone", filters: { groups } })
    const { results } = (await api.get<{ results: { id: number; key: string }[] }>(FLAGS)).body
    await api.patch(`${FLAGS}${results.find(({ key }) => key === "gone")?.id}/`, { deleted: true })
    await create(`/api/projects/${other.id}/feature_flags/`, { key: "theirs", filters: { groups } })
    await create("/api/projects/1/cohorts/", { name: "Pro", filters: PRO })
    await create("/api/environments/1/actions/", { name: "Bought", steps: [{ event: "bought" }] })
    await create("/api/environments/1/session_recording_playlists/", { name: "Watch 'me'" })
    await api.capture({
      event: "$feature_flag_called",
      distinct_id: "ann",
      properties: { $feature_flag: "bigger", $groups: { firm: "acme" } },
    })
    await api.capture({
      event: "$groupidentify",
      distinct_id: "ann",
      properties: { $group_type: "firm", $group_key: "a" },
    })
    await api.drained()
  })

  test("show what there is now, with JSON to read into, and nothing that was deleted or is kept secret", async () => {
    const rows = await api.hogql(
      "SELECT key, name, active, filters.groups.1.rollout_percentage, created_at > now() - INTERVAL 1 HOUR, team_id " +
        "FROM system.feature_flags ORDER BY key",
    )
    expect(rows).toEqual([
      ["bigger", "Größer", true, "40", 1, 1],
      ["hidden", "", true, expect.anything(), 1, 1],
    ])
    const all = await api.hogql("SELECT * FROM system.feature_flags")
    expect(JSON.stringify(all)).not.toMatch(/hush|encrypted:|payloads/)
  })

  test("are of every kind that people manage", async () => {
    const ask = (text: string) => api.hogql(text)
    expect(await ask("SELECT name, is_static, filters.properties.values.1.key FROM system.cohorts")).toEqual([
      ["Pro", false, "plan"],
    ])
    expect(await ask("SELECT a.name, JSONLength(toString(steps)) FROM system.actions AS a")).toEqual([["Bought", 1]])
    expect(await ask("SELECT name, pinned, filters IS NULL FROM system.session_recording_playlists")).toEqual([
      ["Watch 'me'", false, expect.anything()],
    ])
    expect(await ask("SELECT name, query.kind FROM system.insights ORDER BY id LIMIT 1")).toEqual([
      ["Visits", "TrendsQuery"],
    ])
    expect(await ask("SELECT name, pinned, version, tiles.1.w FROM system.dashboards")).toEqual([
      ["Your first dashboard", false, 1, "12"],
    ])
    expect(await ask("SELECT group_types.index, name FROM system.group_types")).toEqual([[0, "firm"]])
    expect(await ask("SELECT team_id, timezone, week_start_day FROM system.project")).toEqual([[1, "UTC", 0]])
  })

  test("are joined with events, are searched by IN, and count in the definition of an insight", async () => {
    const joined = await api.hogql(
      "SELECT f.name, count() FROM events AS e JOIN system.feature_flags AS f ON e.properties.$feature_flag = f.key " +
        "WHERE e.event = '$feature_flag_called' GROUP BY f.name",
    )
    expect(joined).toEqual([["Größer", 1]])
    const value = "properties.$feature_flag IN (SELECT key FROM system.feature_flags)"
    const properties = [{ type: "hogql", key: value }]
    const query = { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: null }], properties }
    expect(await api.post(QUERY, { query, refresh: "force_blocking" })).toMatchObject({
      status: 200,
      body: { results: [{ count: 1 }] },
    })
    expect(await reader.post(QUERY, { query })).toMatchObject(refused("feature_flag:read"))
  })

  test("are always as they are now, although other answers are cached", async () => {
    const count = async () =>
      (await ask(api, "SELECT count() FROM system.actions", {}, { refresh: "blocking" })).body.results[0]?.[0]
    const before = await count()
    await api.post("/api/environments/1/actions/", { name: "Sold", steps: [] })
    expect(await count()).toBe(Number(before) + 1)
  })

  test.each([
    ["feature_flags", "feature_flag:read"],
    ["cohorts", "cohort:read"],
    ["actions", "action:read"],
    ["session_recording_playlists", "session_recording_playlist:read"],
    ["insights", "insight:read"],
    ["dashboards", "dashboard:read"],
    ["group_types", "group:read"],
    ["project", "project:read"],
  ])("system.%s needs %s, however it is written, in every kind of answer", async (table, scope) => {
    const asked = { client_query_id: `of ${table}`, refresh: "blocking" }
    for (const text of [`system.${table}`, `"system" . \`${table}\``, `\`system.${table}\``])
      expect(await ask(reader, `SELECT count() FROM ${text}`)).toMatchObject(refused(scope))
    const { id, value } = await makeKey(api, ["query:read", scope])
    const holder = new WaymarkApi(() => api.url, value)
    expect(await ask(holder, `SELECT 1 FROM system.${table}`, {}, asked)).toMatchObject({ status: 200 })
    // A user has ten keys at most.
    await api.changed(
      `mutation ($id: ID!) { revokePersonalApiKey(input: { id: $id }) { personalApiKey { uuid } userErrors { message } } }`,
      { id },
    )
    for (const path of ["", "events/", "export/"])
      expect(await reader.get(`${QUERY}${encodeURIComponent(`of ${table}`)}/${path}`)).toMatchObject({ status: 403 })
  })

  test("are not found where a name is hidden from who checks it, or a saved condition names them", async () => {
    const hidden = await ask(reader, "SELECT 1 FROM system /* so */ . cohorts")
    expect(hidden).toMatchObject({ status: 400, body: { detail: expect.stringContaining("system.cohorts") } })
    const escaped = await ask(reader, 'SELECT 1 FROM "sys\\tem.cohorts"')
    expect(escaped.status).toBe(400)
    expect(await ask(api, "SELECT 1 FROM system.tables")).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('Unknown table "system.tables"') },
    })
  })

  test("are of the project that is asked about alone", async () => {
    const query = { kind: "HogQLQuery", query: "SELECT key FROM system.feature_flags" }
    const there = await api.post<QueryBody>(`/api/environments/${other.id}/query/`, { query })
    expect(there.body.results).toEqual([["theirs"]])
  })

  test("are described among the tables, and exported", async () => {
    const { body } = await api.post<{ tables: Record<string, JsonObject> }>(QUERY, {
      query: { kind: "DatabaseSchemaQuery" },
    })
    expect(body.tables["system.cohorts"]).toMatchObject({
      type: "system",
      description: expect.stringContaining("Cohorts"),
      fields: { filters: { type: "json" }, is_static: { type: "boolean" } },
    })
    const query = { kind: "HogQLQuery", query: "SELECT key FROM system.feature_flags WHERE active ORDER BY key" }
    expect((await api.post(`${QUERY}export/?format=csv`, { query })).body).toBe("key\r\nbigger\r\nhidden\r\n")
  })
})
