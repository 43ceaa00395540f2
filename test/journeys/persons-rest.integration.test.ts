import { beforeAll, describe, expect, test } from "@jest/globals"
import { type Callers, createCallers } from "../support/access-matrix.js"
import { ownServer } from "../support/own-server.js"
import { waitFor } from "../support/wait-for.js"
import type { Answer, WaymarkApi } from "../support/waymark-api.js"
import { PROJECT_KEY } from "../support/waymark-process.js"

const { api } = ownServer()
const PERSONS = "/api/environments/@current/persons"

interface WirePerson {
  readonly id: string
  readonly distinct_ids: string[]
  readonly properties: Record<string, unknown>
  readonly [field: string]: unknown
}

interface PersonList {
  readonly next: string | null
  readonly previous: string | null
  readonly count?: number
  readonly results: WirePerson[]
}

interface Trend {
  readonly results: { people: WirePerson[]; count: number }[]
  readonly next: string | null
  readonly missing_persons: number
}

const identify = (distinctId: string, set: Record<string, unknown>, anonymousId?: string) =>
  api.capture({
    event: "$identify",
    distinct_id: distinctId,
    properties: { $set: set, ...(anonymousId && { $anon_distinct_id: anonymousId }) },
  })

const findPerson = async (distinctId: string): Promise<WirePerson | undefined> =>
  (await api.get<PersonList>(`${PERSONS}/?distinct_id=${encodeURIComponent(distinctId)}`)).body.results[0]

async function personOf(distinctId: string): Promise<WirePerson> {
  const person = await findPerson(distinctId)
  if (person === undefined) throw new Error(`nobody has the id ${distinctId}`)
  return person
}

beforeAll(async () => {
  await identify("åsa", { email: "Asa@Example.com", plan: "pro", seats: 3, nested: { city: "Umeå" } }, "anon-åsa")
  await identify("bo", { email: "bo@example.org", plan: "free", seats: 12, note: '=HYPERLINK("x")' })
  await api.capture({ event: "ride", distinct_id: "åsa", properties: { km: 12 } })
  await api.capture({ event: "ride", distinct_id: "bo", properties: { km: 3 } })
  await api.capture({ event: "ride", distinct_id: "bo", properties: { km: 40 } })
  await api.capture({ event: "ride", distinct_id: "quiet", properties: { $process_person_profile: false } })
  await api.drained()
})

