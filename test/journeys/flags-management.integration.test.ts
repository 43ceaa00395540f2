import { randomBytes } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "@jest/globals"
import type { JsonObject } from "../../src/kernel/json.js"
import { runAdminCommand } from "../support/admin-command.js"
import { createFlagProject, type FlagProject } from "../support/flag-projects.js"
import { makeKey } from "../support/make-key.js"
import { ownServer } from "../support/own-server.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { wholeDecision } from "../support/whole-decision.js"

const { api, server } = ownServer()
let project: FlagProject
let cohorts: string
let flags: string

beforeAll(async () => {
  project = await createFlagProject(api, "management")
  cohorts = `/api/projects/${project.id}/cohorts/`
  flags = `/api/projects/${project.id}/feature_flags/`
})

interface CohortBody {
  readonly id: number
  readonly [field: string]: unknown
}

const plan = (value: string): JsonObject => ({
  properties: { type: "AND", values: [{ type: "person", key: "plan", operator: "exact", value }] },
})
const inCohort = (id: number): JsonObject => ({
  groups: [{ properties: [{ key: "id", type: "cohort", value: id, operator: "in" }] }],
})
const isOn = async (key: string, distinctId: string, properties: JsonObject = {}): Promise<unknown> => {
  const asked = { api_key: project.token, distinct_id: distinctId, person_properties: properties }
  return (await wholeDecision(api, asked)).featureFlags[key]
}

