import { beforeAll, describe, expect, test } from "@jest/globals"
import type { Json, JsonObject } from "../../src/kernel/json.js"
import { ownServer } from "../support/own-server.js"
import { PROJECT_KEY } from "../support/waymark-process.js"

const { api } = ownServer()
const ACTIONS = "/api/environments/1/actions/"
const QUERY = "/api/environments/1/query/"
const NOON = "2024-03-05T12:00:00Z"
const SESSION = "0199a000-0000-7000-8000-00000000000a"

interface Action extends JsonObject {
  readonly id: number
  readonly steps: JsonObject[]
}

const button = { tag_name: "button", $el_text: "Buy now", attr__class: "btn wide", attr__id: "buy", nth_child: 2 }
const link = { tag_name: "a", $el_text: "Terms", attr__href: "https://shop.test/terms", attr__class: "md:flex" }
const form = { tag_name: "form", attr__class: "checkout", "attr__data-step": 'pay "now"; later' }
const EVENTS = [
  { event: "$pageview", distinct_id: "ann", properties: { $current_url: "https://shop.test/cart?x=1", plan: "pro" } },
  { event: "$pageview", distinct_id: "bob", properties: { $current_url: "https://shop.test/", $session_id: SESSION } },
  { event: "$autocapture", distinct_id: "ann", properties: { $elements: [button, form], $session_id: SESSION } },
  { event: "$autocapture", distinct_id: "cay", properties: { $elements: [link, form] } },
  { event: "signed up", distinct_id: "ann", properties: { plan: "pro" } },
]

beforeAll(async () => {
  for (const { properties, ...event } of EVENTS) await api.capture({ ...event, properties, timestamp: NOON })
  await api.drained()
})

let made = 0
async function create(...steps: Json[]): Promise<number> {
  const { status, body } = await api.post<Action>(ACTIONS, { name: `action ${++made}`, steps })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body.id
}
const countOf = async (id: number): Promise<Json | undefined> =>
  (await api.hogql(`SELECT count() FROM events WHERE matchesAction(${id})`))[0]?.[0] as Json | undefined

const DAY = { dateRange: { date_from: "2024-03-05", date_to: "2024-03-05" } }

async function ask(query: JsonObject, range: JsonObject = DAY) {
  const { status, body } = await api.post<{ results: JsonObject[]; detail?: string; attr?: string }>(QUERY, {
    query: { ...range, ...query },
    refresh: "force_blocking",
  })
  return { status, results: body.results, attr: body.attr, detail: body.detail }
}