describe("persons over REST", () => {
  test("are listed with the fields of the reference, and counted only when asked", async () => {
    const { status, body } = await api.get<PersonList>(`${PERSONS}/`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(["next", "previous", "results"])
    expect(body.results).toHaveLength(2)
    const asa = body.results.find(({ distinct_ids }) => distinct_ids.includes("åsa"))
    expect(asa).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      uuid: asa?.id,
      name: "Asa@Example.com",
      distinct_ids: expect.arrayContaining(["åsa", "anon-åsa"]),
      properties: expect.objectContaining({ plan: "pro", nested: { city: "Umeå" } }),
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      is_identified: true,
      matched_recordings: [],
      value_at_data_point: null,
    })
    expect((await api.get<PersonList>(`${PERSONS}?include_total=true&limit=1`)).body.count).toBe(2)
  })

  test("page with links that keep the other parameters", async () => {
    const first = (await api.get<PersonList>(`${PERSONS}/?limit=1&search=EXAMPLE`)).body
    expect(first.next).toContain("search=EXAMPLE")
    const second = (await api.get<PersonList>(first.next?.replace(api.url, "") ?? "")).body
    expect(second).toMatchObject({ next: null, previous: expect.any(String) })
    expect(second.results[0]?.id).not.toBe(first.results[0]?.id)
  })

  test.each([
    ["email", "email=ASA@example.com", ["åsa"]],
    ["distinct id", "distinct_id=anon-%C3%A5sa", ["åsa"]],
    ["search", "search=example.ORG", ["bo"]],
    ["a property", `properties=${encodeURIComponent('[{"key":"plan","value":"pro"}]')}`, ["åsa"]],
    [
      "one of several values",
      `properties=${encodeURIComponent('[{"key":"plan","value":["pro","free"]}]')}`,
      ["bo", "åsa"],
    ],
    [
      "what it is not",
      `properties=${encodeURIComponent('[{"key":"plan","operator":"is_not","value":"pro"}]')}`,
      ["bo"],
    ],
    ["a part", `properties=${encodeURIComponent('[{"key":"plan","operator":"icontains","value":"FRE"}]')}`, ["bo"]],
    ["a number", `properties=${encodeURIComponent('[{"key":"seats","operator":"gt","value":"3"}]')}`, ["bo"]],
    ["being set", `properties=${encodeURIComponent('[{"key":"note","operator":"is_set"}]')}`, ["bo"]],
    ["not being set", `properties=${encodeURIComponent('[{"key":"note","operator":"is_not_set"}]')}`, ["åsa"]],
    [
      "a group of conditions",
      `properties=${encodeURIComponent('{"type":"AND","values":[{"type":"AND","values":[{"key":"plan","value":"pro"}]}]}')}`,
      ["åsa"],
    ],
    [
      "one of two groups",
      `properties=${encodeURIComponent('{"type":"OR","values":[{"type":"AND","values":[{"key":"plan","value":"PRO"},{"key":"seats","operator":"lt","value":5}]},{"key":"note","operator":"is_set"}]}')}`,
      ["bo", "åsa"],
    ],
    [
      "a pattern",
      `properties=${encodeURIComponent('[{"key":"email","operator":"regex","value":"^[a-z]+@.*\\\\.org$"}]')}`,
      ["bo"],
    ],
    [
      "a date",
      `properties=${encodeURIComponent('[{"key":"$creator_event_uuid","operator":"is_date_after","value":"-1y"}]')}`,
      [],
    ],
    ["nobody's property", `properties=${encodeURIComponent('[{"key":"plan","value":"none"}]')}`, []],
  ])("are found by %s", async (_what, query, expected) => {
    const { status, body } = await api.get<PersonList>(`${PERSONS}/?${query}`)
    expect(status).toBe(200)
    expect(body.results.map(({ distinct_ids }) => distinct_ids.find((id) => !id.startsWith("anon"))).sort()).toEqual(
      expected,
    )
  })

  test.each([
    "{",
    "7",
    '[{"value":1}]',
    '[{"key":"a","operator":"semver_gt","value":"1"}]',
    '[{"key":"a","operator":"regex","value":"(?=x)"}]',
    '[{"key":"a","operator":"is_date_after","value":"soon"}]',
    '[{"key":"a","type":"event","value":1}]',
    '{"type":"XOR","values":[]}',
  ])("refuse the conditions %s by name", async (properties) => {
    expect(await api.get(`${PERSONS}/?properties=${encodeURIComponent(properties)}`)).toMatchObject({
      status: 400,
      body: { type: "validation_error", attr: "properties" },
    })
  })

  test("are fetched by UUID, or by number as recordings have it; anything else is pointed to the distinct id", async () => {
    const { id } = await personOf("bo")
    const { status, body } = await api.get<WirePerson>(`${PERSONS}/${id}/`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual([
      "id",
      "name",
      "distinct_ids",
      "properties",
      "created_at",
      "uuid",
      "is_identified",
    ])
    const number = Number.parseInt(id.replace("-", "").slice(0, 12), 16)
    expect((await api.get(`${PERSONS}/${number}/`)).body).toEqual(body)
    for (const wrong of ["bo", "%20"])
      expect(await api.get(`${PERSONS}/${wrong}/`)).toMatchObject({
        status: 400,
        body: { type: "validation_error", detail: expect.stringContaining("?distinct_id=") },
      })
    for (const unknown of ["0198f7c0-0000-7000-8000-00000000dead", "17", "9".repeat(40)])
      expect((await api.get(`${PERSONS}/${unknown}/`)).status).toBe(404)
  })

  test.each([
    ["a parameter", "?format=csv", {}],
    ["the Accept header", "", { accept: "text/csv" }],
  ])("are exported as CSV with flat columns and without formulas, asked for by %s", async (_how, query, headers) => {
    const answer = await api.request<string>("GET", `${PERSONS}/${query}`, undefined, headers)
    expect(answer.headers.get("content-type")).toContain("text/csv")
    const [header, ...lines] = answer.body.trimEnd().split("\r\n")
    expect(header).toContain("id,uuid,name,distinct_ids")
    expect(header).toContain("properties.nested.city")
    expect(lines).toHaveLength(2)
    expect(answer.body).toContain(`"'=HYPERLINK(""x"")"`)
    expect((await api.get(`${PERSONS}/?format=xml`)).status).toBe(404)
  })

  test.each([
    ["application/json, text/csv", "application/json"],
    ["text/csv;q=0.1, application/json", "application/json"],
    ["application/json;q=0.1, text/csv;q=0.5", "text/csv; charset=utf-8"],
    ["text/csv, */*", "text/csv; charset=utf-8"],
  ])("are in the form that a client likes best, and JSON where it likes both: %s", async (accept, type) => {
    const answer = await api.request("GET", `${PERSONS}/`, undefined, { accept })
    expect(answer.headers.get("content-type")).toBe(type)
  })

  test("are not created here, and the answer says how they are", async () => {
    const refused = await api.post(`${PERSONS}/`, {})
    expect(refused).toMatchObject({
      status: 405,
      body: { code: "method_not_allowed", detail: expect.stringContaining("$identify") },
    })
    expect(refused.headers.get("allow")).toBe("GET, HEAD")
  })

  test("are changed by an event", async () => {
    const { id } = await personOf("bo")
    expect((await api.patch(`${PERSONS}/${id}/`, { properties: { plan: "team", age: 41 } })).status).toBe(202)
    expect((await api.post(`${PERSONS}/${id}/update_property`, { key: "color", value: ["blue"] })).status).toBe(202)
    expect((await api.post(`${PERSONS}/${id}/delete_property`, { $unset: "age" })).status).toBe(202)
    await api.drained()
    const { properties } = await personOf("bo")
    expect(properties).toMatchObject({ plan: "team", color: ["blue"] })
    expect(properties).not.toHaveProperty("age")
    expect(await api.patch(`${PERSONS}/${id}/`, {})).toMatchObject({ status: 400, body: { attr: "properties" } })
    expect(await api.patch(`${PERSONS}/${id}/`, { properties: 1 })).toMatchObject({
      status: 400,
      body: { attr: "properties" },
    })
  })
})

