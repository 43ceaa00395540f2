import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { JsonObject } from "../../src/kernel/json.js"
import { createFlagProject, type FlagProject } from "../support/flag-projects.js"
import { makeKey as makePersonalKey } from "../support/make-key.js"
import { copyOfTemplate } from "../support/store-templates.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { WaymarkProcess } from "../support/waymark-process.js"
import { wholeDecision } from "../support/whole-decision.js"

const directory = copyOfTemplate("server")
const REQUESTS_A_MINUTE = 120
const server = new WaymarkProcess(directory.path, { FLAG_RATE_LIMIT_PER_KEY: String(REQUESTS_A_MINUTE) })
let api: WaymarkApi
let project: FlagProject

const plan = (value: string) => [{ key: "plan", type: "person", operator: "exact", value }]
const FLAGS: JsonObject[] = [
  { key: "everybody", filters: { groups: [{ properties: [] }], payloads: { true: '{"n":1}' } } },
  { key: "team-plan", filters: { groups: [{ properties: plan("team") }] } },
  {
    key: "layout",
    filters: {
      groups: [{ properties: [] }],
      multivariate: { variants: [{ key: "wide", rollout_percentage: 100 }] },
      payloads: { wide: '"w"' },
    },
  },
  { key: "switched-off", active: false, filters: { groups: [{ properties: [] }] } },
  {
    key: "settings",
    is_remote_configuration: true,
    filters: { groups: [{ properties: [] }], payloads: { true: { retries: 3 } } },
  },
  { key: "empty-settings", is_remote_configuration: true, filters: { groups: [{ properties: [] }] } },
]
const ids = new Map<string, number>()

/** A key of the same user with these scopes, or bound to these projects. */
const keyWith = async (scopes: string[], projectIds: number[] | null = null): Promise<WaymarkApi> =>
  new WaymarkApi(api.url, (await makePersonalKey(api, scopes, { projectIds })).value)

beforeAll(async () => {
  api = new WaymarkApi(await server.ready())
  project = await createFlagProject(api, "endpoints")
  for (const flag of FLAGS) {
    const { status, body } = await api.post<{ id: number }>(`/api/projects/${project.id}/feature_flags/`, flag)
    expect(status).toBe(201)
    ids.set(String(flag.key), body.id)
  }
})
afterAll(async () => {
  await server.stop()
  directory.remove()
})

describe("definitions for SDKs that evaluate flags themselves", () => {
  const paths = ["/flags/definitions", "/flags/definitions/", "/api/feature_flag/local_evaluation/"]

  test.each(paths)(
    "%s names the project by its key and lists inactive flags, but no remote configuration",
    async (path) => {
      const { status, body, headers } = await api.get<{ flags: { key: string; active: boolean }[] }>(
        `${path}?token=${project.token}&send_cohorts`,
      )
      expect([status, headers.get("cache-control")]).toEqual([200, "private, must-revalidate"])
      expect(body.flags.map(({ key, active }) => [key, active]).sort()).toEqual([
        ["everybody", true],
        ["layout", true],
        ["switched-off", false],
        ["team-plan", true],
      ])
      expect(body).toMatchObject({ group_type_mapping: {}, cohorts: {} })
    },
  )

  test("are not sent again until something changed", async () => {
    const path = `/flags/definitions?token=${project.token}&send_cohorts`
    const etag = (await api.get(path)).headers.get("etag") as string
    expect(etag).toMatch(/^W\/"[^"]+"$/)
    for (const known of [etag, etag.slice(2)]) {
      const again = await api.request("GET", path, undefined, { "if-none-match": known })
      expect([again.status, again.body, again.headers.get("etag")]).toEqual([304, null, etag])
    }
    await api.patch(`/api/projects/${project.id}/feature_flags/${ids.get("layout")}/`, { name: "renamed" })
    expect((await api.request("GET", path, undefined, { "if-none-match": etag })).status).toBe(200)
  })

  test("answer HEAD and OPTIONS, and no other method", async () => {
    const path = `/flags/definitions?token=${project.token}`
    const statuses = await Promise.all(
      ["HEAD", "OPTIONS", "POST", "DELETE"].map(async (method) => (await api.request(method, path)).status),
    )
    expect(statuses).toEqual([200, 204, 405, 405])
  })

  test("are refused without a credential, with a bad one, with an unknown project, without the scope and from elsewhere", async () => {
    const other = await createFlagProject(api, "elsewhere")
    const path = `/flags/definitions?token=${project.token}`
    const statusOf = async (caller: WaymarkApi, asked = path) => (await caller.get(asked)).status
    expect(await statusOf(new WaymarkApi(api.url, null))).toBe(401)
    expect(await statusOf(new WaymarkApi(api.url, "phx_wrong"))).toBe(401)
    expect(await statusOf(api, "/flags/definitions?token=phc_nobody")).toBe(401)
    expect(await statusOf(await keyWith(["query:read"]))).toBe(403)
    expect(await statusOf(await keyWith(["feature_flag:read"], [other.id]))).toBe(403)
    expect(await statusOf(await keyWith(["feature_flag:write"], [project.id]))).toBe(200)
  })
})

