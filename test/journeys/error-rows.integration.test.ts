import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { QueryCaseServer } from "../features/queries/kinds/query-case-server.js"
import type { CaseDataset } from "../hogql/support/dataset.js"
import { makeKey } from "../support/make-key.js"
import { waitFor } from "../support/wait-for.js"
import { type Answer, WaymarkApi } from "../support/waymark-api.js"

/**
 * Every row of `docs/contract/management.md#exact-answers` that the contract does not overrule, over HTTP: status,
 * type, code, detail and attr. There is no 512: nothing estimates queries beforehand.
 */
const { ds1 } = (JSON.parse(readFileSync("test/cases/hogql.json", "utf8")) as { datasets: { ds1: CaseDataset } })
  .datasets
const E = "/api/environments/1"
const PLAYLISTS = `${E}/session_recording_playlists/`
const NOBODY = "0199a000-0000-7000-8000-0000000000aa"
const INVITE = `mutation ($email: String!, $organizationId: ID, $role: OrganizationRole) {
  inviteUser(input: { email: $email, organizationId: $organizationId, role: $role, keyScopes: [ALL] }) {
    invited { personalApiKey } userErrors { message } } }`

const server = new QueryCaseServer()
let owner: WaymarkApi
let nobody: WaymarkApi
/** An organization of the owner's that takes no keys of members, with a project. */
let closed: { organizationId: string; project: number; member: WaymarkApi; admin: WaymarkApi }

const withKey = (key: string | null) => new WaymarkApi(owner.url, key)

async function keyWith(scopes: readonly string[], bounds: object = {}, label = "row"): Promise<WaymarkApi> {
  return withKey((await makeKey(owner, scopes, { label, ...bounds })).value)
}

async function invite(email: string, more: object = {}): Promise<WaymarkApi> {
  const { inviteUser } = await owner.changed<{ inviteUser: { personalApiKey: string } }>(INVITE, { email, ...more })
  return withKey(inviteUser.personalApiKey)
}

beforeAll(async () => {
  await server.start(ds1)
  owner = server.api
  nobody = withKey(null)
  const { createOrganization } = await owner.changed<{ createOrganization: { id: string } }>(
    `mutation {
      createOrganization(input: { name: "Stängd AB" }) { organization { id: uuid } userErrors { message } } }`,
  )
  const organizationId = createOrganization.id
  const { createProject } = await owner.changed<{ createProject: { id: string } }>(
    `mutation ($organizationId: ID!) {
      createProject(input: { name: "Intern", organizationId: $organizationId }) {
        project { id: number } userErrors { message } }
      updateOrganization(input: { id: $organizationId, membersCanUsePersonalApiKeys: false }) {
        organization { id: uuid } userErrors { message } } }`,
    { organizationId },
  )
  const member = await invite("medlem@a.test", { organizationId, role: "MEMBER" })
  const admin = await invite("chef@a.test", { organizationId, role: "ADMIN" })
  // As first keys were before they were bound: no binding hides what the membership alone decides.
  await server.sql("UPDATE personal_key SET organization_ids = NULL WHERE label = $1", ["First key"])
  closed = { organizationId, project: Number(createProject.id), member, admin }
}, 120_000)
afterAll(() => server.stop())

const shown = ({ status, body }: Answer): object => ({ status, ...(body as object) })
const row = (status: number, type: string, code: string, detail: unknown, attr: string | null = null) => ({
  status,
  type,
  code,
  detail,
  attr,
})
const denied = (detail: string) => row(403, "authentication_error", "permission_denied", detail)
const unauthenticated = (code: string, detail: string) => row(401, "authentication_error", code, detail)
const missing = (detail = "Not found.") => row(404, "invalid_request", "not_found", detail)
const refused = (code: string, detail: unknown, attr: string | null) => row(400, "validation_error", code, detail, attr)
const hogql = (query: string, more: object = {}) => ({
  query: { kind: "HogQLQuery", query },
  refresh: "force_blocking",
  ...more,
})

