import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { asProjectId } from "../../../src/kernel/ids.js"
import type { Json, JsonObject } from "../../../src/kernel/json.js"
import { waitFor } from "../../support/wait-for.js"
import { ANNA, BERT, type RecordingsApp, startRecordingsApp } from "./recordings-app.js"
import { click, consoleCall, message, meta, NOW_MS } from "./replay/snapshots.js"

const LIST = `query ($p: ID!, $q: JSON) {
  page: sessionRecordings(projectId: $p, recordingsQuery: $q) { totalCount nodes { id } } }`
const TYPED = `query ($p: ID!, $filter: SessionRecordingFilter) {
  page: sessionRecordings(projectId: $p, filter: $filter) { nodes { id } } }`
const PERSONS = { ada: "0198f0a0-0000-7000-8000-00000000000a", bo: "0198f0a0-0000-7000-8000-00000000000b" }
const HOUR_MS = 3_600_000

let app: RecordingsApp

const toDateTime = (ms: number): string => new Date(ms).toISOString().slice(0, -1).replace("T", " ")

/** Sessions of project 1, newest first: `ada`, `bo`, and `quiet` that has no events and no person. */
beforeAll(async () => {
  app = await startRecordingsApp()
  const at = (id: string, items: readonly JsonObject[], more: JsonObject = {}) =>
    message(items, { distinctId: id, properties: { $session_id: id, ...more } })
  const offset = (hours: number) => -hours * HOUR_MS
  await app.ingest([
    at("ada", [
      meta(offset(1), "https://a.test/Prices"),
      click(offset(1) + 1000),
      click(offset(1) + 90_000),
      consoleCall(offset(1) + 2000, "error", "Payment failed"),
      consoleCall(offset(1) + 3000, "log", "ready"),
    ]),
    at("bo", [
      meta(offset(2), "https://a.test/home"),
      click(offset(2)),
      consoleCall(offset(2), "error", "no such page"),
      consoleCall(offset(2), "warn", "Payment is slow"),
    ]),
    at("quiet", [click(offset(3))], { $snapshot_source: "mobile" }),
  ])
  await app.ingest([message([click(0)], { projectId: 2, distinctId: "ada", properties: { $session_id: "foreign" } })])
  const event = (id: number, session: string, name: string, hoursAgo: number, properties: JsonObject, group = "") => ({
    project_id: 1,
    uuid: `0198f0a0-0000-7000-8000-${String(id).padStart(12, "0")}`,
    event: name,
    distinct_id: session,
    $session_id: session,
    properties: JSON.stringify(properties),
    $group_0: group,
    timestamp: toDateTime(NOW_MS + offset(hoursAgo)),
    created_at: toDateTime(NOW_MS + offset(hoursAgo)),
    person_id: session === "ada" ? PERSONS.ada : PERSONS.bo,
  })
  await app.clickHouse.insert({
    table: "events",
    rows: [
      event(1, "ada", "$pageview", 1, { $browser: "Firefox", path: "/prices" }, "acme"),
      event(2, "ada", "paid", 1, { $browser: "Firefox", amount: 40 }),
      event(3, "bo", "$pageview", 2, { $browser: "Chrome", path: "/prices" }),
      event(4, "bo", "paid", 2, { $browser: "Chrome", amount: 5 }),
      // Of the same session, but long before any session that the list can show.
      event(5, "quiet", "paid", 24 * 9, { $browser: "Firefox" }),
      // Of a server: in no session.
      { ...event(6, "ada", "paid", 1, { $browser: "Firefox", amount: 40 }), $session_id: null },
    ],
  })
  const person = (id: string, properties: JsonObject) => ({
    project_id: 1,
    id,
    properties: JSON.stringify(properties),
    is_deleted: false,
    version: 1,
    created_at: toDateTime(NOW_MS),
  })
  await app.clickHouse.insert({
    table: "persons",
    rows: [person(PERSONS.ada, { plan: "team", email: "ada@a.test" }), person(PERSONS.bo, { plan: "free" })],
  })
  await app.clickHouse.insert({
    table: "person_distinct_ids",
    rows: (["ada", "bo"] as const).map((id) => ({
      project_id: 1,
      distinct_id: id,
      person_id: PERSONS[id],
      is_deleted: false,
      version: 1,
    })),
  })
  await app.clickHouse.insert({
    table: "groups",
    rows: [
      {
        project_id: 1,
        group_type_index: 0,
        group_key: "acme",
        properties: '{"size":"big"}',
        is_deleted: false,
        version: 1,
        created_at: toDateTime(NOW_MS),
      },
    ],
  })
  const onTeam = { properties: { type: "AND", values: [{ type: "person", key: "plan", value: "team" }] } }
  await app.database.pool.query(
    `INSERT INTO cohort (id, project_id, is_static, filters)
     VALUES (7, 1, true, NULL), (8, 1, false, $1), (9, 2, false, $1), (10, 1, false, '{}')`,
    [onTeam],
  )
  await app.clickHouse.insert({
    table: "cohort_people",
    rows: [{ project_id: 1, cohort_id: 7, person_id: PERSONS.bo, is_static: true, is_deleted: false, version: 1 }],
  })
})
afterAll(() => app.stop())

