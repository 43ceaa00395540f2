import { beforeAll, describe, expect, test } from "@jest/globals"
import { makeKey } from "../support/make-key.js"
import { ownServer } from "../support/own-server.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PERSONAL_KEY } from "../support/waymark-process.js"

const { api } = ownServer()
const ORGANIZATIONS = "/api/organizations/"
const CURRENT_KEY = "/api/personal_api_keys/@current/"

/** Counting rests for a minute when a store was too busy once. */
const MAX_COUNTING_MS = 120_000
const PLAYLISTS = "/api/environments/@current/session_recording_playlists/"
let searched: { readonly short_id: string; readonly recordings_counts: object }

beforeAll(async () => {
  const filters = { date_from: "-1d", filter_group: { type: "AND", values: [] } }
  searched = (await api.post<typeof searched>(PLAYLISTS, { name: "sökt", filters })).body
})

interface KeyBody {
  readonly last_used_at: string | null
  readonly last_rolled_at: string | null
}

interface KeyMade {
  readonly id: string
  readonly value: string
}

const keyCalled = (label: string, scopes: readonly string[], bounds: object = {}) =>
  makeKey(api, scopes, { label, ...bounds })

const speakingWith = (key: string | null) => new WaymarkApi(api.url, key)
const revoke = (id: string) =>
  api.changed(
    `mutation ($id: ID!) {
      revokePersonalApiKey(input: { id: $id }) { personalApiKey { id: uuid } userErrors { message } } }`,
    { id },
  )
const roll = async (id: string, overlapSeconds: number): Promise<string> => {
  const { key } = await api.changed<{ key: KeyMade }>(
    `mutation ($id: ID!, $seconds: Int!) {
      key: rollPersonalApiKey(input: { id: $id, overlapSeconds: $seconds }) {
        personalApiKey { value } userErrors { message } } }`,
    { id, seconds: overlapSeconds },
  )
  return key.value
}

describe("a personal key over REST", () => {
  test("may look at itself whatever its scopes and bindings, and never at its value", async () => {
    const key = await keyCalled("trång 🔑", ["annotation:read"], { projectIds: [1] })
    const { status, body } = await speakingWith(key.value).get<KeyBody>(CURRENT_KEY)
    // When it was last used is written beside the request, so it may or may not be there yet.
    const { last_used_at: _, ...known } = body
    expect({ status, known }).toEqual({
      status: 200,
      known: {
        id: key.id,
        label: "trång 🔑",
        mask_value: `phx_...${key.value.slice(-4)}`,
        created_at: expect.any(String),
        last_rolled_at: null,
        user_id: 1,
        scopes: ["annotation:read"],
        scoped_teams: [1],
        scoped_organizations: [],
      },
    })
    await revoke(key.id)
    expect(await speakingWith(key.value).get(CURRENT_KEY)).toMatchObject({
      status: 401,
      body: { code: "authentication_failed" },
    })
  })

  test("tells when it got a new value, and both values work while they overlap", async () => {
    const key = await keyCalled("rullad", ["user:read"])
    const next = await roll(key.id, 600)
    const [before, after] = await Promise.all(
      [key.value, next].map((value) => speakingWith(value).get<KeyBody>(CURRENT_KEY)),
    )
    expect([before?.status, after?.status]).toEqual([200, 200])
    expect(after?.body).toMatchObject({ id: key.id, mask_value: `phx_...${next.slice(-4)}` })
    expect(Date.parse(after?.body.last_rolled_at ?? "")).not.toBeNaN()
    const last = await roll(key.id, 0)
    expect((await speakingWith(next).get(CURRENT_KEY)).status).toBe(401)
    expect((await speakingWith(last).get(CURRENT_KEY)).status).toBe(200)
    await revoke(key.id)
  })

  test("tells when it was last used, written at most once an hour", async () => {
    const key = await keyCalled("använd", ["user:read"])
    const caller = speakingWith(key.value)
    const lastUsed = async () => (await caller.get<KeyBody>(CURRENT_KEY)).body.last_used_at
    const first = await waitFor("the first use to be written", lastUsed)
    for (let use = 0; use < 3; use++) expect(await lastUsed()).toBe(first)
    await revoke(key.id)
  })

  test("manages no keys, also when it stands in the body", async () => {
    const inBody = await speakingWith(null).post("/api/personal_api_keys/", { personal_api_key: PERSONAL_KEY })
    expect(inBody).toMatchObject({
      status: 403,
      body: { code: "permission_denied", detail: "This action does not support personal API key access" },
    })
  })
})

describe("projects over REST", () => {
  test("are the same under both names, with and without a final slash", async () => {
    const [list, one] = await Promise.all([api.get("/api/projects/"), api.get("/api/projects/@current/")])
    expect(list.status).toBe(200)
    for (const path of ["/api/projects", "/api/environments/", "/api/environments"])
      expect((await api.get(path)).body).toEqual(list.body)
    for (const path of ["/api/projects/1", "/api/environments/1/", "/api/environments/@current"])
      expect((await api.get(path)).body).toEqual(one.body)
  })
})

