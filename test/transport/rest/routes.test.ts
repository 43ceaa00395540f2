import { describe, expect, test } from "@jest/globals"
import { parse } from "graphql"
import { QUERY_SCHEMA } from "../../../src/features/queries/kinds/query-schema.js"
import { createComponents } from "../../../src/transport/rest/components.js"
import { toOpenApi } from "../../../src/transport/rest/openapi.js"
import { createRouteTable } from "../../../src/transport/rest/route-table.js"
import { allRows } from "../../support/all-rows.js"
import { startRest } from "../support/start-rest.js"

const ENVIRONMENT = "/api/environments/:project_id"

/** Every method and path of the contract. */
const CONTRACT = [
  `GET ${ENVIRONMENT}/session_recording_playlists`,
  `POST ${ENVIRONMENT}/session_recording_playlists`,
  `GET ${ENVIRONMENT}/session_recording_playlists/:short_id`,
  `PATCH ${ENVIRONMENT}/session_recording_playlists/:short_id`,
  `DELETE ${ENVIRONMENT}/session_recording_playlists/:short_id`,
  `GET ${ENVIRONMENT}/session_recording_playlists/:short_id/recordings`,
  `POST ${ENVIRONMENT}/session_recording_playlists/:short_id/recordings/:session_recording_id`,
  `DELETE ${ENVIRONMENT}/session_recording_playlists/:short_id/recordings/:session_recording_id`,
  `GET ${ENVIRONMENT}/session_recordings`,
  `GET ${ENVIRONMENT}/session_recordings/:id`,
  `GET ${ENVIRONMENT}/persons/trends`,
  `GET ${ENVIRONMENT}/persons/values`,
  `GET ${ENVIRONMENT}/plugin_configs/:plugin_config_id/logs`,
  `POST ${ENVIRONMENT}/query`,
  `GET ${ENVIRONMENT}/query/:id`,
  `DELETE ${ENVIRONMENT}/query/:id`,
  `POST ${ENVIRONMENT}/query/check_auth_for_async`,
  `GET ${ENVIRONMENT}/query/draft_sql`,
  "POST /decide",
  "POST /i/v0/e",
  "POST /batch",
]

/** Paths that released SDKs and tools call besides. */
const CLIENTS = [
  "GET /api/projects",
  "GET /api/projects/:project_id",
  "GET /api/users/@me",
  `GET ${ENVIRONMENT}/feature_flags`,
  `POST ${ENVIRONMENT}/feature_flags`,
  `GET ${ENVIRONMENT}/feature_flags/:id`,
  `PATCH ${ENVIRONMENT}/feature_flags/:id`,
  `DELETE ${ENVIRONMENT}/feature_flags/:id`,
  "POST /e",
  "GET /e",
  "POST /capture",
  "POST /track",
  "POST /engage",
  "POST /s",
  "POST /i/v1/analytics/events",
  "POST /i/v0/ai/batch",
  "GET /decide",
  "POST /flags",
  "HEAD /flags",
  "GET /flags/definitions",
  "GET /api/feature_flag/local_evaluation",
  "GET /array/:token/config",
  "GET /array/:token/config.js",
]

const rows = new Set(allRows.map(({ method, path }) => `${method} ${path}`))

describe("the route table", () => {
  test.each([...CONTRACT, ...CLIENTS])("has %s", (row) => {
    expect(rows).toContain(row)
  })

  test("names every row once and declares its statuses", () => {
    const ids = allRows.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { statuses } of allRows) expect(statuses.length).toBeGreaterThan(0)
  })

  test("holds only operations that are GraphQL", () => {
    for (const row of allRows) if (row.target === "operation") expect(() => parse(row.operation)).not.toThrow()
  })

  test("prefers a fixed segment to a parameter", () => {
    const match = createRouteTable(allRows)("/api/environments/1/query/draft_sql")
    expect(match?.rows.byMethod.get("GET")?.id).toBe("query_draft_sql_retrieve")
  })

  test("refuses two rows of one method and path", () => {
    const [first] = allRows
    expect(() => createRouteTable(first === undefined ? [] : [first, first])).toThrow("two rows for")
  })
})