describe("cohorts over REST", () => {
  test("are created, listed, fetched, changed and deleted softly; flags see each change at once", async () => {
    const created = await api.post<CohortBody>(cohorts, { name: "team", filters: plan("team") })
    expect(created).toMatchObject({
      status: 201,
      body: { name: "team", description: "", is_static: false, is_calculating: false, deleted: false },
    })
    const { id } = created.body
    expect((await api.post(flags, { key: "for-team", filters: inCohort(id) })).status).toBe(201)
    expect(await isOn("for-team", "ada", { plan: "team" })).toBe(true)

    const changed = await api.patch<CohortBody>(`${cohorts}${id}/`, { filters: plan("company"), description: "paying" })
    expect(changed).toMatchObject({ status: 200, body: { description: "paying" } })
    expect(await isOn("for-team", "ada", { plan: "team" })).toBe(false)
    expect(await isOn("for-team", "ada", { plan: "company" })).toBe(true)
    expect(await api.get(`${cohorts}${id}`)).toMatchObject({ status: 200, body: { id, filters: plan("company") } })
    expect((await api.get<{ count: number; results: CohortBody[] }>(cohorts)).body).toMatchObject({
      count: 1,
      next: null,
      results: [{ id }],
    })

    const refused = await api.patch(`${cohorts}${id}/`, { deleted: true })
    expect(refused).toMatchObject({
      status: 400,
      body: { attr: "deleted", detail: expect.stringContaining("for-team") },
    })
    expect((await api.request("DELETE", `${cohorts}${id}/`)).status).toBe(405)
  })

  test("with listed members take ids as a list and as CSV, and give them up again", async () => {
    for (const id of ["ada", "grace", "alan"]) await api.capture({ event: "seen", distinct_id: id }, project.token)
    await api.drained()
    const { body } = await api.post<CohortBody>(cohorts, { name: "invited", is_static: true })
    expect(body).toMatchObject({ is_static: true, filters: null })
    await api.post(flags, { key: "invited", filters: inCohort(body.id) })
    expect(await isOn("invited", "grace")).toBe(false)
    const members = `${cohorts}${body.id}/members/`
    expect((await api.post(members, { distinct_ids: ["ada", "nobody"] })).body).toEqual({ count: 1 })
    expect((await api.post(members, { csv: "name,distinct_id\nG,grace\nA,alan\n" })).body).toEqual({ count: 3 })
    expect(await isOn("invited", "grace")).toBe(true)
    const csv = { "content-type": "text/csv" }
    expect((await api.request("POST", members, "distinct_id\ngrace\n", csv)).body).toEqual({ count: 3 })
    expect((await api.request("POST", cohorts, "distinct_id\ngrace\n", csv)).status).toBe(415)
    expect((await api.post(`${members}remove`, { distinct_ids: ["grace"] })).body).toEqual({ count: 2 })
    expect(await isOn("invited", "grace")).toBe(false)
  })

  test("take their members from a CSV file in a form, as it is uploaded in a browser", async () => {
    const file = new Blob(['name,distinct_id\nG,grace\nÅ,"alan"\nN,nobody\n'], { type: "text/csv" })
    const send = async (method: string, path: string, fields: Record<string, string | Blob>) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      const headers = { authorization: `Bearer ${api.personalKey}` }
      const response = await fetch(`${api.url}${path}`, { method, headers, body: form })
      return { status: response.status, body: (await response.json()) as CohortBody }
    }
    const made = await send("POST", cohorts, { name: "från fil", is_static: "true", csv: file })
    expect(made).toMatchObject({ status: 201, body: { name: "från fil", is_static: true } })
    const { id } = made.body
    expect((await api.post(`${cohorts}${id}/members/`, { distinct_ids: [] })).body).toEqual({ count: 2 })
    const more = new Blob(["ada\n"], { type: "text/csv" })
    expect(await send("PATCH", `${cohorts}${id}/`, { csv: more })).toMatchObject({ status: 200 })
    expect((await api.post(`${cohorts}${id}/members/`, { distinct_ids: [] })).body).toEqual({ count: 3 })
    expect((await send("POST", `${cohorts}${id}/members/`, { csv: file })).body).toEqual({ count: 3 })

    expect(await send("POST", cohorts, { name: "not static", csv: file })).toMatchObject({ status: 400 })
    const noParts = { "content-type": "multipart/form-data; boundary=x" }
    expect((await api.request("POST", cohorts, "nothing", noParts)).status).toBe(400)
  })

  test("name the field at fault, and are found in their own project only", async () => {
    expect(await api.post(cohorts, { filters: plan("team") })).toMatchObject({ status: 400, body: { attr: "name" } })
    expect(await api.post(cohorts, { name: "n" })).toMatchObject({ status: 400, body: { attr: "filters" } })
    const bad = { name: "n", filters: { properties: { type: "element" } } }
    expect(await api.post(cohorts, bad)).toMatchObject({ status: 400, body: { attr: "filters__properties__type" } })
    const { body } = await api.post<CohortBody>(cohorts, { name: "dynamic", filters: plan("x") })
    expect(await api.post(`${cohorts}${body.id}/members/`, { distinct_ids: ["a"] })).toMatchObject({ status: 400 })
    expect(await api.post(`${cohorts}${body.id}/members/`, { distinct_ids: "a" })).toMatchObject({
      status: 400,
      body: { attr: "distinct_ids" },
    })
    const other = await createFlagProject(api, "other")
    expect((await api.get(`/api/projects/${other.id}/cohorts/${body.id}/`)).status).toBe(404)
    expect((await api.get(`${cohorts}nothing/`)).status).toBe(404)
    expect((await new WaymarkApi(api.url, null).get(cohorts)).status).toBe(401)
  })
})