describe("a secret key of a project", () => {
  const makeKey = async (projectId: number) =>
    (
      await api.changed<{ key: { id: string; value: string; maskedValue: string } }>(
        `mutation ($id: ID!) {
          key: createProjectSecretKey(input: { projectId: $id }) {
            projectSecretKey { id value maskedValue } userErrors { message } } }`,
        { id: String(projectId) },
      )
    ).key

  test("opens definitions and remote configuration of its project, and nothing else", async () => {
    const { id, value, maskedValue } = await makeKey(project.id)
    expect(value).toMatch(/^phs_[0-9A-Za-z]{43}$/)
    expect(maskedValue).toBe(`phs_...${value.slice(-4)}`)
    const sdk = new WaymarkApi(api.url, value)
    const definitions = `/flags/definitions?token=${project.token}&send_cohorts`
    expect(await sdk.get(definitions)).toMatchObject({ status: 200, body: { flags: expect.any(Array) } })
    expect((await sdk.get("/api/feature_flag/local_evaluation/")).status).toBe(200)
    const remoteConfig = (token: string) => `/api/projects/@current/feature_flags/settings/remote_config?token=${token}`
    expect(await sdk.get(remoteConfig(project.token))).toMatchObject({ status: 200, body: '{"retries":3}' })

    const elsewhere = await createFlagProject(api, "elsewhere")
    const refused = [
      `/flags/definitions?token=${elsewhere.token}`,
      remoteConfig(elsewhere.token),
      `/api/projects/${project.id}/feature_flags/`,
      "/api/users/@me/",
    ]
    for (const path of refused) expect([path, (await sdk.get(path)).status]).toEqual([path, 403])

    await api.changed(
      `mutation ($project: ID!, $id: ID!) {
        revokeProjectSecretKey(input: { projectId: $project, id: $id }) { userErrors { message } } }`,
      {
        project: String(project.id),
        id,
      },
    )
    const revoked = await sdk.get<{ detail: string }>(definitions)
    expect([revoked.status, revoked.body.detail]).toEqual([401, expect.stringContaining("secret key")])
  })

  test("is one of two that may live at a time, and is never listed with its value", async () => {
    const { id } = await createFlagProject(api, "two keys")
    const made = [await makeKey(id), await makeKey(id)]
    await expect(makeKey(id)).rejects.toThrow("at most 2")
    const { keys } = await api.graphql<{ keys: JsonObject[] }>(
      "query ($id: ID!) { keys: projectSecretKeys(projectId: $id) { id maskedValue createdAt } }",
      { id: String(id) },
    )
    expect(keys.map((key) => key.id)).toEqual(made.map((key) => key.id))
  })

  test("does not see a payload that is marked as encrypted", async () => {
    const secret = {
      key: "sealed",
      is_remote_configuration: true,
      has_encrypted_payloads: true,
      filters: { groups: [{ properties: [] }], payloads: { true: '"hush"' } },
    }
    expect((await api.post(`/api/projects/${project.id}/feature_flags/`, secret)).status).toBe(201)
    const path = `/api/projects/@current/feature_flags/sealed/remote_config?token=${project.token}`
    const { value } = await makeKey(project.id)
    expect((await api.get(path)).body).toBe('"hush"')
    expect((await new WaymarkApi(api.url, value).get(path)).body).toContain("encrypted")
  })

  test("and a project key are told apart from a personal key where one of them is bad", async () => {
    const detailFor = async (key: string) =>
      (await new WaymarkApi(api.url, key).get<{ detail: string }>("/flags/definitions")).body.detail
    expect(await detailFor("phs_nobody")).toContain("Project secret key")
    expect(await detailFor(project.token)).toContain("project API key (phc_)")
    expect(await detailFor("phx_nobody")).toContain("Personal API key")
  })
})