const ids = async (query: JsonObject): Promise<string[]> =>
  (await app.data(LIST, { q: query })).page.nodes.map(({ id }) => id)
const typed = async (filter: object): Promise<string[]> =>
  (await app.data(TYPED, { filter })).page.nodes.map(({ id }) => id)
const property = (type: string, key: string, value: Json, operator = "exact") => ({ type, key, value, operator })
const anyOf = (...values: JsonObject[]) => ({ type: "OR", values })
const allOf = (...values: JsonObject[]) => ({ type: "AND", values })

describe("events in a filter", () => {
  test("are found by name, by name and properties, and by properties of any event", async () => {
    expect(await ids({ events: [{ id: "paid", type: "events" }] })).toEqual(["ada", "bo"])
    const dear = { id: "paid", properties: [property("event", "amount", 10, "gt")] }
    expect(await ids({ events: [dear] })).toEqual(["ada"])
    expect(
      await ids({ events: [{ id: null, name: "All events", properties: [property("event", "amount", 5)] }] }),
    ).toEqual(["bo"])
    expect(await ids({ events: [{ id: null }] })).toEqual(["ada", "bo"])
    expect(await ids({ events: [{ name: "paid" }, { id: "$pageview" }] })).toEqual(["ada", "bo"])
    expect(await ids({ events: [{ id: "never" }, { id: "paid" }] })).toEqual([])
    expect(await ids({ events: [{ id: "never" }, dear], operand: "OR" })).toEqual(["ada"])
  })

  test("hold all their properties at once, what is denied among them", async () => {
    const chrome = property("event", "$browser", "Chrome", "is_not")
    expect(await ids({ events: [{ id: "paid", properties: [chrome] }] })).toEqual(["ada"])
    const mixed = [property("event", "path", "/prices"), property("event", "amount", 40)]
    expect(await ids({ events: [{ id: null, properties: mixed }] })).toEqual([])
    expect(await ids({ properties: mixed })).toEqual(["ada"])
    const ofPerson = [property("person", "plan", "team"), { type: "hogql", key: "properties.amount > 1" }]
    expect(await ids({ events: [{ id: "paid", properties: ofPerson }] })).toEqual(["ada"])
  })
})