describe("the audit log", () => {
  test("has what was done to plugins, and of an account what was done to its keys", async () => {
    const { config } = await api.changed<{ config: { id: number } }>(
      `mutation {
        config: createPluginConfig(input: { name: "webbkrok" }) {
          pluginConfig { id: number } userErrors { message } } }`,
    )
    await api.changed(
      `mutation ($id: ID!) {
        updatePluginConfig(input: { id: $id, enabled: false }) {
          pluginConfig { id: number } userErrors { message } } }`,
      {
        id: String(config.id),
      },
    )
    const key = await keyCalled("spårad", ["user:read"])
    await revoke(key.id)
    const logs = await api.graphql(
      `query ($config: String!, $key: String!) {
        plugin: activityLog(scope: PLUGIN_CONFIG, itemId: $config) {
          nodes { activity changes { field before after } user { id: number } } }
        key: accountActivityLog(itemId: $key) { nodes { scope activity user { id: number } } } }`,
      { config: String(config.id), key: key.id },
    )
    const user = { id: 1 }
    expect(logs).toEqual({
      plugin: {
        nodes: [
          { activity: "UPDATED", changes: [{ field: "enabled", before: true, after: false }], user },
          { activity: "CREATED", changes: [], user },
        ],
      },
      key: {
        nodes: [
          { scope: "PERSONAL_API_KEY", activity: "REVOKED", user },
          { scope: "PERSONAL_API_KEY", activity: "CREATED", user },
        ],
      },
    })
  })
})

describe("playlists over REST", () => {
  test("tell what their saved filters find once that was counted in the background", async () => {
    const [none, nothing] = [null, { count: null, watched_count: 0 }]
    expect(searched.recordings_counts).toEqual({
      saved_filters: { count: none, has_more: none, watched_count: none, increased: none, last_refreshed_at: none },
      collection: nothing,
    })
    const counted = await waitFor(
      "the count",
      async () => {
        const { body } = await api.get<{ recordings_counts: { saved_filters: { count: number | null } } }>(
          `${PLAYLISTS}${searched.short_id}/`,
        )
        return body.recordings_counts.saved_filters.count !== null && body.recordings_counts
      },
      MAX_COUNTING_MS,
    )
    expect(counted).toEqual({
      saved_filters: {
        count: 0,
        has_more: false,
        watched_count: 0,
        increased: false,
        last_refreshed_at: expect.any(String),
      },
      collection: nothing,
    })
  }, 150_000)

  test("are only pinned ones for whoever writes pinned, whatever its value", async () => {
    await api.post(PLAYLISTS, { name: "fäst", pinned: true })
    await api.post(PLAYLISTS, { name: "lös" })
    for (const query of ["pinned=true", "pinned=false", "pinned="]) {
      const { body } = await api.get<{ results: { name: string }[] }>(`${PLAYLISTS}?${query}`)
      expect(body.results.map(({ name }) => name)).toEqual(["fäst"])
    }
  })
})

interface OrganizationBody {
  readonly id: string
  readonly name: string
  readonly membership_level: number
  readonly teams: readonly { readonly id: number }[]
}

const currentOrganization = async () => (await api.get<OrganizationBody>(`${ORGANIZATIONS}@current/`)).body

describe("organizations over REST", () => {
  test("are listed, found by UUID in any case and as @current, with their projects", async () => {
    const current = await currentOrganization()
    expect(current).toMatchObject({ role: "owner", membership_level: 15, teams: [{ id: 1 }], projects: [{ id: 1 }] })
    expect((await api.get(`${ORGANIZATIONS}${current.id.toUpperCase()}`)).body).toEqual(current)
    const { createOrganization: other } = await api.changed<{ createOrganization: { id: string } }>(
      `mutation {
        createOrganization(input: { name: "Søsterhus" }) { organization { id: uuid } userErrors { message } } }`,
    )
    const { status, body } = await api.get<{ results: OrganizationBody[]; next: string }>(`${ORGANIZATIONS}?limit=1`)
    expect({ status, body }).toMatchObject({ status: 200, body: { count: 2, previous: null, results: [current] } })
    const second = await api.get(body.next.replace(api.url, ""))
    expect(second.body).toMatchObject({ next: null, results: [{ id: other.id, name: "Søsterhus", teams: [] }] })
  })

  test.each(["00000000-0000-4000-8000-00000000dead", "nope", "1"])("answer 404 for %s", async (id) => {
    expect(await api.get(`${ORGANIZATIONS}${id}/`)).toMatchObject({
      status: 404,
      body: { type: "invalid_request", code: "not_found", detail: "Organization not found." },
    })
  })

  test("are looked up before the bindings of a key are, and those before its scopes", async () => {
    const { id } = await currentOrganization()
    const { createOrganization: other } = await api.changed<{ createOrganization: { id: string } }>(
      `mutation {
        createOrganization(input: { name: "Bredvid" }) { organization { id: uuid } userErrors { message } } }`,
    )
    const ofProject = await keyCalled("projekt", ["annotation:read"], { projectIds: [1] })
    const ofOther = await keyCalled("annan", ["annotation:read"], { organizationIds: [other.id] })
    const narrow = await keyCalled("smal", ["annotation:read"])
    const detailOf = async ({ value }: KeyMade, asked: string) =>
      (await speakingWith(value).get<{ detail: string }>(`${ORGANIZATIONS}${asked}/`)).body.detail
    expect(await detailOf(ofProject, "nope")).toBe("Organization not found.")
    expect(await detailOf(ofProject, id)).toBe(
      "API keys with scoped projects are only supported on project-based endpoints.",
    )
    expect(await detailOf(ofOther, id)).toBe(`API key does not have access to the requested organization: ID ${id}.`)
    expect(await detailOf(narrow, id)).toBe("API key missing required scope 'organization:read'")
    for (const key of [ofProject, ofOther, narrow]) await revoke(key.id)
  })
})