describe("the payload of a remote configuration", () => {
  const path = (flag: string, token = project.token) =>
    `/api/projects/@current/feature_flags/${flag}/remote_config/?token=${token}`

  test("is JSON text inside JSON, found by key and by number", async () => {
    for (const flag of ["settings", String(ids.get("settings"))]) {
      const { status, body } = await api.get<string>(path(flag))
      expect([status, JSON.parse(body)]).toEqual([200, { retries: 3 }])
    }
    expect(await api.get(path("empty-settings"))).toMatchObject({ status: 200, body: null })
  })

  test("is not found for other flags, and is refused to keys of another project", async () => {
    const other = await createFlagProject(api, "other")
    const statusOf = async (caller: WaymarkApi, asked: string) => (await caller.get(asked)).status
    expect(await statusOf(api, path("everybody"))).toBe(404)
    expect(await statusOf(api, path("nothing"))).toBe(404)
    for (const wrong of ["phc_nobody", "nobody", String(other.id)])
      expect(await statusOf(api, path("settings", wrong))).toBe(401)
    expect(await statusOf(await keyWith(["feature_flag:read"], [other.id]), path("settings"))).toBe(403)
    expect(await statusOf(new WaymarkApi(api.url, null), path("settings"))).toBe(401)
  })
})

describe("early access features", () => {
  test("are the active flags with enrolment, and are decided as their user enrolled", async () => {
    const { id, token } = await createFlagProject(api, "early access")
    const groups = [{ properties: [], rollout_percentage: 0 }]
    const older = {
      properties: [{ key: "$feature_enrollment/older", type: "person", operator: "exact", value: ["true"] }],
    }
    const definitions = [
      {
        key: "new-editor",
        name: "Ny redaktör",
        filters: { groups, feature_enrollment: true, payloads: { true: { a: 1 } } },
      },
      { key: "older", filters: { groups, super_groups: [{ ...older, rollout_percentage: 100 }] } },
      { key: "off", active: false, filters: { groups, feature_enrollment: true } },
      { key: "plain", filters: { groups } },
    ]
    for (const flag of definitions)
      expect((await api.post(`/api/projects/${id}/feature_flags/`, flag)).status).toBe(201)
    const shared = { description: "", stage: "beta", documentationUrl: null }
    const listed = async (stages: string) =>
      (await new WaymarkApi(api.url, null).get(`/api/early_access_features/?token=${token}${stages}`)).body
    const earlyAccessFeatures = [
      { ...shared, name: "Ny redaktör", payload: { a: 1 }, flagKey: "new-editor" },
      { ...shared, name: "older", payload: {}, flagKey: "older" },
    ]
    expect(await listed("")).toEqual({ earlyAccessFeatures })
    expect(await listed("&stage=concept&stage=beta")).toEqual({ earlyAccessFeatures })
    expect(await listed("&stage=concept")).toEqual({ earlyAccessFeatures: [] })

    const decide = async () => (await wholeDecision(api, { api_key: token, distinct_id: "ada" })).featureFlags
    expect(await decide()).toMatchObject({ "new-editor": false, older: false })
    const enroll = async (value: boolean) => {
      const properties = { $set: { "$feature_enrollment/new-editor": value, "$feature_enrollment/older": value } }
      await api.capture({ event: "$feature_enrollment_update", distinct_id: "ada", properties }, token)
    }
    await enroll(true)
    expect(await decide()).toMatchObject({ "new-editor": true, older: true })
    await enroll(false)
    expect(await decide()).toMatchObject({ "new-editor": false, older: false })
  })
})