describe("credentials", () => {
  test("that are not there are asked for, on every kind of endpoint", async () => {
    const wanted = unauthenticated("not_authenticated", "Authentication credentials were not provided.")
    for (const path of [PLAYLISTS, `${E}/persons/values/`, "/api/projects/", "/api/users/@me/", "/api/projects/77/"]) {
      const answer = await nobody.get(path)
      expect({ path, ...shown(answer) }).toEqual({ path, ...wanted })
      expect(answer.headers.get("www-authenticate")).toBe("Bearer")
    }
    const basic = await nobody.request("GET", PLAYLISTS, undefined, { authorization: "Basic cGh4X3g6" })
    expect(shown(basic)).toEqual(wanted)
  })

  test("that nobody has are told by where they stood; of several the first counts", async () => {
    const bad = (where: string) =>
      unauthenticated("authentication_failed", `Personal API key found in request ${where} is invalid.`)
    const good = owner.personalKey
    const wrong = withKey("phx_wrong")
    expect(shown(await wrong.get(PLAYLISTS))).toEqual(bad("Authorization header"))
    expect(shown(await nobody.post(PLAYLISTS, { personal_api_key: "phx_wrong" }))).toEqual(bad("body"))
    expect(shown(await nobody.get(`${PLAYLISTS}?personal_api_key=phx_wrong`))).toEqual(bad("query string"))
    expect(shown(await wrong.get(`${PLAYLISTS}?personal_api_key=${good}`))).toEqual(bad("Authorization header"))
    const both = await nobody.post(`${PLAYLISTS}?personal_api_key=${good}`, { personal_api_key: "phx_wrong" })
    expect(shown(both)).toEqual(bad("body"))
    expect(both.headers.get("www-authenticate")).toBe("Bearer")
    expect((await nobody.get(`${PLAYLISTS}?personal_api_key=${good}`)).status).toBe(200)
    expect((await nobody.post(PLAYLISTS, { personal_api_key: good, name: "per Rumpf" })).status).toBe(201)
  })

  test("of a user who was disabled are no better, wherever they stand", async () => {
    const leaver = await invite("fort@a.test")
    await server.sql("UPDATE app_user SET is_active = false WHERE email = $1", ["fort@a.test"])
    const bad = (where: string) =>
      unauthenticated("authentication_failed", `Personal API key found in request ${where} is invalid.`)
    expect(shown(await leaver.get(PLAYLISTS))).toEqual(bad("Authorization header"))
    expect(shown(await nobody.get(`${PLAYLISTS}?personal_api_key=${leaver.personalKey}`))).toEqual(bad("query string"))
  })
})

describe("what a key may not do", () => {
  test("is named by the scope it lacks, and a key with no scope lacks all", async () => {
    const reader = await keyWith(["session_recording_playlist:read"])
    expect(shown(await reader.post(PLAYLISTS, {}))).toEqual(
      denied("API key missing required scope 'session_recording_playlist:write'"),
    )
    const empty = await keyWith(["query:read"], {}, "tom")
    await server.sql("UPDATE personal_key SET scopes = '{}' WHERE label = $1", ["tom"])
    expect(shown(await empty.get(PLAYLISTS))).toEqual(
      denied("API key missing required scope 'session_recording_playlist:read'"),
    )
    expect(shown(await empty.get("/api/users/@me/"))).toEqual(denied("API key missing required scope 'user:read'"))
  })

  test("includes what no key may, whatever its scopes", async () => {
    const wanted = denied("This action does not support personal API key access")
    expect(shown(await owner.get("/api/personal_api_keys/"))).toEqual(wanted)
    expect(shown(await owner.post("/api/personal_api_keys/", { label: "x", scopes: ["*"] }))).toEqual(wanted)
  })

  test("ends at the projects and organizations that it is bound to", async () => {
    const ofProject = await keyWith(["*"], { projectIds: [2] })
    expect(shown(await ofProject.get(PLAYLISTS))).toEqual(
      denied("API key does not have access to the requested project: ID 1."),
    )
    const unsupported = denied("API keys with scoped projects are only supported on project-based endpoints.")
    expect(shown(await ofProject.get("/api/projects/"))).toEqual(unsupported)
    const { organizationId } = closed
    const ofOrganization = await keyWith(["*"], { organizationIds: [organizationId] })
    const { me } = await owner.graphql<{ me: { organizations: { id: string }[] } }>(
      "{ me { organizations { id: uuid } } }",
    )
    const mine = me.organizations.find(({ id }) => id !== organizationId)?.id
    const unbound = denied(`API key does not have access to the requested organization: ID ${mine}.`)
    expect(shown(await ofOrganization.get(PLAYLISTS))).toEqual(unbound)
    expect(shown(await ofOrganization.get(`/api/organizations/${mine}/`))).toEqual(unbound)
  })

  test("is anything where the organization takes no keys of members; those of admins go on", async () => {
    const path = `/api/environments/${closed.project}/session_recording_playlists/`
    const wanted = denied(
      "Organization 'Stängd AB' does not allow using personal API keys. Contact an admin to enable personal API keys for this organization.",
    )
    expect(shown(await closed.member.get(path))).toEqual(wanted)
    expect(shown(await closed.member.get(`/api/organizations/${closed.organizationId}/`))).toEqual(wanted)
    expect((await closed.member.get("/api/users/@me/")).status).toBe(200)
    expect((await closed.admin.get(path)).status).toBe(200)
    expect((await owner.get(path)).status).toBe(200)
  })
})