describe("the OpenAPI document", () => {
  const document = toOpenApi(allRows, {
    version: "0.1.0",
    server: "https://waymark.test",
    describe: (field) => `Text of ${field}.`,
    schemas: { Query: QUERY_SCHEMA },
  }) as {
    servers: object[]
    paths: Record<
      string,
      Record<string, { operationId: string; parameters: { name: string; in: string }[]; responses: object }>
    >
    components: { schemas: Record<string, { properties?: Record<string, object>; anyOf?: object[] }> }
  }
  const { schemas } = document.components

  test("describes every row but the ones browsers ask on their own", () => {
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const expected = allRows
      .filter(({ method }) => method !== "OPTIONS" && method !== "HEAD")
      .map(({ method, path }) => `${method} ${path.replaceAll(/:([a-z_]+)/g, "{$1}")}/`)
    expect(described.sort()).toEqual(expected.sort())
  })

  test("declares the parameters of every path and unique operation ids", () => {
    const seen = new Set<string>()
    for (const [path, item] of Object.entries(document.paths))
      for (const operation of Object.values(item)) {
        const inPath = operation.parameters.filter((one) => one.in === "path").map((one) => `{${one.name}}`)
        expect(path.match(/\{[a-z_]+\}/g) ?? []).toEqual(inPath)
        expect(Object.keys(operation.responses).length).toBeGreaterThan(0)
        expect(seen.has(operation.operationId)).toBe(false)
        seen.add(operation.operationId)
      }
  })

  test("has only references that lead somewhere", () => {
    const text = JSON.stringify(document)
    const references = new Set([...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path as string))
    for (const reference of references) {
      const target = reference
        .split("/")
        .reduce<unknown>((value, key) => Reflect.get(value as object, key) as unknown, document)
      expect(target).toBeDefined()
    }
  })

  test("has each resource once, under its name, with the texts of the fields that it shows", () => {
    const names = ["Playlist", "PlaylistPage", "SessionRecording", "Person", "Cohort", "FeatureFlag", "User", "Project"]
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining([...names, "Error", "DecisionRequest", "BatchRequest"]))
    expect(schemas.Playlist?.properties).toMatchObject({
      short_id: { type: "string", description: "Text of SessionRecordingPlaylist.shortId." },
      created_by: { anyOf: [{ $ref: "#/components/schemas/User" }, { type: "null" }] },
    })
    const text = JSON.stringify(document)
    expect(text.split('"is_email_verified":{')).toHaveLength(3)
    expect(text).not.toContain("x-comes-from")
  })

  test("has the fields of every kind of query, and no others", () => {
    expect(schemas.Query?.anyOf).toContainEqual({ $ref: "#/components/schemas/TrendsQuery" })
    expect(schemas.TrendsQuery).toMatchObject({ additionalProperties: false, required: ["kind"] })
    expect(Object.keys(schemas.TrendsQuery?.properties ?? {})).toEqual(expect.arrayContaining(["kind", "series"]))
  })

  test("says where the server is, what stands in a path and what headers say", () => {
    expect(document.servers).toEqual([{ url: "https://waymark.test" }])
    const parameters = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap((one) => one.parameters),
    )
    expect(parameters.filter((one) => !("description" in one))).toEqual([])
    const playlists = document.paths["/api/environments/{project_id}/session_recording_playlists/"]
    expect(playlists?.get?.responses).toMatchObject({
      200: { headers: { ETag: { $ref: "#/components/headers/ETag" } } },
      304: {},
    })
    expect(playlists?.post?.responses).toMatchObject({ 201: { headers: { "Waymark-Ignored-Fields": {} } } })
    const versions = document.paths["/decide/"]?.post?.parameters.find(({ name }) => name === "v")
    expect(versions).toMatchObject({ in: "query", description: expect.stringContaining("Version of the answer") })
  })

  test("refuses two schemas of one name", () => {
    const { refer } = createComponents(() => undefined)
    refer({ title: "A", type: "string" })
    refer({ title: "A", type: "string" })
    expect(() => refer({ title: "A", type: "integer" })).toThrow("two schemas are called A")
  })

  test("is served", async () => {
    const rest = await startRest()
    for (const path of ["/api/schema/", "/api/schema"])
      expect(await (await fetch(rest.url + path)).json()).toEqual({ openapi: "3.1.0" })
    await rest.close()
  })
})