describe("a person called by the number that recordings have", () => {
  const numberOf = (id: string) => Number.parseInt(id.replace("-", "").slice(0, 12), 16)

  test("is changed, split and deleted as by UUID", async () => {
    await api.capture({ event: "$set", distinct_id: "numbered", properties: { $set: { plan: "free" } } })
    await api.drained()
    const { id } = await personOf("numbered")
    const one = `${PERSONS}/${numberOf(id)}/`
    expect((await api.patch(one, { properties: { plan: "team" } })).status).toBe(202)
    await api.drained()
    expect((await personOf("numbered")).properties).toMatchObject({ plan: "team" })
    expect((await api.post(`${one}split/`, {})).status).toBe(201)
    expect((await api.request("DELETE", one)).status).toBe(202)
    expect((await api.get(one)).status).toBe(404)
  })

  test("is not found where nobody has it, whatever is asked", async () => {
    for (const unknown of ["17", "9".repeat(40), "0198f7c0-0000-7000-8000-00000000dead"]) {
      const one = `${PERSONS}/${unknown}/`
      const answers = [
        await api.patch(one, { properties: {} }),
        await api.post(`${one}update_property/`, { key: "a", value: 1 }),
        await api.post(`${one}delete_property/`, { $unset: "a" }),
        await api.post(`${one}split/`, {}),
        await api.request("DELETE", one),
      ]
      for (const answer of answers)
        expect(answer).toMatchObject({ status: 404, body: { code: "not_found", detail: "Not found." } })
    }
  })
})