describe("what is not there", () => {
  test("answers as a project of an organization whose member the user is not", async () => {
    const unknown = shown(await closed.admin.get(PLAYLISTS.replace(/\d+/, "4711")))
    expect(unknown).toMatchObject({ status: 404 })
    expect(shown(await closed.admin.get(PLAYLISTS))).toEqual(unknown)
  })

  test.each([
    ["an unknown project", "/api/projects/4711/", "Project not found."],
    ["project 0", "/api/environments/0/cohorts/", "Project not found."],
    ["a project that is no number", "/api/environments/abc/query/x/", "Project not found."],
    ["a project beyond all numbers", "/api/environments/99999999999/cohorts/", "Project not found."],
    ["an unknown organization", `/api/organizations/${NOBODY}/`, "Organization not found."],
    ["an organization that is no UUID", "/api/organizations/abc/", "Organization not found."],
    ["an unknown playlist", `${PLAYLISTS}nope/`, "Not found."],
    ["the recordings of an unknown playlist", `${PLAYLISTS}nope/recordings/`, "Not found."],
    ["an unknown cohort", `${E}/cohorts/4711/`, "Not found."],
    ["a cohort by UUID", `${E}/cohorts/${NOBODY}/`, "Not found."],
    ["an unknown flag", `${E}/feature_flags/4711/`, "Not found."],
    ["an unknown person", `${E}/persons/${NOBODY}/`, "Not found."],
    ["an unknown recording", `${E}/session_recordings/${NOBODY}/`, "Recording not found"],
    ["a recording by no UUID", `${E}/session_recordings/nope/`, "Recording not found"],
    ["an unknown query", `${E}/query/${NOBODY}/`, `Query ${NOBODY} not found for team 1`],
    ["a query by no UUID", `${E}/query/nope/`, "Query nope not found for team 1"],
    ["an unknown path", `${E}/nothing/`, "Not found."],
  ])("is answered 404: %s", async (_what, path, detail) => {
    expect(shown(await owner.get(path))).toEqual(missing(detail))
  })

  test("is not there in another project either", async () => {
    const { body } = await owner.post<{ short_id: string }>(PLAYLISTS, { name: "ettan" })
    const elsewhere = `/api/environments/2/session_recording_playlists/${body.short_id}/`
    expect(shown(await owner.get(elsewhere))).toEqual(missing())
    expect(shown(await owner.patch(elsewhere, { name: "tvåan" }))).toEqual(missing())
  })

  test("is a format that there is none of", async () => {
    const detail = "There is no such format. Use csv or json."
    expect(shown(await owner.get(`${E}/persons/values/?key=a&format=xml`))).toEqual({
      ...missing(detail),
      attr: "format",
    })
  })

  test("is answered 400 where the id of a person is none", async () => {
    expect(shown(await owner.get(`${E}/persons/nope/`))).toEqual(
      refused(
        "invalid_input",
        "The ID provided does not look like a personID. If you are using a distinctId, please use /persons?distinct_id=nope instead.",
        null,
      ),
    )
  })
})