describe("properties in a filter", () => {
  test("of persons are those that the person has now, and nobody unknown has one", async () => {
    expect(await ids({ properties: [property("person", "plan", ["team", "trial"])] })).toEqual(["ada"])
    expect(await ids({ properties: [property("person", "email", "A.TEST", "icontains")] })).toEqual(["ada"])
    expect(await ids({ properties: [property("person", "plan", null, "is_set")] })).toEqual(["ada", "bo"])
    expect(await ids({ properties: [property("person", "plan", null, "is_not_set")] })).toEqual(["quiet"])
    expect(await ids({ properties: [property("person", "plan", "team", "is_not")] })).toEqual(["bo", "quiet"])
  })

  test("denied of events hold for sessions that have no such event", async () => {
    expect(await ids({ properties: [property("event", "$browser", "Firefox", "is_not")] })).toEqual(["bo", "quiet"])
    expect(await ids({ properties: [property("event", "path", "price", "not_icontains")] })).toEqual(["quiet"])
    expect(await ids({ properties: [property("event", "path", "^/p", "not_regex")] })).toEqual(["quiet"])
  })

  test("of cohorts and groups are found through the person and the events", async () => {
    const inCohort = { type: "cohort", key: "id", value: 7 }
    expect(await ids({ properties: [inCohort] })).toEqual(["bo"])
    expect(await ids({ properties: [{ ...inCohort, operator: "not_in" }] })).toEqual(["ada", "quiet"])
    expect(await ids({ properties: [{ ...inCohort, value: 8 }] })).toEqual(["ada"])
    expect(await ids({ properties: [{ ...inCohort, value: 8, operator: "not_in" }] })).toEqual(["bo", "quiet"])
    const big = { ...property("group", "size", "big"), group_type_index: 0 }
    expect(await ids({ properties: [big] })).toEqual(["ada"])
  })

  test("stand in groups of which one or all must hold, however deep", async () => {
    const team = property("person", "plan", "team")
    const mobile = property("recording", "snapshot_source", "mobile")
    expect(await ids({ properties: anyOf(team, mobile) })).toEqual(["ada", "quiet"])
    expect(await ids({ properties: [anyOf(team, mobile), property("recording", "click_count", 1)] })).toEqual(["quiet"])
    const nested = anyOf(allOf(team, property("recording", "click_count", 1)), anyOf(mobile))
    expect(await ids({ properties: [nested] })).toEqual(["quiet"])
    expect(await ids({ properties: [team, mobile], operand: "OR" })).toEqual(["ada", "quiet"])
    expect(await ids({ properties: [] })).toEqual(["ada", "bo", "quiet"])
    expect(await ids({ properties: anyOf() })).toEqual(["ada", "bo", "quiet"])
  })

  test("leave the project's test accounts out, whichever operand", async () => {
    await app.database.pool.query("UPDATE project SET settings = $1 WHERE id = 1", [
      JSON.stringify({ test_account_filters: [property("person", "email", "@a.test", "not_icontains")] }),
    ])
    app.clock.advance(10_000)
    for (const filter_test_accounts of [true, "True", 1])
      expect(await ids({ filter_test_accounts })).toEqual(["bo", "quiet"])
    expect(await ids({ filter_test_accounts: true, events: [{ id: "paid" }], operand: "OR" })).toEqual(["bo"])
    expect(await ids({ filter_test_accounts: false })).toEqual(["ada", "bo", "quiet"])
  })
})

describe("what a recording itself is like", () => {
  test("is asked for by its numbers, its source and the pages it shows", async () => {
    const having = (key: string, operator: string, value: Json) =>
      ids({ having_predicates: [{ key, operator, value }] })
    expect(await having("duration", "gt", 60)).toEqual(["ada"])
    expect(await having("recording_duration", "between", [0, 60])).toEqual(["bo", "quiet"])
    expect(await having("active_seconds", "gte", "0.002")).toEqual(["ada"])
    expect(await having("inactive_seconds", "lt", 1)).toEqual(["bo", "quiet"])
    expect(await having("click_count", "is_not", 1)).toEqual(["ada"])
    expect(await having("console_error_count", "exact", [1, 2])).toEqual(["ada", "bo"])
    expect(await having("visited_page", "icontains", "PRICE")).toEqual(["ada"])
    expect(await having("visited_page", "exact", "https://a.test/home")).toEqual(["bo"])
    expect(await having("visited_page", "not_regex", "home$")).toEqual(["ada", "quiet"])
  })

  test("is asked for by one line of its console, or by lines it does not have", async () => {
    const level = (value: Json, operator = "exact") => ({ key: "level", operator, value })
    const text = (value: Json, operator = "icontains") => ({ key: "message", operator, value })
    const lines = (console_log_filters: JsonObject[], more: JsonObject = {}) => ids({ console_log_filters, ...more })
    expect(await lines([level(["error"])])).toEqual(["ada", "bo"])
    expect(await lines([level(["error"]), text("payment")])).toEqual(["ada"])
    expect(await lines([level("warn"), text("ready")], { operand: "OR" })).toEqual(["ada", "bo"])
    expect(await lines([level(["log"])])).toEqual(["ada"])
    expect(await lines([text("payment", "not_icontains")])).toEqual(["quiet"])
    expect(await lines([level("error", "is_not")])).toEqual(["quiet"])
    expect(await lines([text("^no such", "regex")])).toEqual(["bo"])
  })
})