describe("actions over REST", () => {
  test("are made, shown with every field of their steps, changed, listed, deleted softly and restored", async () => {
    const { body } = await api.post<Action>(ACTIONS, { name: "Cart", steps: [{ event: "$pageview", url: "/cart" }] })
    expect(body).toMatchObject({
      name: "Cart",
      description: "",
      deleted: false,
      created_by: { id: expect.any(Number) },
      steps: [
        {
          event: "$pageview",
          url: "/cart",
          url_matching: "contains",
          selector: null,
          tag_name: null,
          text: null,
          text_matching: null,
          href: null,
          href_matching: null,
          properties: [],
        },
      ],
    })
    const path = `${ACTIONS}${body.id}/`
    expect(await api.patch(path, { name: "Carts" })).toMatchObject({ status: 200, body: { name: "Carts" } })
    const listed = await api.get<{ results: Action[] }>(`${ACTIONS}?search=carts`)
    expect(listed.body.results.map(({ id }) => id)).toEqual([body.id])
    expect((await api.request("DELETE", path)).status).toBe(405)
    expect((await api.patch(path, { deleted: true })).status).toBe(200)
    expect((await api.get(path)).status).toBe(404)
    expect(await api.patch(path, { deleted: false })).toMatchObject({ status: 200, body: { deleted: false } })
    expect(await api.get(path)).toMatchObject({ status: 200, body: { name: "Carts" } })
  })

  test.each<[what: string, body: JsonObject, attr: string]>([
    ["no name", { steps: [] }, "name"],
    ["an empty name", { name: " " }, "name"],
    ["steps that are no list", { name: "x", steps: {} }, "steps"],
    ["a step that is no object", { name: "x", steps: [5] }, "steps__0"],
    ["a field that nobody knows", { name: "x", steps: [{ even: "a" }] }, "steps__0__even"],
    ["an event that is no text", { name: "x", steps: [{ event: 5 }] }, "steps__0__event"],
    ["an unknown way to compare", { name: "x", steps: [{ url: "a", url_matching: "like" }] }, "steps__0__url_matching"],
    ["a pattern that cannot be read", { name: "x", steps: [{ url: "(", url_matching: "regex" }] }, "steps__0__url"],
    ["a selector that cannot be read", { name: "x", steps: [{ selector: "a:hover" }] }, "steps__0__selector"],
    [
      "a filter that cannot be read",
      { name: "x", steps: [{}, { properties: [{ key: "a", type: "moon", value: 1 }] }] },
      "steps__1__properties",
    ],
  ])("are refused with %s", async (_what, body, attr) => {
    expect(await api.post(ACTIONS, body)).toMatchObject({ status: 400, body: { type: "validation_error", attr } })
  })

  test("have names of their own in a project", async () => {
    await api.post(ACTIONS, { name: "only one", steps: [] })
    const second = await api.post(ACTIONS, { name: "only one", steps: [] })
    expect(second).toMatchObject({ status: 400, body: { code: "unique", attr: "name" } })
  })

  test("are the same over GraphQL", async () => {
    const { action } = await api.changed<{ action: { id: number } }>(
      `mutation {
        action: createAction(input: { projectId: 1, name: "by graph", steps: [{ event: "x" }] }) {
          action { id: number } userErrors { message } } }`,
    )
    const { one, all } = await api.graphql<{ one: JsonObject; all: { totalCount: number } }>(
      `{ one: action(projectId: 1, by: { number: ${action.id} }) { name steps { event } createdBy { number } }
         all: actions(projectId: 1, search: "by graph") { totalCount } }`,
    )
    expect({ one, all }).toMatchObject({ one: { name: "by graph", steps: [{ event: "x" }] }, all: { totalCount: 1 } })
  })

  test("of another project do not exist, neither for REST nor for queries", async () => {
    const { createProject } = await api.changed<{ createProject: { id: string } }>(
      'mutation { createProject(input: { name: "Other" }) { project { id: number } userErrors { message } } }',
    )
    const other = await api.post<Action>(`/api/environments/${createProject.id}/actions/`, {
      name: "theirs",
      steps: [],
    })
    expect(other.status).toBe(201)
    expect((await api.get(`${ACTIONS}${other.body.id}/`)).status).toBe(404)
    expect(await ask({ kind: "TrendsQuery", series: [{ kind: "ActionsNode", id: other.body.id }] })).toMatchObject({
      status: 400,
      attr: "query__series__0__id",
    })
    await expect(api.hogql(`SELECT count() FROM events WHERE matchesAction('theirs')`)).rejects.toThrow(
      "Could not find",
    )
  })
})