describe("persons behind a trend", () => {
  const TRENDS = `${PERSONS}/trends/`

  test("are none without parameters", async () => {
    const { status, body } = await api.get<Trend>(TRENDS)
    expect({ status, results: body.results }).toEqual({ status: 200, results: [{ people: [], count: 0 }] })
  })

  test("are those who did the event, the busiest first; who has no profile is counted as missing", async () => {
    const { body } = await api.get<Trend>(`${TRENDS}?entity_id=ride&entity_type=events`)
    expect(body.results[0]?.people.map(({ distinct_ids }) => distinct_ids)).toEqual([
      ["bo"],
      expect.arrayContaining(["åsa"]),
    ])
    expect(body.results[0]?.people[0]).toMatchObject({ type: "person", matched_recordings: [] })
    expect(body).toMatchObject({ missing_persons: 1, next: null, is_cached: false, last_refresh: expect.any(String) })
  })

  test("are narrowed by properties and dates, and paged", async () => {
    const properties = encodeURIComponent('[{"key":"km","type":"event","operator":"gt","value":10}]')
    const events = encodeURIComponent('[{"id":"ride","type":"events"}]')
    const long = (await api.get<Trend>(`${TRENDS}?events=${events}&properties=${properties}&limit=1`)).body
    expect(long.results[0]?.count).toBe(1)
    expect(long.next).toContain("offset=1")
    const past = await api.get<Trend>(
      `${TRENDS}?entity_id=ride&entity_type=events&date_from=2020-01-01&date_to=2020-02-01`,
    )
    expect(past.body.results).toEqual([{ people: [], count: 0 }])
  })

  test("are exported as CSV, one row a person", async () => {
    const csv = await api.get<string>(`${TRENDS}?entity_id=ride&entity_type=events&format=csv`)
    expect(csv.headers.get("content-type")).toContain("text/csv")
    expect(csv.body.trimEnd().split("\r\n")).toHaveLength(3)
    expect((await api.get<string>(`${TRENDS}?format=csv`)).status).toBe(200)
  })

  const RIDES = "entity_id=ride&entity_type=events"
  test.each<[what: string, query: string, people: string[], missing: number]>([
    ["those of one value of a breakdown", "breakdown=km&breakdown_value=12", ["åsa"], 0],
    ["those without a value", "breakdown=km&breakdown_value=$$_posthog_breakdown_null_$$", [], 1],
    ["those of a value of the person", "breakdown=plan&breakdown_type=person&breakdown_value=pro", ["åsa"], 0],
    ["everybody, when a breakdown names no value", "breakdown=km", ["bo", "åsa"], 1],
    ["those who count once a day", "entity_math=dau", ["bo", "åsa"], 1],
    ["those whose events have the value that is added up", "entity_math=sum&entity_math_property=km", ["bo", "åsa"], 0],
    ["who was active in the days before", "entity_math=weekly_active&date_from=-1h", ["bo", "åsa"], 1],
    ["nobody long ago", "entity_math=monthly_active&date_to=2020-02-01", [], 0],
  ])("are %s: %s", async (_what, query, people, missing) => {
    const { status, body } = await api.get<Trend>(`${TRENDS}?${RIDES}&${query}`)
    expect({ status, missing: body.missing_persons }).toEqual({ status: 200, missing })
    const names = body.results[0]?.people.map(({ distinct_ids }) => distinct_ids.find((id) => !id.startsWith("anon")))
    expect(names?.toSorted()).toEqual(people.toSorted())
  })

  test.each<[query: string, attr: string | null, detail: string]>([
    ["entity_id=ride", null, "entity type must be provided"],
    ["entity_id=ride&entity_type=actions", "entity_id", "The id of an action is its number"],
    ["actions=[]", null, "entity type must be provided"],
    ["events=%7B", "events", "not JSON"],
    ["breakdown=plan", null, "entity type must be provided"],
    [`${RIDES}&breakdown=km&breakdown_value=$$_posthog_breakdown_other_$$`, "breakdown_value", "nobody in particular"],
    [`${RIDES}&breakdown=1&breakdown_type=cohort&breakdown_value=x`, "breakdown_value", "number of a cohort"],
    [`${RIDES}&breakdown=km&breakdown_type=moon&breakdown_value=1`, "breakdown_type", "Use one of: event"],
    [
      `${RIDES}&breakdown=km&breakdown_type=group&breakdown_group_type_index=x&breakdown_value=1`,
      "breakdown_group_type_index",
      "integer",
    ],
    [`${RIDES}&breakdowns=[]`, "breakdowns", "Of a breakdown only"],
    [`${RIDES}&entity_math=magic`, "entity_math", "Use one of: total"],
    [`${RIDES}&entity_math=sum`, "entity_math_property", "needs the name of a property"],
    [`${RIDES}&date_from=soon`, "date_from", "Cannot read the date 'soon'."],
    [`${RIDES}&date_to=2020-99-01`, "date_to", "Cannot read the date '2020-99-01'."],
    [`${RIDES}&properties=[5]`, "properties", "A property filter must be an object."],
    [`${RIDES}&properties=[{"type":"cohort","key":"id","value":4711}]`, "properties", "Could not find cohort"],
  ])("are refused for %s", async (query, attr, detail) => {
    expect(await api.get(`${TRENDS}?${query}`)).toMatchObject({
      status: 400,
      body: { type: "validation_error", attr, detail: expect.stringContaining(detail) },
    })
  })
})