test("conditions of every kind can be written with types of GraphQL too", async () => {
  const eventConditions = [{ event: "paid", properties: [property("event", "amount", 10, "lt")] }]
  expect(await typed({ eventConditions })).toEqual(["bo"])
  expect(await typed({ eventConditions: [{ properties: property("event", "amount", 40) }] })).toEqual(["ada"])
  expect(await typed({ properties: property("person", "plan", "team"), events: ["paid"] })).toEqual(["ada"])
  expect(await typed({ properties: null, eventConditions: null, events: ["paid"] })).toEqual(["ada", "bo"])
})

test("conditions see nothing of another project", async () => {
  const foreign = await app.data(LIST, { q: { events: [{ id: null }] } }, { project: 2 })
  expect(foreign.page).toEqual({ totalCount: 0, nodes: [] })
  const ofPerson = { properties: [property("person", "plan", null, "is_set")] }
  expect((await app.data(LIST, { q: ofPerson }, { project: 2 })).page.nodes).toEqual([])
})

describe("a filter that cannot be met", () => {
  const refused: [string, Json][] = [
    ["operand", "MAYBE"],
    ["order", "colour"],
    ["order", [1]],
    ["order_direction", "UP"],
    ["date_from", "yesterday"],
    ["date_to", {}],
    ["session_ids", "abc"],
    ["session_ids", [1]],
    ["distinct_ids", { a: 1 }],
    ["person_uuid", []],
    ["filter_test_accounts", "maybe"],
    ["events", [{ type: "events" }]],
    ["events", [{ id: 5 }]],
    ["events", [{ id: "a", properties: [{ value: 1 }] }]],
    ["events", [{ id: "a", properties: [property("weather", "rain", 1)] }]],
    ["events", [{ id: 1, type: "actions" }]],
    ["actions", [{ id: 1 }]],
    ["properties", "x"],
    ["properties", [null]],
    ["properties", [property("person", "email", "x", "resembles")]],
    ["properties", [property("weather", "rain", "x")]],
    ["properties", [{ type: "hogql", key: "1 +" }]],
    ["properties", [{ type: "hogql", key: "nothing.like.this" }]],
    ["properties", [{ type: "cohort", key: "id", value: "x" }]],
    ["properties", [{ type: "cohort", key: "id", value: 9 }]],
    ["properties", [{ type: "cohort", key: "id", value: 10 }]],
    ["having_predicates", [{ key: "__proto__", operator: "gt", value: 1 }]],
    ["having_predicates", [{ key: "duration", operator: "like", value: 1 }]],
    ["having_predicates", [{ key: "duration", operator: "__proto__", value: 1 }]],
    ["having_predicates", [{ key: "duration", operator: "gt", value: "x" }]],
    ["having_predicates", [{ key: "duration", operator: "gt", value: [] }]],
    ["properties", [property("event", "$browser", "Chrome", "constructor")]],
    ["console_log_filters", [{ key: "level", operator: "toString", value: "error" }]],
    ["having_predicates", [{ key: "snapshot_source", operator: "gt", value: "web" }]],
    ["having_predicates", [{ key: "visited_page", operator: "constructor", value: "web" }]],
    ["console_log_filters", [{ key: "colour", operator: "exact", value: "red" }]],
    ["console_log_filters", ["x"]],
  ]
  test.each(refused)("is refused: %s %j", async (name, value) => {
    const fault = await app.data(LIST, { q: { [name]: value } }).catch((thrown: unknown) => thrown)
    expect(fault).toMatchObject({ code: expect.stringMatching(/^invalid_/), details: { attr: name } })
  })

  test("is told the keys there are, whatever its value is", async () => {
    const having = { key: "clicks", operator: "gt", value: 1 }
    const fault = await app.data(LIST, { q: { having_predicates: [having] } }).catch((thrown: unknown) => thrown)
    expect(fault).toMatchObject({ message: expect.stringMatching(/^key must be one of: .*click_count/) })
  })

  test("is refused when it is no object, and not taken for no filter at all", async () => {
    for (const q of ["events", [], 7, false]) expect(await app.fault(LIST, { q })).toBe("invalid_input")
  })

  test("is refused when it is too long, too deep or no regular expression", async () => {
    const many = Array.from({ length: 101 }, () => property("recording", "duration", 1))
    const deep = JSON.parse(`${"[".repeat(60)}${"]".repeat(60)}`)
    for (const properties of [many, deep, [property("event", "$browser", "(", "regex")]])
      expect(await app.fault(LIST, { q: { properties } })).toBe("invalid_input")
  })
})