describe("what matches an action", () => {
  test.each<[what: string, steps: Json[], count: number]>([
    ["every event, without steps", [], 5],
    ["every event, for a step that says nothing", [{}], 5],
    ["events of a name", [{ event: "$pageview" }], 2],
    ["events of any step, each once", [{ event: "$pageview" }, { url: "cart" }, { event: "signed up" }], 3],
    ["a part of the address", [{ event: "$pageview", url: "/cart" }], 1],
    ["an address with wildcards", [{ url: "shop%x=" }], 1],
    ["the address in its case", [{ url: "/CART" }], 0],
    ["the whole address", [{ url: "https://shop.test/", url_matching: "exact" }], 1],
    ["a pattern of the address", [{ url: "/(cart|pay)\\?", url_matching: "regex" }], 1],
    ["a property", [{ properties: [{ key: "plan", value: "pro", operator: "exact", type: "event" }] }], 2],
    ["all that a step says", [{ event: "$pageview", properties: [{ key: "plan", value: "pro", type: "event" }] }], 1],
    ["the text of an element", [{ event: "$autocapture", text: "Buy now" }], 1],
    ["the whole text only", [{ event: "$autocapture", text: "Buy" }], 0],
    ["a part of the text in any case", [{ event: "$autocapture", text: "buy", text_matching: "contains" }], 1],
    ["a pattern of the text", [{ event: "$autocapture", text: "^Buy", text_matching: "regex" }], 1],
    ["a link", [{ event: "$autocapture", href: "https://shop.test/terms" }], 1],
    ["a part of a link", [{ event: "$autocapture", href: "TERMS", href_matching: "contains" }], 1],
    ["a tag of the element or one around it", [{ event: "$autocapture", tag_name: "form" }], 2],
    ["a tag by its whole name", [{ event: "$autocapture", tag_name: "for" }], 0],
    ["a selector of a tag and a class", [{ selector: "button.btn" }], 1],
    ["classes in any order", [{ selector: ".wide.btn" }], 1],
    ["a class by its whole name", [{ selector: ".bt" }], 0],
    ["a class with a colon", [{ selector: ".md\\:flex" }], 1],
    ["an id", [{ selector: "#buy" }], 1],
    ["a place among siblings", [{ selector: "form > button:nth-child(2)" }], 1],
    ["another place", [{ selector: "button:nth-child(3)" }], 0],
    ["an element inside another", [{ selector: "form.checkout #buy" }], 1],
    ["no element inside itself", [{ selector: "button button" }], 0],
    ["an attribute with a quote and a semicolon", [{ selector: `[data-step='pay "now"; later']` }], 2],
    ["the beginning of an attribute", [{ selector: `form[data-step^="pay"]` }], 2],
    ["the end of an attribute", [{ selector: `a[href$="/terms"]` }], 1],
    ["no text that looks like an element", [{ selector: "later" }], 0],
  ])("is %s", async (_what, steps, count) => {
    expect(await countOf(await create(...steps))).toBe(count)
  })

  test("is what the action says now, at once", async () => {
    const id = await create({ event: "signed up" })
    expect(await countOf(id)).toBe(1)
    await api.patch(`${ACTIONS}${id}/`, { steps: [{ event: "$pageview" }] })
    expect(await countOf(id)).toBe(2)
    await api.patch(`${ACTIONS}${id}/`, { deleted: true })
    await expect(countOf(id)).rejects.toThrow(`Could not find action with ID ${id}`)
  })

  test("can be asked by the name, of events with an alias, and the other way round", async () => {
    await api.post(ACTIONS, { name: "sign-up", steps: [{ event: "signed up" }] })
    const rows = await api.hogql(
      "SELECT countIf(matchesAction('sign-up')), countIf(NOT matchesAction('sign-up')) FROM events AS e",
    )
    expect(rows).toEqual([[1, 4]])
  })

  test.each([
    ["SELECT matchesAction('sign') FROM events", "Could not find action with name 'sign'"],
    ["SELECT matchesAction(event) FROM events", "needs the id or the name"],
    ["SELECT matchesAction('sign-up') FROM persons", "must read the table events"],
  ])("is refused in plain words: %s", async (query, words) => {
    await expect(api.hogql(query)).rejects.toThrow(words)
  })

  test("cannot lead back to itself", async () => {
    const id = await create({ event: "a" })
    await api.patch(`${ACTIONS}${id}/`, { steps: [{ properties: [{ type: "hogql", key: `matchesAction(${id})` }] }] })
    await expect(countOf(id)).rejects.toThrow("leads back to itself")
  })
})