describe("requests that do not fit their endpoint", () => {
  test("by method: 405 with the methods that do, whoever asks", async () => {
    for (const [method, path, allow] of [
      ["PUT", `${E}/session_recordings/`, "GET, HEAD"],
      ["DELETE", PLAYLISTS, "GET, POST, HEAD"],
      ["POST", `${E}/plugin_configs/1/logs/`, "GET, HEAD"],
      ["GET", `${E}/query/`, "POST"],
      ["PATCH", "/api/projects/", "GET, HEAD"],
    ] as const)
      for (const caller of [owner, nobody]) {
        const answer = await caller.request(method, path)
        const detail = `Method "${method}" not allowed.`
        expect(shown(answer)).toEqual(row(405, "invalid_request", "method_not_allowed", detail))
        expect(answer.headers.get("allow")).toBe(allow)
      }
  })

  test.each([
    ['{"name":', "Expecting value: line 1 column 9 (char 8)"],
    ['{\n  "name": oops\n}', "Expecting value: line 2 column 11 (char 12)"],
    ["{'name': 1}", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"],
    ['{"name": "å"} x', "Extra data: line 1 column 15 (char 14)"],
  ])("by a body that is not JSON: %j", async (body, reason) => {
    expect(shown(await owner.post(PLAYLISTS, body))).toEqual(
      row(400, "invalid_request", "parse_error", `JSON parse error - ${reason}`),
    )
  })

  test("by the media type sent, and by the one asked for", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" }
    expect(shown(await owner.request("POST", PLAYLISTS, "name=x", form))).toEqual(
      row(
        ...([415, "invalid_request", "unsupported_media_type"] as const),
        'Unsupported media type "application/x-www-form-urlencoded" in request.',
      ),
    )
    expect(shown(await owner.request("GET", PLAYLISTS, undefined, { accept: "application/xml" }))).toEqual(
      row(406, "invalid_request", "not_acceptable", "Could not satisfy the request Accept header."),
    )
    for (const accept of [
      "*/*",
      "application/*",
      "text/html, application/json;q=0.5",
      "text/html,*/*;q=0.8",
      "nonsense",
    ])
      expect((await owner.request("GET", PLAYLISTS, undefined, { accept })).status).toBe(200)
  })

  test.each([
    ["required", "POST", `${E}/cohorts/`, {}, "This field is required.", "name"],
    ["blank", "POST", `${E}/cohorts/`, { name: "" }, "This field may not be blank.", "name"],
    ["null", "POST", PLAYLISTS, { pinned: null }, "This field may not be null.", "pinned"],
    [
      ...(["max_length", "POST", PLAYLISTS] as const),
      { name: "x".repeat(401) },
      "Ensure this field has no more than 400 characters.",
      "name",
    ],
    ["invalid_input", "POST", PLAYLISTS, { pinned: "maybe" }, "Must be a valid boolean.", "pinned"],
    [
      ...(["invalid_input", "POST", PLAYLISTS, []] as const),
      "Invalid data. Expected a dictionary, but got list.",
      null,
    ],
    ["invalid_choice", "GET", `${PLAYLISTS}?order=bogus`, undefined, /^Order by one of: /, "order"],
    [
      ...(["not_a_list", "POST", `${E}/session_recordings/bulk_delete/`] as const),
      { session_recording_ids: "x" },
      'Expected a list of items but got type "string".',
      "session_recording_ids",
    ],
    [...(["required", "POST", `${E}/query/`] as const), {}, "This field is required.", "query"],
  ] as [string, string, string, unknown, string | RegExp, string | null][])(
    "by a field: %s of %s %s",
    async (code, method, path, body, detail, attr) => {
      const wanted = typeof detail === "string" ? detail : expect.stringMatching(detail)
      expect(shown(await owner.request(method, path, body))).toMatchObject(refused(code, wanted, attr))
    },
  )
})