describe("what flags are for people", () => {
  const planIs = (value: string) => [{ key: "plan", type: "person", operator: "exact", value }]
  let list: string

  beforeAll(async () => {
    const { id, token } = await createFlagProject(api, "people")
    list = `/api/projects/${id}/feature_flags/`
    const definitions = [
      { key: "team", filters: { groups: [{ properties: planIs("team") }] } },
      { key: "off", active: false, filters: { groups: [{ properties: [] }] } },
      {
        key: "layout",
        filters: {
          groups: [{ properties: [] }],
          multivariate: { variants: [{ key: "wide", rollout_percentage: 100 }] },
        },
      },
    ]
    for (const flag of definitions) expect((await api.post(list, flag)).status).toBe(201)
    const batch = ["team", "team", "free", null].map((plan, at) => ({
      event: "seen",
      properties: { distinct_id: `person-${at}`, ...(plan !== null && { $set: { plan } }) },
    }))
    const tiers = ["gold", "silver"].map((tier) => ({
      event: "$groupidentify",
      properties: {
        distinct_id: "g",
        $group_type: "company",
        $group_key: `${tier}-company`,
        $group_set: { tier },
      },
    }))
    const { status } = await api.post("/batch/", { api_key: token, batch: [...batch, ...tiers] })
    expect(status).toBe(200)
    await api.drained()
  })

  test("is told of every flag with its reason, and asks for the person first", async () => {
    const reasonsFor = (distinctId: string) =>
      waitFor("reasons with every fact", async () => {
        const { status, body } = await api.get<JsonObject>(`${list}evaluation_reasons/?distinct_id=${distinctId}`)
        return (status !== 200 || !/timeout_error|database_unavailable/.test(JSON.stringify(body))) && body
      })
    expect(await reasonsFor("person-0")).toEqual({
      team: {
        value: true,
        evaluation: { reason: "condition_match", condition_index: 0, description: "Matched condition set 1" },
      },
      off: {
        value: false,
        evaluation: { reason: "flag_disabled", condition_index: null, description: "Feature flag is disabled" },
      },
      layout: { value: "wide", evaluation: expect.objectContaining({ reason: "condition_match" }) },
    })
    expect((await reasonsFor("nobody")).team).toMatchObject({
      value: false,
      evaluation: { reason: "no_condition_match" },
    })
    expect(await api.get(`${list}evaluation_reasons/`)).toMatchObject({ status: 400, body: { attr: "distinct_id" } })
    expect(await api.get(`${list}evaluation_reasons?distinct_id=u&groups={`)).toMatchObject({
      status: 400,
      body: { attr: "groups" },
    })
  })

  test("is told of the caller's own active flags", async () => {
    const { body } = await api.get<{ feature_flag: { key: string }; value: unknown }[]>(`${list}my_flags/`)
    expect(Object.fromEntries(body.map(({ feature_flag, value }) => [feature_flag.key, value]))).toEqual({
      team: false,
      layout: "wide",
    })
  })

  test("make a static cohort of those who have a flag now", async () => {
    const { body } = await api.get<{ results: { id: number; key: string }[] }>(list)
    const idOf = (key: string) => body.results.find((flag) => flag.key === key)?.id
    const made = await api.post<{ cohort: CohortBody }>(`${list}${idOf("team")}/create_static_cohort_for_flag/`, {})
    expect(made).toMatchObject({ status: 201, body: { cohort: { is_static: true } } })
    expect(made.body.cohort.name).toContain("team")
    const members = `${list.replace("feature_flags", "cohorts")}${made.body.cohort.id}/members/`
    expect((await api.post(members, { distinct_ids: [] })).body).toEqual({ count: 2 })
    const off = await api.post(`${list}${idOf("off")}/create_static_cohort_for_flag/`, {})
    expect(off).toMatchObject({ status: 400, body: { attr: "id" } })
    expect((await api.post(`${list}999999/create_static_cohort_for_flag/`, {})).status).toBe(404)
  })

  test("says how many persons or groups a condition is about, whatever its rollout", async () => {
    const reachOf = async (condition: unknown, more: object = {}) =>
      (await api.post(`${list}user_blast_radius/`, { condition, ...more })).body
    const total_users = 4
    expect(await reachOf({ properties: planIs("team"), rollout_percentage: 1 })).toEqual({
      users_affected: 2,
      total_users,
    })
    expect(await reachOf({ properties: [] })).toEqual({ users_affected: 4, total_users })
    const withoutPlan = [{ key: "plan", type: "person", operator: "is_not_set" }]
    expect(await reachOf({ properties: withoutPlan })).toEqual({ users_affected: 1, total_users })
    const gold = [{ key: "tier", type: "group", group_type_index: 0, operator: "exact", value: "gold" }]
    expect(await reachOf({ properties: gold }, { group_type_index: 0 })).toEqual({ users_affected: 1, total_users: 2 })
    expect(await reachOf({ properties: [{ key: "plan", operator: "nearly", value: 1 }] })).toMatchObject({
      attr: "filters__groups__0__properties__0__operator",
    })
    expect(await reachOf(undefined)).toMatchObject({ code: "required", attr: "condition" })
    expect(await reachOf(null)).toMatchObject({ code: "null", attr: "condition" })
    expect(await reachOf(5)).toMatchObject({ code: "invalid_input", attr: "condition" })
  })
})