describe("what browser SDKs ask for beside flags", () => {
  test.each([
    ["surveys", "surveys"],
    ["web_experiments", "experiments"],
    ["product_tours", "product_tours"],
  ])("/api/%s/ is an empty list that any page may read, for whoever has a project key", async (path, name) => {
    const browser = new WaymarkApi(api.url, null)
    const origin = { origin: "https://shop.example" }
    const { status, body, headers } = await browser.request(
      "GET",
      `/api/${path}/?token=${project.token}`,
      undefined,
      origin,
    )
    expect([status, body]).toEqual([200, { [name]: [] }])
    expect(headers.get("access-control-allow-origin")).toBe("https://shop.example")
    const refused = await browser.request("GET", `/api/${path}?token=phc_nobody`, undefined, origin)
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([401, "https://shop.example"])
    expect((await browser.get(`/api/${path}/`)).status).toBe(401)
  })

  test("the configuration pauses recordings while they are used up, and says so", async () => {
    const { id, token } = await createFlagProject(api, "used up")
    const set = (until: string) =>
      api.changed(
        `mutation ($id: ID!, $settings: JSON!) {
          updateProject(input: { projectId: $id, settings: { raw: $settings } }) {
            project { id: number } userErrors { message } } }`,
        {
          id: String(id),
          settings: { quota_limits: { recordings: until } },
        },
      )
    const configs = async () => {
      const decided = await api.post<JsonObject>("/decide?v=3", { api_key: token, distinct_id: "u" })
      return [decided.body, (await api.get<JsonObject>(`/array/${token}/config`)).body]
    }
    await set("2999-01-01T00:00:00Z")
    for (const config of await configs())
      expect(config).toMatchObject({ sessionRecording: false, quotaLimited: ["recordings"] })
    await set("2020-01-01T00:00:00Z")
    for (const config of await configs()) {
      expect(config).toMatchObject({ sessionRecording: { endpoint: "/s/" } })
      expect(config).not.toHaveProperty("quotaLimited")
    }
  })

  test("a file that is not there is a 404 and no page", async () => {
    const { status, headers } = await new WaymarkApi(api.url, null).get("/static/no-such-script.js?v=1.2.3")
    expect([status, headers.get("content-type")]).toEqual([404, "application/json"])
  })
})

describe("a quota of flag requests", () => {
  test("is the organization's, counts decisions and definitions, and is answered without an error status to decisions", async () => {
    const { organization } = await api.changed<{ organization: { id: string } }>(
      `mutation {
        organization: createOrganization(input: { name: "limited" }) {
          organization { id: uuid } userErrors { message } } }`,
    )
    const make = `mutation ($organizationId: ID!, $settings: JSON) {
      project: createProject(input: {
        name: "limited", organizationId: $organizationId, settings: { raw: $settings } }) {
        project { id: number apiToken } userErrors { message } } }`
    const variables = { organizationId: organization.id, settings: { feature_flag_request_limit: 12 } }
    const { project: limited } = await api.changed<{ project: { id: number; apiToken: string } }>(make, variables)
    const { project: sibling } = await api.changed<{ project: { apiToken: string } }>(make, variables)
    const filters = { groups: [{ properties: [] }] }
    expect((await api.post(`/api/projects/${limited.id}/feature_flags/`, { key: "on", filters })).status).toBe(201)

    const decide = async (token = limited.apiToken, body: JsonObject = {}) =>
      (await api.post<JsonObject>("/decide?v=3", { api_key: token, distinct_id: "u", ...body })).body
    const definitions = `/flags/definitions?token=${limited.apiToken}`
    const sent = await api.get(definitions)
    expect(sent.status).toBe(200)
    const etag = sent.headers.get("etag") as string
    expect((await api.request("GET", definitions, undefined, { "if-none-match": etag })).status).toBe(304)
    expect(await decide()).toMatchObject({ featureFlags: { on: true } })
    await decide(limited.apiToken, { disable_flags: true })
    await waitFor("11 requests to be counted", async () => {
      const { usage } = await api.graphql<{ usage: { used: number; limit: number } }>(
        "query ($id: ID!) { usage: flagRequestUsage(projectId: $id) { month used limit } }",
        { id: String(limited.id) },
      )
      return usage.used === 11 && usage.limit === 12
    })
    await decide()
    const paused = await waitFor("the quota to be used up", async () => {
      const answer = await decide()
      return answer.quotaLimited !== undefined && answer
    })
    expect(paused).toMatchObject({
      featureFlags: {},
      quotaLimited: ["feature_flags"],
      errorsWhileComputingFlags: false,
    })
    expect(await decide(sibling.apiToken)).toMatchObject({ quotaLimited: ["feature_flags"] })
    expect(await decide(limited.apiToken, { disable_flags: true })).not.toHaveProperty("quotaLimited")
    const refused = await api.get(definitions)
    expect([refused.status, refused.body]).toMatchObject([402, { type: "quota_limited", code: "payment_required" }])
    expect(await decide(project.token)).not.toHaveProperty("quotaLimited")
  })
})

