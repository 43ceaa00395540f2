import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { WaymarkApi } from "../support/waymark-api.js"
import { PERSONAL_KEY, temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"

const directory = temporaryDirectory()
const server = new WaymarkProcess(directory.path)
const PLAYLISTS = "/api/environments/@current/session_recording_playlists/"
let api: WaymarkApi

beforeAll(async () => {
  api = new WaymarkApi(await server.ready())
})

afterAll(async () => {
  await server.stop()
  directory.remove()
})

interface PlaylistBody {
  readonly id: number
  readonly short_id: string
  readonly name: string | null
  readonly deleted: boolean
  readonly last_modified_at: string
  readonly [field: string]: unknown
}

interface ListBody<T> {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: T[]
}

describe("playlists over REST", () => {
  test("are created with the fields of the contract, listed, fetched and changed", async () => {
    const created = await api.post<PlaylistBody>(PLAYLISTS, {
      name: "Morgonrunda ☀",
      filters: { events: [1] },
      short_id: "zzzzzzzz",
    })
    expect(created.status).toBe(201)
    expect(Object.keys(created.body)).toEqual([
      "id",
      "short_id",
      "name",
      "derived_name",
      "description",
      "pinned",
      "created_at",
      "created_by",
      "deleted",
      "filters",
      "last_modified_at",
      "last_modified_by",
      "recordings_counts",
    ])
    expect(created.body).toMatchObject({
      name: "Morgonrunda ☀",
      description: "",
      pinned: false,
      filters: { events: [1] },
    })
    expect(created.body.short_id).toMatch(/^[A-Za-z0-9]{8}$/)
    expect(created.body.short_id).not.toBe("zzzzzzzz")

    const path = `${PLAYLISTS}${created.body.short_id}/`
    expect((await api.get(path)).body).toEqual(created.body)
    const pinned = await api.patch<PlaylistBody>(path, { pinned: true })
    expect(pinned.body).toMatchObject({ pinned: true, last_modified_at: created.body.last_modified_at })
    expect((await api.get<ListBody<PlaylistBody>>(PLAYLISTS)).body).toMatchObject({
      count: 1,
      next: null,
      previous: null,
    })
  })

  test("cannot be deleted for good: DELETE answers 405 without a body, and a soft delete can be undone", async () => {
    const { body } = await api.post<PlaylistBody>(PLAYLISTS, { name: "kort" })
    const path = `${PLAYLISTS}${body.short_id}/`
    const refused = await api.request("DELETE", path)
    expect({ status: refused.status, body: refused.body }).toEqual({ status: 405, body: null })
    expect((await api.patch(path, { deleted: true })).body).toMatchObject({ deleted: true })
    expect((await api.get(path)).status).toBe(404)
    expect((await api.patch(path, { deleted: false })).body).toMatchObject({ deleted: false })
    expect((await api.get(path)).status).toBe(200)
  })

  test("refuse a field of the wrong type by name", async () => {
    expect(await api.post(PLAYLISTS, { name: "x", pinned: "maybe" })).toMatchObject({
      status: 400,
      body: { type: "validation_error", code: "invalid_input", detail: "Must be a valid boolean.", attr: "pinned" },
    })
  })

  test("page with links that keep the other parameters", async () => {
    for (const name of ["sida 1", "sida 2", "sida 3"]) await api.post(PLAYLISTS, { name })
    const first = (await api.get<ListBody<PlaylistBody>>(`${PLAYLISTS}?search=SIDA&limit=2`)).body
    expect(first.results.map(({ name }) => name)).toEqual(["sida 3", "sida 2"])
    expect(first.next).toContain("search=SIDA")
    const second = (await api.get<ListBody<PlaylistBody>>(first.next?.replace(api.url, "") ?? "")).body
    expect(second).toMatchObject({ count: 3, next: null, results: [{ name: "sida 1" }] })
  })
})

describe("access", () => {
  test("is refused without a key, with a wrong key, without the scope, and to another organization's project", async () => {
    const nobody = new WaymarkApi(api.url, null)
    expect((await nobody.get(PLAYLISTS)).body).toMatchObject({ code: "not_authenticated" })
    const stranger = new WaymarkApi(api.url, "phx_wrong")
    expect(await stranger.get(PLAYLISTS)).toMatchObject({ status: 401, body: { code: "authentication_failed" } })

    const { createPersonalApiKey } = await api.graphql<{ createPersonalApiKey: { value: string } }>(
      'mutation { createPersonalApiKey(label: "läsare", scopes: ["query:read"]) { value } }',
    )
    const reader = new WaymarkApi(api.url, createPersonalApiKey.value)
    expect(await reader.get(PLAYLISTS)).toMatchObject({
      status: 403,
      body: { code: "permission_denied", detail: "API key missing required scope 'session_recording_playlist:read'" },
    })
    expect(await api.get("/api/environments/4711/session_recording_playlists/")).toMatchObject({
      status: 404,
      body: { detail: "Project not found." },
    })
  })

  test("lists the caller's projects and tells who the caller is", async () => {
    const fields = ["id", "uuid", "organization", "project_id", "api_token", "name", "completed_snippet_onboarding"]
    const others = ["has_completed_onboarding_for", "ingested_event", "is_demo", "timezone", "access_control"]
    const { results } = (await api.get<ListBody<Record<string, unknown>>>("/api/projects/")).body
    expect(Object.keys(results[0] ?? {})).toEqual(expect.arrayContaining([...fields, ...others]))
    expect(results[0]?.ingested_event).toBe(false)
    await api.capture({ event: "the first", distinct_id: "somebody" })
    await api.drained()
    expect((await api.get("/api/projects/@current/")).body).toMatchObject({
      id: 1,
      ingested_event: true,
      is_demo: false,
    })
    expect((await api.get("/api/users/@me/")).body).toMatchObject({
      ...{
        email: "owner@localhost",
        pending_email: null,
        is_staff: false,
        events_column_config: { active: "DEFAULT" },
      },
      ...{ team: { id: 1, ingested_event: true }, organization: { role: "owner" }, organizations: [{ role: "owner" }] },
    })
    const projects = (await api.get<ListBody<Record<string, unknown>>>("/api/projects/")).body
    expect(projects).toMatchObject({ count: 1, results: [{ id: 1, api_token: expect.stringMatching(/^phc_/) }] })
    expect(await api.get("/api/users/@me/")).toMatchObject({ status: 200, body: { id: 1, team: { id: 1 } } })
  })
})

/** Rows of `reference/management.md` 1.2 that the contract does not overrule; those of keys and scopes are in the matrix. */
describe("every fault has its exact answer:", () => {
  const E = "/api/environments/1"
  const UNKNOWN = "0199a000-0000-7000-8000-0000000000aa"
  const authentication = (code: string, detail: string) => ({ type: "authentication_error", code, detail, attr: null })
  const missing = (detail: string) => ({ type: "invalid_request", code: "not_found", detail, attr: null })
  const sql = (query: string) => ({ query: { kind: "HogQLQuery", query }, refresh: "force_blocking" })
  const byQuery = "Personal API key found in request query string is invalid."
  const byBody = "Personal API key found in request body is invalid."

  test.each<[what: string, method: string, path: string, body: unknown, status: number, answer: object]>([
    [
      "a project that is no number",
      "GET",
      "/api/environments/abc/cohorts/",
      undefined,
      404,
      missing("Project not found."),
    ],
    ["project 0", "GET", "/api/environments/0/cohorts/", undefined, 404, missing("Project not found.")],
    ["a huge project", "GET", "/api/environments/99999999999/cohorts/", undefined, 404, missing("Project not found.")],
    ["an unknown project", "GET", "/api/projects/4711/", undefined, 404, missing("Project not found.")],
    ["an unknown cohort", "GET", `${E}/cohorts/4711/`, undefined, 404, missing("Not found.")],
    ["a cohort by UUID", "GET", `${E}/cohorts/${UNKNOWN}/`, undefined, 404, missing("Not found.")],
    ["an unknown flag", "GET", `${E}/feature_flags/4711/`, undefined, 404, missing("Not found.")],
    [
      "an unknown recording",
      "GET",
      `${E}/session_recordings/${UNKNOWN}/`,
      undefined,
      404,
      missing("Recording not found"),
    ],
    [
      "an unknown query",
      "GET",
      `${E}/query/${UNKNOWN}/`,
      undefined,
      404,
      missing(`Query ${UNKNOWN} not found for team 1`),
    ],
    ["an unknown path", "GET", `${E}/nothing/`, undefined, 404, missing("Not found.")],
    ["a person by number", "GET", `${E}/persons/17/`, undefined, 400, { type: "validation_error", attr: null }],
    [
      "a format there is none of",
      "GET",
      `${E}/persons/values/?key=a&format=xml`,
      undefined,
      404,
      { code: "not_found" },
    ],
    [
      "half a body",
      "POST",
      `${E}/cohorts/`,
      '{"name":',
      400,
      { type: "invalid_request", code: "parse_error", attr: null },
    ],
    [
      "no field where one is needed",
      "POST",
      `${E}/cohorts/`,
      {},
      400,
      { code: "required", detail: "This field is required.", attr: "name" },
    ],
    [
      "a blank field",
      "POST",
      `${E}/cohorts/`,
      { name: "" },
      400,
      { code: "blank", detail: "This field may not be blank.", attr: "name" },
    ],
    [
      "null in a field",
      "POST",
      `${E}/cohorts/`,
      { name: null },
      400,
      { code: "null", detail: "This field may not be null.", attr: "name" },
    ],
    ["a list as body", "POST", `${E}/cohorts/`, [], 400, { code: "invalid_input", attr: null }],
    [
      "a type that the engine refuses",
      "POST",
      `${E}/query/`,
      sql("select sum('a')"),
      400,
      { type: "validation_error", code: "illegal_type_of_argument", attr: null },
    ],
    [
      "an unknown type of the engine",
      "POST",
      `${E}/query/`,
      sql("select JSONExtract('{}', 'a', 'Nope')"),
      400,
      { type: "validation_error", code: "unknown_type" },
    ],
    [
      "too many arguments",
      "POST",
      `${E}/query/`,
      sql("select toInt(1, 2, 3)"),
      400,
      { type: "validation_error", code: "hogql_query_error" },
    ],
  ])("%s", async (_what, method, path, body, status, answer) => {
    expect(await api.request(method, path, body)).toMatchObject({ status, body: answer })
  })

  test("no credentials, and bad ones by where they stand; both say how to authenticate", async () => {
    const nobody = new WaymarkApi(api.url, null)
    const answers = [
      [
        await nobody.get(`${E}/cohorts/`),
        authentication("not_authenticated", "Authentication credentials were not provided."),
      ],
      [await nobody.get(`${E}/cohorts/?personal_api_key=phx_x`), authentication("authentication_failed", byQuery)],
      [
        await nobody.post(`${E}/cohorts/`, { personal_api_key: "phx_x" }),
        authentication("authentication_failed", byBody),
      ],
    ] as const
    for (const [{ status, headers, body }, wanted] of answers) {
      expect({ status, body }).toEqual({ status: 401, body: wanted })
      expect(headers.get("www-authenticate")).toBe("Bearer")
    }
    expect((await nobody.get(`${E}/cohorts/?personal_api_key=${PERSONAL_KEY}`)).status).toBe(200)
    expect((await nobody.post(PLAYLISTS, { personal_api_key: PERSONAL_KEY, name: "per Rumpf" })).status).toBe(201)
  })

  test("a method that the path lacks, whoever asks; the answer names those it has", async () => {
    for (const caller of [api, new WaymarkApi(api.url, null)]) {
      const { status, headers, body } = await caller.request("PUT", `${E}/cohorts/`)
      expect({ status, body }).toEqual({
        status: 405,
        body: { type: "invalid_request", code: "method_not_allowed", detail: 'Method "PUT" not allowed.', attr: null },
      })
      expect(headers.get("allow")?.split(", ").sort()).toEqual(["GET", "HEAD", "POST"])
    }
  })

  test("a media type that is not taken, and one that is not given", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" }
    expect(await api.request("PATCH", `${E}/cohorts/1/`, "a=b", form)).toMatchObject({
      status: 415,
      body: { type: "invalid_request", code: "unsupported_media_type" },
    })
    const accepting = (accept: string) => api.request("GET", `${E}/cohorts/`, undefined, { accept })
    expect(await accepting("application/xml")).toMatchObject({
      status: 406,
      body: { type: "invalid_request", code: "not_acceptable", detail: "Could not satisfy the request Accept header." },
    })
    for (const accept of [
      "*/*",
      "application/*",
      "text/html, application/json;q=0.5",
      "text/html,*/*;q=0.8",
      "nonsense",
    ])
      expect((await accepting(accept)).status).toBe(200)
  })
})