describe("splitting over REST", () => {
  test("gives ids persons of their own, and their events follow", async () => {
    await api.capture({ event: "browsed", distinct_id: "anon-cem" })
    await identify("cem", { plan: "pro" }, "anon-cem")
    await api.drained()
    const { id } = await personOf("cem")
    expect(await api.post(`${PERSONS}/${id}/split/`, { main_distinct_id: "nobody" })).toMatchObject({
      status: 400,
      body: { attr: "main_distinct_id" },
    })
    expect(await api.post(`${PERSONS}/${id}/split/`, { main_distinct_id: "cem" })).toMatchObject({
      status: 201,
      body: { success: true },
    })
    expect((await personOf("cem")).id).toBe(id)
    const other = await personOf("anon-cem")
    expect(other).toMatchObject({ distinct_ids: ["anon-cem"], properties: {} })
    const rows = await api.hogql(
      "SELECT event, toString(person_id), person.properties.plan FROM events WHERE event IN ('browsed', '$identify') AND distinct_id IN ('cem', 'anon-cem') ORDER BY event",
    )
    expect(rows).toEqual([
      ["$identify", id, "pro"],
      ["browsed", other.id, null],
    ])
  })
})

describe("deleting over REST", () => {
  const eventsOf = async (distinctId: string): Promise<unknown> =>
    (await api.hogql(`SELECT count() FROM events WHERE distinct_id = '${distinctId}'`))[0]?.[0]

  test("keeps the events unless they are to go too; then they are gone, and a later event starts a fresh person", async () => {
    await identify("dora", { plan: "pro" })
    await identify("emil", { plan: "pro" }, "anon-emil")
    await api.capture({ event: "seen", distinct_id: "anon-emil" })
    await api.drained()
    const [dora, emil] = [await personOf("dora"), await personOf("emil")]
    expect(await api.request("DELETE", `${PERSONS}/${dora.id}/`)).toMatchObject({ status: 202, body: null })
    expect((await api.request("DELETE", `${PERSONS}/${emil.id}/?delete_events=true`)).status).toBe(202)
    expect((await api.request("DELETE", `${PERSONS}/${emil.id}/?delete_events=true`)).status).toBe(404)
    expect([await findPerson("dora"), await findPerson("emil")]).toEqual([undefined, undefined])
    await waitFor("the rows to go", async () => (await eventsOf("emil")) === 0 && (await eventsOf("anon-emil")) === 0)
    expect(await eventsOf("dora")).toBe(1)

    await api.capture({ event: "back", distinct_id: "emil", properties: { $set: { plan: "new" } } })
    await api.drained()
    expect((await personOf("emil")).properties).toMatchObject({ plan: "new" })
    expect(await api.hogql("SELECT event, person.properties.plan FROM events WHERE distinct_id = 'emil'")).toEqual([
      ["back", "new"],
    ])
    expect(await api.hogql(`SELECT count() FROM persons WHERE id = '${emil.id}'`)).toEqual([[1]])
  })

  test("takes the recordings along when asked, those of others and later ones stay", async () => {
    const record = async (distinctId: string, sessionId: string) => {
      const $snapshot_data = [{ type: 4, data: { href: "https://a.test" }, timestamp: Date.now() }]
      const properties = { $session_id: sessionId, $snapshot_data }
      const answer = await api.post("/s/", [
        { api_key: PROJECT_KEY, event: "$snapshot", distinct_id: distinctId, properties },
      ])
      expect(answer.status).toBe(200)
    }
    const RECORDINGS = "/api/environments/@current/session_recordings"
    const isThere = async (sessionId: string) => (await api.get(`${RECORDINGS}/${sessionId}/`)).status === 200
    for (const id of ["gil", "hal", "ida"]) await identify(id, {}, `anon-${id}`)
    await record("anon-gil", "rec-gil-1")
    await record("gil", "rec-gil-2")
    await record("hal", "rec-hal")
    await record("ida", "rec-ida")
    await api.drained()
    const [gil, hal] = [await personOf("gil"), await personOf("hal")]
    const query = "delete_recordings=true&delete_events=true"
    expect((await api.request("DELETE", `${PERSONS}/${gil.id}/?${query}`)).status).toBe(202)
    await waitFor("the recordings to go", async () => !(await isThere("rec-gil-1")) && !(await isThere("rec-gil-2")))
    expect([await isThere("rec-hal"), await isThere("rec-ida")]).toEqual([true, true])

    const bulk = { ids: [hal.id], delete_recordings: true }
    expect(await api.post(`${PERSONS}/bulk_delete/`, bulk)).toMatchObject({ status: 202, body: { persons_deleted: 1 } })
    await waitFor("the recording to go", async () => !(await isThere("rec-hal")))
    await record("gil", "rec-gil-3")
    await api.drained()
    expect([await isThere("rec-gil-3"), await isThere("rec-ida")]).toEqual([true, true])
    expect(await api.hogql("SELECT session_id FROM session_replay_events ORDER BY session_id")).toEqual([
      ["rec-gil-3"],
      ["rec-ida"],
    ])
  })

  test("takes many at once, by ids or distinct ids, and refuses what it would not do", async () => {
    for (const id of ["f1", "f2", "f3"]) await identify(id, {})
    await api.drained()
    const f1 = await personOf("f1")
    const path = `${PERSONS}/bulk_delete/`
    expect(await api.post(path, { ids: [f1.id] })).toMatchObject({ status: 202, body: { persons_deleted: 1 } })
    expect(await api.post(path, { distinct_ids: ["f1", "f2"], delete_events: true })).toMatchObject({
      status: 202,
      body: { persons_deleted: 1 },
    })
    expect(await findPerson("f3")).toBeDefined()
    const tooMany = Array.from({ length: 1001 }, (_, index) => `x${index}`)
    expect(await api.post(path, { distinct_ids: tooMany })).toMatchObject({
      status: 400,
      body: { attr: "distinct_ids" },
    })
    expect(await api.post(path, { ids: ["17"] })).toMatchObject({ status: 400, body: { attr: "ids" } })
    expect(await api.post(path, {})).toMatchObject({ status: 400 })
    expect(await api.post(path, { ids: [f1.id], delete_recordings: "some" })).toMatchObject({
      status: 400,
      body: { attr: "delete_recordings" },
    })
  })
})