describe("a limit of flag requests in a minute", () => {
  test("answers 429 with when to ask again, to one project key and not to another", async () => {
    const busy = await createFlagProject(api, "busy")
    const ask = (token: string) => api.request<JsonObject>("POST", "/decide?v=3", { api_key: token, distinct_id: "u" })
    // The minute may end in between; so many requests do not fit into two of them.
    let refused = await ask(busy.token)
    for (let asked = 0; asked < 3 * REQUESTS_A_MINUTE && refused.status === 200; asked++)
      refused = await ask(busy.token)
    expect([refused.status, refused.body]).toMatchObject([
      429,
      { type: "validation_error", code: "rate_limit_exceeded", attr: null },
    ])
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(refused.headers.get("ratelimit-limit")).toBe(String(REQUESTS_A_MINUTE))
    expect(refused.headers.get("access-control-allow-origin")).toBe("*")
    expect((await ask(project.token)).status).toBe(200)
  })
})

describe("OpenFeature's remote evaluation protocol", () => {
  const FLAGS_PATH = "/ofrep/v1/evaluate/flags"
  const evaluate = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    new WaymarkApi(api.url, null).request<JsonObject>("POST", path, body, {
      "x-api-key": project.token,
      ...headers,
    })

  test("evaluates one flag for the targeting key and its properties", async () => {
    const ask = async (flag: string, context: JsonObject) =>
      (await evaluate(`${FLAGS_PATH}/${flag}`, { context: { targetingKey: "ada", ...context } })).body
    expect(await ask("everybody", {})).toEqual({
      key: "everybody",
      reason: "TARGETING_MATCH",
      variant: "true",
      value: true,
      metadata: { version: 1, reasonCode: "condition_match", conditionIndex: 0, payload: '{"n":1}' },
    })
    expect(await ask("layout", {})).toMatchObject({ variant: "wide", value: "wide" })
    expect(await ask("team-plan", { plan: "team" })).toMatchObject({ value: true })
    expect(await ask("team-plan", { plan: "free" })).toMatchObject({ value: false, reason: "DEFAULT" })
  })

  test("evaluates all flags, and tells who asks again that nothing changed for them", async () => {
    const context = { targetingKey: "ada", plan: "team" }
    const { status, body, headers } = await evaluate(
      FLAGS_PATH,
      { context },
      { "x-api-key": "", authorization: `Bearer ${project.token}` },
    )
    expect(status).toBe(200)
    const values = (body.flags as JsonObject[]).map(({ key, value }) => [key, value])
    expect(Object.fromEntries(values)).toMatchObject({ everybody: true, layout: "wide", "team-plan": true })
    const etag = headers.get("etag") as string
    const again = await evaluate(FLAGS_PATH, { context }, { "if-none-match": etag })
    expect([again.status, again.body]).toEqual([304, null])
    const changed = await evaluate(FLAGS_PATH, { context: { ...context, plan: "free" } }, { "if-none-match": etag })
    expect(changed.status).toBe(200)
  })

  test("names what is wrong in the words of the protocol", async () => {
    const context = { targetingKey: "ada" }
    const refusal = async (path: string, body: unknown) => {
      const answer = await evaluate(path, body)
      return [answer.status, answer.body.key, answer.body.errorCode]
    }
    expect(await refusal(`${FLAGS_PATH}/nothing`, { context })).toEqual([404, "nothing", "FLAG_NOT_FOUND"])
    expect(await refusal(`${FLAGS_PATH}/switched-off`, { context })).toEqual([404, "switched-off", "FLAG_NOT_FOUND"])
    expect(await refusal(`${FLAGS_PATH}/layout`, { context: {} })).toEqual([400, "layout", "TARGETING_KEY_MISSING"])
    expect(await refusal(FLAGS_PATH, { context: 1 })).toEqual([400, undefined, "INVALID_CONTEXT"])
    expect(await refusal(FLAGS_PATH, "{{")).toEqual([400, undefined, "PARSE_ERROR"])
  })

  test("is refused without a project key and with a wrong one", async () => {
    const body = { context: { targetingKey: "ada" } }
    expect((await evaluate(FLAGS_PATH, body, { "x-api-key": "" })).status).toBe(401)
    expect((await evaluate(FLAGS_PATH, body, { "x-api-key": "phc_nobody" })).status).toBe(401)
    expect((await evaluate(FLAGS_PATH, "{{", { "x-api-key": "phc_nobody" })).status).toBe(401)
  })
})