describe("around one flag", () => {
  test("who changed it and how is listed, newest first, also once it is deleted", async () => {
    const { body } = await api.post<{ id: number }>(flags, { key: "audited", filters: { groups: [] } })
    await api.patch(`${flags}${body.id}/`, { active: false })
    await api.patch(`${flags}${body.id}/`, { deleted: true })
    const listed = await api.get<{ count: number; results: JsonObject[] }>(`${flags}${body.id}/activity/?limit=2`)
    expect(listed.body).toMatchObject({
      count: 3,
      next: expect.stringContaining("offset=2"),
      results: [
        { activity: "deleted", scope: "FeatureFlag", item_id: String(body.id), user: { email: expect.any(String) } },
        { activity: "updated", detail: { changes: [{ field: "active", before: true, after: false }] } },
      ],
    })
    const other = await createFlagProject(api, "stranger")
    const elsewhere = await api.get(`/api/projects/${other.id}/feature_flags/${body.id}/activity/`)
    expect(elsewhere).toMatchObject({ status: 404, body: { code: "not_found" } })
  })

  test("the flags that depend on it are listed, and keep it from being switched off", async () => {
    const first = await api.post<{ id: number }>(flags, { key: "first", filters: { groups: [{ properties: [] }] } })
    const needs = { key: String(first.body.id), type: "flag", operator: "flag_evaluates_to", value: true }
    const filters = { groups: [{ properties: [needs] }] }
    const second = await api.post<{ id: number }>(flags, { key: "second", name: "needs first", filters })
    expect((await api.get(`${flags}${first.body.id}/dependent_flags/`)).body).toEqual([
      { id: second.body.id, key: "second", name: "needs first" },
    ])
    expect(await api.patch(`${flags}${first.body.id}/`, { active: false })).toMatchObject({
      status: 400,
      body: { attr: "active" },
    })
    expect((await api.get(`${flags}${second.body.id}/dependent_flags/`)).body).toEqual([])
    expect((await api.get(`${flags}${first.body.id}/status/`)).body).toEqual({ status: "ACTIVE", reason: "" })
    expect((await api.get(`${flags}999999/dependent_flags/`)).status).toBe(404)
  })

  test("an edit by somebody else in between is a conflict, and the losing one changes nothing", async () => {
    const { body } = await api.post<{ id: number }>(flags, { key: "edited", filters: { groups: [] } })
    const edits = await Promise.all(
      ["one", "two", "three"].map((name) => api.patch<JsonObject>(`${flags}${body.id}/`, { version: 1, name })),
    )
    expect(edits.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect((await api.get(`${flags}${body.id}/`)).body).toMatchObject({ version: 2 })
  })
})

describe("a flag copied to other projects", () => {
  const copy = (organization: unknown, body: JsonObject, caller = api) =>
    caller.post<{ success: JsonObject[]; failed: JsonObject[]; attr: string; detail: string }>(
      `/api/organizations/${organization}/feature_flags/copy_flags/`,
      body,
    )
  const findOrganizationId = async (id: number) =>
    (await api.get<{ organization: string }>(`/api/projects/${id}/`)).body.organization
  const flagsOf = (id: number) => `/api/projects/${id}/feature_flags/`

  test("is decided there as here, with the cohorts of that project, and copied again over the copy", async () => {
    const [from, to] = [await createFlagProject(api, "copy from"), await createFlagProject(api, "copy to")]
    const organization = await findOrganizationId(from.id)
    const cohort = await api.post<CohortBody>(`/api/projects/${from.id}/cohorts/`, {
      name: "pro",
      filters: plan("pro"),
    })
    const wanted = { key: "copied", name: "Copied", tags: ["a"], filters: inCohort(cohort.body.id) }
    const original = await api.post<CohortBody>(flagsOf(from.id), wanted)
    expect(original.status).toBe(201)
    const request = { feature_flag_key: "copied", from_project: from.id, target_project_ids: [to.id] }
    const first = await copy(organization, request)
    expect(first).toMatchObject({
      status: 200,
      body: { failed: [], success: [{ key: "copied", name: "Copied", tags: ["a"], team_id: to.id, version: 1 }] },
    })
    const decide = async (value: string) => {
      const asked = { api_key: to.token, distinct_id: "u", person_properties: { plan: value } }
      return (await wholeDecision(api, asked)).featureFlags
    }
    expect([await decide("pro"), await decide("free")]).toEqual([{ copied: true }, { copied: false }])

    await api.patch(`${flagsOf(from.id)}${original.body.id}/`, { name: "Again" })
    const again = await copy("@current", { ...request, disable_copied_flag: true })
    expect(again.body.success).toMatchObject([
      { id: first.body.success[0]?.id, name: "Again", active: false, version: 2 },
    ])
    const cohortsThere = await api.get<{ results: JsonObject[] }>(`/api/projects/${to.id}/cohorts/`)
    expect(cohortsThere.body.results).toMatchObject([{ name: "pro", filters: plan("pro") }])
    const activity = await api.get<{ results: JsonObject[] }>(`${flagsOf(to.id)}${first.body.success[0]?.id}/activity/`)
    expect(activity.body.results.map((one) => one.activity)).toEqual(["updated", "created"])
  })

  test("fails for each project that cannot have it, and not for the others", async () => {
    const [from, to] = [await createFlagProject(api, "fail from"), await createFlagProject(api, "fail to")]
    const organization = await findOrganizationId(from.id)
    const base = await api.post<CohortBody>(flagsOf(from.id), { key: "base", filters: { groups: [{}] } })
    const needed = { key: String(base.body.id), type: "flag", operator: "flag_evaluates_to", value: true }
    await api.post(flagsOf(from.id), { key: "dependent", filters: { groups: [{ properties: [needed] }] } })
    const request = { feature_flag_key: "dependent", from_project: from.id }
    const targets = [from.id, to.id, 999_999]
    expect((await copy(organization, { ...request, target_project_ids: targets })).body).toEqual({
      success: [],
      failed: [
        { project_id: from.id, errors: expect.stringContaining("already") },
        { project_id: to.id, errors: expect.stringContaining("base") },
        { project_id: 999_999, errors: "Project not found." },
      ],
    })
    await copy(organization, { feature_flag_key: "base", from_project: from.id, target_project_ids: [to.id] })
    expect((await copy(organization, { ...request, target_project_ids: targets })).body).toMatchObject({
      success: [{ key: "dependent", team_id: to.id }],
      failed: [{ project_id: from.id }, { project_id: 999_999 }],
    })
  })

  test("names what is missing or too much, and needs the scopes of what it does", async () => {
    const [from, to] = [await createFlagProject(api, "scope from"), await createFlagProject(api, "scope to")]
    const organization = await findOrganizationId(from.id)
    const cohort = await api.post<CohortBody>(`/api/projects/${from.id}/cohorts/`, { name: "c", filters: plan("x") })
    await api.post(flagsOf(from.id), { key: "k", filters: inCohort(cohort.body.id) })
    const request = { feature_flag_key: "k", from_project: from.id, target_project_ids: [to.id] }
    for (const field of Object.keys(request)) {
      const { [field as keyof typeof request]: _left, ...rest } = request
      expect(await copy(organization, rest)).toMatchObject({ status: 400, body: { attr: field } })
    }
    const many = Array.from({ length: 51 }, (_, index) => index + 1_000)
    expect((await copy(organization, { ...request, target_project_ids: many })).status).toBe(400)
    expect((await copy(organization, { ...request, target_project_ids: [] })).status).toBe(400)
    expect((await copy(organization, { ...request, feature_flag_key: "nothing" })).status).toBe(400)
    expect((await copy("00000000-0000-4000-8000-00000000dead", request)).status).toBe(404)

    const keyWith = async (scopes: string[]) => new WaymarkApi(api.url, (await makeKey(api, scopes)).value)
    expect((await copy(organization, request, await keyWith(["feature_flag:read"]))).status).toBe(403)
    const flagsOnly = await keyWith(["feature_flag:write"])
    expect((await copy(organization, request, flagsOnly)).body).toMatchObject({
      success: [],
      failed: [{ project_id: to.id, errors: expect.stringContaining("cohort:write") }],
    })
    const path = `${flagsOf(from.id)}${(await api.get<{ results: CohortBody[] }>(flagsOf(from.id))).body.results[0]?.id}`
    expect(await flagsOnly.post(`${path}/create_static_cohort_for_flag/`, {})).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("cohort:write") },
    })
  })
})