describe("several recordings at once", () => {
  const MARK =
    "mutation ($p: ID!, $ids: [ID!]!, $viewed: Boolean!) { count: markSessionRecordings(projectId: $p, ids: $ids, viewed: $viewed) }"
  const DELETE = "mutation ($p: ID!, $ids: [ID!]!) { count: deleteSessionRecordings(projectId: $p, ids: $ids) }"
  const VIEWED = "query ($p: ID!, $id: ID!) { one: sessionRecording(projectId: $p, id: $id) { viewed viewers } }"

  test("are marked as viewed and no longer, those that exist", async () => {
    expect(await app.data(MARK, { ids: ["ada", "bo", "nobody", "foreign"], viewed: true })).toEqual({ count: 2 })
    expect(await app.data(MARK, { ids: ["ada"], viewed: true }, { user: BERT })).toEqual({ count: 1 })
    expect(await app.data(MARK, { ids: ["ada"], viewed: false })).toEqual({ count: 1 })
    expect(await app.data(VIEWED, { id: "ada" })).toEqual({ one: { viewed: false, viewers: ["bert@b.test"] } })
    expect(await app.data(VIEWED, { id: "bo" })).toEqual({ one: { viewed: true, viewers: [] } })
  })

  test("are at least one and at most twenty, and need the scope", async () => {
    for (const ids of [[], Array.from({ length: 21 }, String)]) {
      expect(await app.fault(MARK, { ids, viewed: true })).toBe("invalid_input")
      expect(await app.fault(DELETE, { ids })).toBe("invalid_input")
    }
    expect(await app.fault(DELETE, { ids: ["ada"] }, { scopes: ["session_recording:read"] })).toBe("permission_denied")
  })

  test("are deleted for good with everything about them, and may be deleted again", async () => {
    for (const _ of ["once", "again"])
      expect(await app.data(DELETE, { ids: ["ada", "nobody", "foreign"] })).toEqual({ count: 1 })
    expect(await ids({ session_ids: ["ada", "bo"] })).toEqual(["bo"])
    const views = await app.database.pool.query(
      "SELECT session_id FROM session_recording_view WHERE user_id = ANY ($1)",
      [[ANNA, BERT]],
    )
    expect(views.rows).toEqual([{ session_id: "bo" }])
  })

  test("are deleted with the distinct ids of a person, of that project only", async () => {
    const { service } = app.recordings
    await app.ingest([message([click(-5)], { distinctId: "bo", properties: { $session_id: "bo-2" } })])
    const deleteAll = () => service.deleteOfDistinctIds(asProjectId(1), ["bo", "unknown"])
    await waitFor("the recordings to go", deleteAll)
    expect(await ids({})).toEqual(["quiet"])
    expect(await deleteAll()).toBe(true)
    expect((await app.data(LIST, { q: {} }, { project: 2 })).page.nodes).toEqual([{ id: "foreign" }])
  })
})