describe("persons as CSV", () => {
  test("are asked for by format or Accept, by values and by trends, and no cell is a formula", async () => {
    const names = ["=1+1", "+cmd", "-2", "@x", "plain, with comma", 'say "hi"']
    for (const [index, name] of names.entries())
      await api.capture({ event: "bought", distinct_id: `csv-${index}`, properties: { $set: { formula: name } } })
    await api.drained()
    const values = `/api/environments/1/persons/values/?key=formula`
    const wanted = [`"plain, with comma",1`, `"say ""hi""",1`, "'+cmd,1", "'-2,1", "'=1+1,1", "'@x,1"]
    for (const answer of [
      await api.get(`${values}&format=csv`),
      await api.request("GET", values, undefined, { accept: "text/csv" }),
    ]) {
      expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8")
      const [head, ...rows] = String(answer.body).trimEnd().split("\r\n")
      expect(head).toBe("name,count")
      expect(rows.sort()).toEqual(wanted.sort())
    }
    expect((await api.request("GET", `${values}&format=json`, undefined, { accept: "text/csv" })).body).toHaveLength(6)
    const trends = await api.get("/api/environments/1/persons/trends/?entity_id=bought&entity_type=events&format=csv")
    const [columns, ...people] = String(trends.body).trimEnd().split("\r\n")
    expect(columns).toContain("properties.formula")
    expect(people).toHaveLength(6)
    expect(people.join()).not.toMatch(/,[=@]/)
  })
})

describe("one project", () => {
  test("never sees events, flags or playlists of another", async () => {
    const { createProject } = await api.graphql<{ createProject: { id: number; apiToken: string } }>(
      'mutation { createProject(name: "Nebenan") { id apiToken } }',
    )
    await api.capture({ event: "canary", distinct_id: "somebody" }, createProject.apiToken)
    await api.post(`/api/projects/${createProject.id}/feature_flags/`, {
      key: "canary-flag",
      active: true,
      filters: { groups: [{}] },
    })
    await api.post(`/api/environments/${createProject.id}/session_recording_playlists/`, { name: "canary-list" })
    await api.drained()

    expect(await api.hogql("SELECT count() FROM events WHERE event = 'canary'")).toEqual([[0]])
    expect(JSON.stringify((await api.get("/api/projects/1/feature_flags/")).body)).not.toContain("canary")
    expect(JSON.stringify((await api.get(`${PLAYLISTS}?search=canary`)).body)).not.toContain("canary-list")
    expect((await api.get(`/api/environments/${createProject.id}/session_recording_playlists/`)).body).toMatchObject({
      count: 1,
    })
    expect(api.personalKey).toBe(PERSONAL_KEY)
  })
})