describe("queries that the engine refuses", () => {
  test.each([
    ["illegal_type_of_argument", "select sum('a')", "'sum' cannot take a text.", "sum('a')"],
    [
      "illegal_type_of_argument",
      "select 1, event + 1 from events",
      /^'\+' cannot take a text and a number/,
      "event + 1",
    ],
    ["no_common_type", "select greatest(1, 'a')", /^A number and a text cannot stand for one value/, null],
    [
      ...(["not_an_aggregate", "select event, count() from events"] as const),
      "'event' is neither in GROUP BY nor inside of an aggregation such as count() or any().",
      "event",
    ],
    ["cannot_parse_bool", "select cast('x' as Bool)", /^Cannot parse boolean value here: 'x'/, null],
    ["illegal_division", "select intDiv(1, 0)", "Division by zero.", null],
    ["cannot_compile_regexp", "select match('a', '(')", /^'\(' is no regular expression/, "'('"],
    ["argument_out_of_bound", "select range(100000000000)", /^A call to function range/, "range(100000000000)"],
    ["unknown_type", "select JSONExtract('{}', 'a', 'Nope')", "Unknown data type family: Nope.", "'Nope'"],
    [
      ...(["sizes_of_arrays_dont_match", "select arrayMap((x, y) -> x, [1], [1, 2])"] as const),
      /^Arrays passed to arrayMap/,
      null,
    ],
    ["bad_arguments", "select dateDiff('moon', now(), now())", /does not support 'moon' unit/, "'moon'"],
    [
      ...(["incorrect_result_of_scalar_subquery", "select (select number from numbers(2))"] as const),
      /^A subquery that stands for one value gave more than one row/,
      null,
    ],
  ] as [string, string, string | RegExp, string | null][])(
    "are passed on by name, with the place in the text: %s of %s",
    async (code, query, detail, part) => {
      const wanted = typeof detail === "string" ? detail : expect.stringMatching(detail)
      const start = part === null ? expect.any(Number) : query.indexOf(part)
      const end = part === null ? expect.any(Number) : query.indexOf(part) + part.length
      expect(shown(await owner.post(`${E}/query/`, hogql(query)))).toEqual({
        ...refused(code, wanted, "query"),
        extra: { start, end },
      })
    },
  )

  test.each([
    ["hogql_syntax_error", "select 1 +", /^The query ends too early/],
    ["hogql_query_error", "select nope from events", "Unable to resolve field: nope"],
    ["hogql_query_error", "select 1 from nope", 'Unknown table "nope".'],
    ["hogql_query_error", "select nope(1)", /^Unsupported function call 'nope\(\.\.\.\)'/],
    ["hogql_query_error", "select toInt(1, 2, 3)", "Function 'toInt' expects 1 argument, found 3"],
  ])("or that do not compile: %s of %s", async (code, query, detail) => {
    const wanted = typeof detail === "string" ? detail : expect.stringMatching(detail)
    expect(shown(await owner.post(`${E}/query/`, hogql(query)))).toEqual({
      ...refused(code, wanted, "query"),
      extra: { start: expect.any(Number), end: expect.any(Number) },
    })
  })
})