describe("actions in queries", () => {
  test("are series of trends, lifecycle and stickiness, named as they are", async () => {
    const id = await create({ event: "signed up" }, { event: "$pageview", url: "cart" })
    const series = [{ kind: "ActionsNode", id }]
    const { results } = await ask({ kind: "TrendsQuery", series })
    expect(results).toMatchObject([{ count: 2, label: `action ${made}`, action: { type: "actions", id } }])
    const dau = await ask({ kind: "TrendsQuery", series: [{ ...series[0], math: "dau" }] })
    expect(dau.results).toMatchObject([{ count: 1 }])
    const only = [{ kind: "ActionsNode", id, properties: [{ key: "$current_url", type: "event", operator: "is_set" }] }]
    expect((await ask({ kind: "TrendsQuery", series: only })).results).toMatchObject([{ count: 1 }])
    const lifecycle = await ask({ kind: "LifecycleQuery", series })
    expect(lifecycle.results.find(({ status }) => status === "new")).toMatchObject({ count: 1 })
    expect((await ask({ kind: "StickinessQuery", series })).results).toMatchObject([{ count: 1 }])
  })

  test("are steps of funnels beside events", async () => {
    const [viewed, bought] = [await create({ event: "$pageview" }), await create({ selector: "#buy" })]
    const steps: Json[] = [
      { kind: "ActionsNode", id: viewed },
      { kind: "ActionsNode", id: bought },
      { kind: "EventsNode", event: "signed up" },
    ]
    const { results } = await ask({ kind: "FunnelsQuery", series: steps })
    expect(results.map(({ action_id, type, count }) => [action_id, type, count])).toEqual([
      [viewed, "actions", 2],
      [bought, "actions", 1],
      ["signed up", "events", 1],
    ])
  })

  test("begin and end retention, and narrow a list of events", async () => {
    const id = await create({ event: "$pageview" })
    const entity = { type: "actions", id }
    const retention = await ask({
      kind: "RetentionQuery",
      retentionFilter: { period: "Day", totalIntervals: 1, targetEntity: entity, returningEntity: entity },
    })
    expect(retention.results).toMatchObject([{ values: [{ count: 2 }] }])
    const events = await ask({ kind: "EventsQuery", select: ["distinct_id"], actionId: id, after: "all" }, {})
    expect(events.results).toHaveLength(2)
  })

  test("are what the persons of a trend did", async () => {
    const id = await create({ selector: "#buy" })
    const range = "date_from=2024-03-01&date_to=2024-03-31"
    for (const entity of [`entity_type=actions&entity_id=${id}`, `actions=[{"id":${id}}]`]) {
      const { body } = await api.get<{ results: { count: number }[] }>(
        `/api/environments/1/persons/trends/?${entity}&${range}`,
      )
      expect(body.results[0]?.count).toBe(1)
    }
  })

  test("are conditions on recordings, in whichever list they stand", async () => {
    const session = "0199a000-0000-7000-8000-00000000000b"
    const startMs = Date.now() - 20_000
    const items = [
      { type: 4, timestamp: startMs, data: { href: "https://shop.test/", width: 1, height: 1 } },
      { type: 3, timestamp: startMs + 9_000, data: { source: 2, type: 2, id: 1, x: 1, y: 1 } },
    ]
    const properties = { token: PROJECT_KEY, distinct_id: "dee", $session_id: session, $window_id: "w", $lib: "web" }
    await api.post("/s/", [{ event: "$snapshot", properties: { ...properties, $snapshot_data: items } }])
    await api.capture({ event: "recorded", distinct_id: "dee", properties: { $session_id: session } })
    await api.drained()
    const list = (query: string) =>
      api.get<{ results: JsonObject[] }>(`/api/environments/1/session_recordings/?date_from=all&${query}`)
    const [done, other] = [await create({ event: "recorded" }), await create({ event: "signed up" })]
    const ids = async (query: string) => (await list(query)).body.results.map(({ id }) => id)
    expect(await ids(`actions=[{"id":${done}}]`)).toEqual([session])
    expect(await ids(`events=[{"id":${done},"type":"actions"}]`)).toEqual([session])
    expect(await ids(`actions=[{"id":${other}}]`)).toEqual([])
    const unknown = await list('actions=[{"id":4711}]')
    expect(unknown).toMatchObject({ status: 400, body: { attr: "actions" } })
    expect(JSON.stringify(unknown.body)).toContain("Could not find action with ID 4711")
  })

  test("make cohorts of those who performed them, which keep them from being deleted", async () => {
    const id = await create({ event: "signed up" })
    const did = (negation: boolean) => ({
      type: "behavioral",
      value: "performed_event",
      key: id,
      event_type: "actions",
      explicit_datetime: "2024-03-01",
      negation,
    })
    const make = async (name: string, leaf: JsonObject) => {
      const filters = { properties: { type: "AND", values: [leaf] } }
      return (await api.post<{ id: number }>("/api/projects/1/cohorts/", { name, filters })).body.id
    }
    const signed = await make("signed", did(false))
    const others = await make("others", did(true))
    const nested = await make("nested", { type: "cohort", key: "id", value: signed })
    const personsIn = async (cohort: number) => {
      const { persons } = (
        await api.graphql<{ cohort: { persons: { nodes: { distinctIds: string[] }[] } } }>(
          `{ cohort(by: { number: ${cohort} }) { persons { nodes { distinctIds } } } }`,
        )
      ).cohort
      return persons.nodes.flatMap(({ distinctIds }) => distinctIds).sort()
    }
    expect(await personsIn(signed)).toEqual(["ann"])
    expect(await personsIn(others)).toEqual(["bob", "cay", "dee"])
    expect(await personsIn(nested)).toEqual(["ann"])
    const { ann, bob } = await api.graphql<Record<"ann" | "bob", { cohorts: { number: number }[] }>>(
      `{ ann: person(by: { distinctId: "ann" }) { cohorts { number } }
         bob: person(by: { distinctId: "bob" }) { cohorts { number } } }`,
    )
    expect(ann.cohorts.map(({ number }) => number)).toEqual([signed, nested])
    expect(bob.cohorts.map(({ number }) => number)).toEqual([others])
    const filter = [{ type: "cohort", key: "id", value: signed }]
    const trend = { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "$pageview", properties: filter }] }
    expect((await ask(trend)).results).toMatchObject([{ count: 1 }])
    const remove = () => api.patch(`${ACTIONS}${id}/`, { deleted: true })
    expect(await remove()).toMatchObject({
      status: 400,
      body: { attr: "deleted", detail: "Cohorts ask for this action (signed, others). Change them first." },
    })
    for (const cohort of [nested, signed, others])
      await api.patch(`/api/projects/1/cohorts/${cohort}/`, { deleted: true })
    expect(await remove()).toMatchObject({ status: 200 })
    expect(await api.patch(`/api/projects/1/cohorts/${signed}/`, { deleted: false })).toMatchObject({
      status: 400,
      body: { attr: "filters", detail: `filters must not refer to action ${id}, which does not exist.` },
    })
  })
})