describe("every operation on persons tells callers apart:", () => {
  const ID = "0198f7c0-0000-7000-8000-00000000dead"
  const REST: [method: string, path: string, scope: string, body: unknown, permitted: number][] = [
    ["GET", "", "person:read", undefined, 200],
    ["GET", `/${ID}`, "person:read", undefined, 404],
    ["GET", "/values", "person:read", undefined, 200],
    ["GET", "/trends", "person:read", undefined, 200],
    ["POST", "", "person:write", {}, 405],
    ["POST", "/bulk_delete", "person:write", { ids: [ID] }, 202],
    ["DELETE", `/${ID}`, "person:write", undefined, 404],
    ["PATCH", `/${ID}`, "person:write", { properties: {} }, 404],
    ["POST", `/${ID}/split`, "person:write", {}, 404],
    ["POST", `/${ID}/update_property`, "person:write", { key: "a", value: 1 }, 404],
    ["POST", `/${ID}/delete_property`, "person:write", { $unset: "a" }, 404],
  ]
  const GRAPHQL: [field: string, scope: string, operation: string][] = [
    ["persons", "person:read", "{ persons(projectId: 1) { totalCount } }"],
    ["exportPersons", "person:read", "{ exportPersons(projectId: 1) { id: uuid } }"],
    ["person", "person:read", `{ person(projectId: 1, by: { uuid: "${ID}" }) { id: uuid } }`],
    ["personPropertyValues", "person:read", '{ personPropertyValues(projectId: 1, property: "plan") { value } }'],
    ["eventActors", "person:read", "{ eventActors(projectId: 1) { totalCount } }"],
    ["exportEventActors", "person:read", "{ exportEventActors(projectId: 1) { personId } }"],
    ["groupTypes", "group:read", "{ groupTypes(projectId: 1) { name } }"],
    ["groups", "group:read", "{ groups(projectId: 1, typeIndex: 0) { totalCount } }"],
    ["ingestionWarnings", "ingestion_warning:read", "{ ingestionWarnings(projectId: 1) { totalCount } }"],
    [
      "deletePerson",
      "person:write",
      `mutation { deletePerson(input: { projectId: 1, id: "${ID}" }) { userErrors { message } } }`,
    ],
    [
      "deletePersons",
      "person:write",
      `mutation { deletePersons(input: { projectId: 1, ids: ["${ID}"] }) { deletedCount userErrors { message } } }`,
    ],
    [
      "splitPerson",
      "person:write",
      `mutation { splitPerson(input: { projectId: 1, id: "${ID}" }) { persons { id: uuid } userErrors { message } } }`,
    ],
    [
      "updatePerson",
      "person:write",
      `mutation { updatePerson(input: { projectId: 1, id: "${ID}", set: {} }) { userErrors { message } } }`,
    ],
  ]
  let callers: Callers

  beforeAll(async () => {
    const { createProject } = await api.changed<{ createProject: { id: number } }>(
      'mutation { createProject(input: { name: "Nebenan" }) { project { id: number } userErrors { message } } }',
    )
    const scopes = ["person:write", "group:read", "ingestion_warning:read"]
    callers = await createCallers(api, scopes, createProject.id)
  })

  test.each(REST)("%s %s", async (method, path, scope, body, permitted) => {
    const call = (caller: WaymarkApi) =>
      caller.request<{ code: string; detail: string }>(method, `/api/environments/1/persons${path}`, body)
    expect(await call(callers.nobody)).toMatchObject({ status: 401, body: { code: "not_authenticated" } })
    expect(await call(callers.withUnknownKey)).toMatchObject({ status: 401, body: { code: "authentication_failed" } })
    expect(await call(callers.withoutScope)).toMatchObject({
      status: 403,
      body: { detail: `API key missing required scope '${scope}'` },
    })
    expect(await call(callers.ofAnotherProject)).toMatchObject({ status: 403, body: { code: "permission_denied" } })
    expect((await call(callers.permitted)).status).toBe(permitted)
  })

  test.each(GRAPHQL)("%s", async (_field, scope, query) => {
    const codeFor = async (caller: WaymarkApi) => {
      const answer = await caller.post<{ errors?: { message: string; extensions: { code: string } }[] }>("/graphql", {
        query,
      })
      const [error] = answer.body.errors ?? []
      return error === undefined ? null : [error.extensions.code, error.message]
    }
    expect((await codeFor(callers.nobody))?.[0]).toBe("UNAUTHENTICATED")
    expect((await codeFor(callers.withUnknownKey))?.[0]).toBe("UNAUTHENTICATED")
    expect(await codeFor(callers.withoutScope)).toEqual(["FORBIDDEN", `API key missing required scope '${scope}'`])
    expect((await codeFor(callers.ofAnotherProject))?.[0]).toBe("FORBIDDEN")
    expect([undefined, "NOT_FOUND"]).toContain((await codeFor(callers.permitted))?.[0])
  })
})