describe("limits", () => {
  test("of requests: 429 with the seconds until the next one", async () => {
    const url = await server.startProcess("throttled", { ROLES: "web", RATE_LIMIT_PER_HOUR: "1" })
    const caller = new WaymarkApi(url, (await keyWith(["session_recording_playlist:read"])).personalKey)
    const answer = await waitFor("the key to be throttled", async () => {
      const asked = await caller.get(PLAYLISTS)
      return asked.status === 429 && asked
    })
    const seconds = answer.headers.get("retry-after")
    const unit = seconds === "1" ? "second" : "seconds"
    const detail = `Request was throttled. Expected available in ${seconds} ${unit}.`
    expect(shown(answer)).toEqual(row(429, "throttled_error", "throttled", detail))
  })

  test("of an organization's flag requests: 402", async () => {
    const limit = (requests: number | null) =>
      owner.changed(
        `mutation ($settings: JSON) {
          updateProject(input: { settings: { raw: $settings } }) { project { id: number } userErrors { message } } }`,
        {
          settings: { feature_flag_request_limit: requests },
        },
      )
    await limit(0)
    expect(shown(await owner.get("/api/feature_flag/local_evaluation/"))).toEqual(
      row(
        ...([402, "quota_limited", "payment_required"] as const),
        "The organization has used up its flag requests of this month.",
      ),
    )
    await limit(null)
  })

  test("of time and of queries at once: 504, and those in line are refused, a project's own with 429, others with 503", async () => {
    const url = await server.startProcess("busy", {
      ROLES: "web",
      QUERY_TIME_LIMIT_SECONDS: "1",
      QUERIES_AT_ONCE: "1",
      QUERIES_WAITING: "1",
    })
    const caller = new WaymarkApi(url)
    let asked = 0
    const ask = (project: number, query: string) =>
      caller.post(`/api/environments/${project}/query/`, hogql(`${query} -- ${asked++}`))
    const endless = () => ask(1, "select sum(sipHash64(number)) from numbers(100000000000)")
    const seen = new Map<string, Answer>()
    const note = (project: number) => (answer: Answer) => seen.set(`${answer.status} in project ${project}`, answer)
    await waitFor("one query to run too long and others to find no place", async () => {
      const rounds = [endless(), endless(), endless()].map((one) => one.then(note(1)))
      for (let others = 0; others < 3; others++) await ask(2, "select 1").then(note(2))
      await Promise.all(rounds)
      return ["504 in project 1", "429 in project 1", "503 in project 2"].every((one) => seen.has(one))
    })
    const at = (what: string) => shown(seen.get(what) as Answer)
    expect(at("504 in project 1")).toEqual(
      row(504, "server_error", "query_timeout", "Query has hit the max execution time before completing."),
    )
    const tooMany = "Too many queries of this project wait: at most 1 of a project run at once. Please retry later."
    expect(at("429 in project 1")).toEqual(row(429, "throttled_error", "throttled", tooMany))
    expect(at("503 in project 2")).toEqual(
      row(503, "server_error", "store_unavailable", "Too many queries wait. Please retry later."),
    )
    for (const what of ["429 in project 1", "503 in project 2"])
      expect(seen.get(what)?.headers.get("retry-after")).toMatch(/^\d+$/)
  })
})

describe("of several faults at once, the first counts:", () => {
  test("path, method, key, project, policy, binding, scope, and the body last", async () => {
    const reader = await keyWith(["session_recording_playlist:read"], { projectIds: [2] })
    const wrong = withKey("phx_wrong")
    const statusOf = async (asked: Promise<Answer>) => {
      const { status, body } = await asked
      return `${status} ${(body as { detail: string }).detail}`
    }
    const inProject = (project: number | string) => `/api/environments/${project}/session_recording_playlists/`
    expect(await statusOf(wrong.get("/api/nowhere/"))).toBe("404 Not found.")
    expect(await statusOf(wrong.request("PUT", inProject(4711)))).toBe('405 Method "PUT" not allowed.')
    expect(await statusOf(wrong.get(inProject(4711)))).toMatch(/^401 Personal API key found/)
    expect(await statusOf(reader.post(inProject(4711), "{"))).toBe("404 Project not found.")
    const bound = await makeKey(closed.member, ["query:read"], { organizationIds: [closed.organizationId] })
    const member = withKey(bound.value)
    expect(await statusOf(member.post(inProject(closed.project), "{"))).toMatch(/^403 Organization 'Stängd AB'/)
    expect(await statusOf(reader.post(inProject(1), "{"))).toMatch(/^403 API key does not have access to the requested/)
    expect(await statusOf(reader.post(inProject(2), "{"))).toMatch(/^403 API key missing required scope/)
    expect(await statusOf(closed.admin.post(inProject(1), "{"))).toBe("404 Project not found.")
    expect(await statusOf(owner.post(inProject(1), "{"))).toMatch(/^400 JSON parse error/)
  })
})