describe("a payload that is kept secret", () => {
  const secret = { key: "secret", is_remote_configuration: true, has_encrypted_payloads: true }
  const payloadOf = async (key: string) => (await api.get(`${flags}${key}/remote_config/?token=${project.token}`)).body
  const shown = '"********* (encrypted)"'

  test("is shown to nobody who manages flags, stays when what is shown is sent back, and is delivered", async () => {
    const filters = { groups: [{}], payloads: { true: '"hush"' } }
    const created = await api.post<CohortBody>(flags, { ...secret, filters })
    expect(created).toMatchObject({ status: 201, body: { filters: { payloads: { true: shown } } } })
    const path = `${flags}${created.body.id}/`
    const sentBack = { name: "renamed", filters: (await api.get<CohortBody>(path)).body.filters as JsonObject }
    expect(await api.patch(path, sentBack)).toMatchObject({
      status: 200,
      body: { filters: { payloads: { true: shown } } },
    })
    expect(await payloadOf("secret")).toBe('"hush"')
    await api.patch(path, { filters: { groups: [{}], payloads: { true: { whispered: 2 } } } })
    expect(await payloadOf("secret")).toBe('{"whispered":2}')

    const everything = [
      await api.get(flags),
      await api.get(`${path}activity/`),
      await api.get("/flags/definitions"),
      await api.post("/flags?v=2", { token: project.token, distinct_id: "u" }),
    ]
    expect(JSON.stringify(everything.map(({ body }) => body))).not.toMatch(/hush|whispered|encrypted:1/)
    await api.patch(path, { has_encrypted_payloads: false })
    expect((await api.get<CohortBody>(path)).body.filters).toMatchObject({ payloads: { true: '{"whispered":2}' } })
    await api.patch(path, { has_encrypted_payloads: true })
    expect((await api.get<CohortBody>(path)).body.filters).toMatchObject({ payloads: { true: shown } })
    expect(await payloadOf("secret")).toBe('{"whispered":2}')
  })

  test("is encrypted with another key by a command beside the server, and read by whoever has that key", async () => {
    const name = "of-another-key"
    const filters = { groups: [{}], payloads: { true: '"moved"' } }
    expect((await api.post(flags, { ...secret, key: name, filters })).status).toBe(201)
    const file = join(server.dataDirectory, "flag-payload-key")
    const [older, newer] = [readFileSync(file, "utf8").trim(), randomBytes(32).toString("hex")]
    const reencrypt = (...keys: string[]) => {
      writeFileSync(file, `${keys.join("\n")}\n`)
      return runAdminCommand(["reencrypt-payloads"], { DATA_DIR: server.dataDirectory })
    }
    const done = {
      stderr: "",
      code: 0,
      stdout: expect.stringMatching(
        /^Encrypted the payloads of \d+ flags and the secrets of \d+ exports with the first key\.\n$/,
      ),
    }
    expect(await reencrypt(newer, older)).toMatchObject(done)
    // The server has the older key alone, since it was not started again.
    expect(await payloadOf(name)).toMatchObject({
      detail: expect.stringContaining("a key that this server does not have"),
    })
    expect(await reencrypt(older)).toMatchObject({ code: 1, stderr: expect.stringContaining("does not have") })
    expect(await reencrypt(older, newer)).toMatchObject(done)
    expect(await payloadOf(name)).toBe('"moved"')
    expect(await reencrypt("nothing")).toMatchObject({
      code: 1,
      stderr: `The key of encrypted payloads in ${file} cannot be used.\n`,
    })
  })

  test("is refused on a flag that is evaluated, because browsers would get it", async () => {
    const refusal = { status: 400, body: { attr: "has_encrypted_payloads" } }
    expect(await api.post(flags, { ...secret, key: "open", is_remote_configuration: false })).toMatchObject(refusal)
    const { body } = await api.post<CohortBody>(flags, { ...secret, key: "opened" })
    expect(await api.patch(`${flags}${body.id}/`, { is_remote_configuration: false })).toMatchObject(refusal)
  })
})