describe("persons with large properties", () => {
  const IDS = Array.from({ length: 20 }, (_, index) => `large ${index}`)
  const FILTER = encodeURIComponent(JSON.stringify([{ key: "kind", value: "large", type: "person" }]))

  test("come in pages of fewer than asked for, none twice and none left out", async () => {
    for (const id of IDS) expect((await identify(id, { kind: "large", text: "x".repeat(600_000) })).status).toBe(200)
    await api.drained()
    const pages: string[][] = []
    let path: string | null = `${PERSONS}/?limit=18&properties=${FILTER}`
    while (path !== null) {
      const page: Answer<PersonList> = await api.get<PersonList>(path)
      expect(page.status).toBe(200)
      pages.push(page.body.results.flatMap(({ distinct_ids: ids }) => ids))
      path = page.body.next?.slice(api.url.length) ?? null
    }
    expect(pages.map(({ length }) => length)).toEqual([13, 7])
    expect(new Set(pages.flat())).toEqual(new Set(IDS))
  })

  test("are paged so in GraphQL, where the cursor is that of the last one shown", async () => {
    const ask = `query ($after: String) {
      persons(first: 20, after: $after, filter: { properties: [{ key: "kind", value: "large" }] }) {
        nodes { distinctIds } pageInfo { hasNextPage endCursor } totalCount } }`
    interface PersonsPage {
      persons: { nodes: { distinctIds: string[] }[]; pageInfo: { hasNextPage: boolean; endCursor: string } }
    }
    const first = (await api.graphql<PersonsPage>(ask)).persons
    expect(first).toMatchObject({ nodes: { length: 13 }, totalCount: 20, pageInfo: { hasNextPage: true } })
    const second = (await api.graphql<PersonsPage>(ask, { after: first.pageInfo.endCursor })).persons
    expect(second.pageInfo.hasNextPage).toBe(false)
    const seen = [...first.nodes, ...second.nodes].flatMap(({ distinctIds }) => distinctIds)
    expect(new Set(seen)).toEqual(new Set(IDS))
  })
})
