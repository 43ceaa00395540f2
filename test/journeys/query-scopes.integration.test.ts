import { beforeAll, describe, expect, test } from "@jest/globals"
import type { Json, JsonObject } from "../../src/kernel/json.js"
import { ownServer } from "../support/own-server.js"
import { type Answer, WaymarkApi } from "../support/waymark-api.js"

const { api } = ownServer()
const QUERY = "/api/environments/1/query/"

/** Speaks to the server with a key of these scopes. */
async function withScopes(...scopes: string[]): Promise<WaymarkApi> {
  const { made } = await api.graphql<{ made: { value: string } }>(
    `mutation ($label: String!, $scopes: [String!]!) {
      made: createPersonalApiKey(label: $label, scopes: $scopes) { value }
    }`,
    { label: scopes.join(" "), scopes },
  )
  return new WaymarkApi(() => api.url, made.value)
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
