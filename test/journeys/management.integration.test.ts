import { describe, expect, test } from "@jest/globals"
import { makeKey } from "../support/make-key.js"
import { ownServer } from "../support/own-server.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PERSONAL_KEY } from "../support/waymark-process.js"

const { api } = ownServer()
const PLAYLISTS = "/api/environments/@current/session_recording_playlists/"

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

    const reader = new WaymarkApi(api.url, (await makeKey(api, ["query:read"])).value)
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
      email: "owner@localhost",
      pending_email: null,
      is_staff: false,
      events_column_config: { active: "DEFAULT" },
      team: { id: 1, ingested_event: true },
      organization: { role: "owner" },
      organizations: [{ role: "owner" }],
    })
    const projects = (await api.get<ListBody<Record<string, unknown>>>("/api/projects/")).body
    expect(projects).toMatchObject({ count: 1, results: [{ id: 1, api_token: expect.stringMatching(/^phc_/) }] })
    expect(await api.get("/api/users/@me/")).toMatchObject({ status: 200, body: { id: 1, team: { id: 1 } } })
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
    const { createProject } = await api.changed<{ createProject: { id: number; apiToken: string } }>(
      `mutation {
        createProject(input: { name: "Nebenan" }) { project { id: number apiToken } userErrors { message } } }`,
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
