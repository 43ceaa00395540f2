import { beforeAll, describe, expect, test } from "@jest/globals"
import type { JsonObject } from "../../src/kernel/json.js"
import { createCallers } from "../support/access-matrix.js"
import { ownServer } from "../support/own-server.js"
import type { WaymarkApi } from "../support/waymark-api.js"

const { api } = ownServer()

interface Insight extends JsonObject {
  readonly id: string
  readonly shortId: string
  readonly query: JsonObject
}
interface Change {
  readonly change: { readonly insight: Insight | null; readonly userErrors: readonly JsonObject[] }
}

const ITEM = `id shortId number name description tags kind query deleted isFavourite
  createdBy { email } lastModifiedBy { email } createdAt lastModifiedAt`
const CREATE = `mutation ($input: CreateInsightInput!) {
  change: createInsight(input: $input) { insight { ${ITEM} } userErrors { field code message } } }`
const UPDATE = `mutation ($input: UpdateInsightInput!) {
  change: updateInsight(input: $input) { insight { ${ITEM} } userErrors { field code message } } }`
const LIST = `query ($filter: InsightFilter, $first: Int, $after: String) {
  insights(projectId: "1", filter: $filter, first: $first, after: $after) {
    totalCount nodes { name } pageInfo { endCursor hasNextPage } } }`
const signups = { trends: { series: [{ event: "signed up" }], view: "TOTAL", dates: { from: "-7d" } } }

const change = async (document: string, input: object, caller: WaymarkApi = api) =>
  (await caller.graphql<Change>(document, { input })).change

async function create(input: object, caller?: WaymarkApi): Promise<Insight> {
  const { insight, userErrors } = await change(CREATE, { projectId: "1", query: signups, ...input }, caller)
  expect(userErrors).toEqual([])
  if (insight === null) throw new Error("no insight was made")
  return insight
}
async function namesOf(filter: object): Promise<unknown[]> {
  const { insights } = await api.graphql<{ insights: { nodes: JsonObject[] } }>(LIST, { filter })
  return insights.nodes.map(({ name }) => name)
}

beforeAll(async () => {
  for (const person of ["ann", "bob"]) await api.capture({ event: "signed up", distinct_id: person })
  await api.drained()
})

describe("an insight", () => {
  test("keeps its query as REST has it, and runs it as any other query", async () => {
    const made = await create({ name: " Sign-ups ", description: "of a week", tags: ["growth", "growth", "week"] })
    expect(made).toMatchObject({
      shortId: expect.stringMatching(/^\w{8}$/),
      name: "Sign-ups",
      description: "of a week",
      tags: ["growth", "week"],
      kind: "TRENDS",
      query: { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "signed up" }] },
      deleted: false,
      isFavourite: false,
      createdBy: { email: "owner@localhost" },
      lastModifiedBy: { email: "owner@localhost" },
    })
    const answers = await api.graphql<Record<string, JsonObject>>(
      `query ($id: ID!, $shortId: ID!, $raw: JSON!) {
        byId: insight(by: { id: $id }) { result { ... on TrendsResult { series { total } cache { key } } } }
        byShortId: insight(by: { shortId: $shortId }, projectId: "1") { name }
        byNode: node(id: $id) { ... on Insight { name result(refresh: FORCE_CACHE) { __typename } } }
        again: query(projectId: "1", input: { raw: $raw }) { ... on TrendsResult { series { total } cache { key } } }
      }`,
      { id: made.id, shortId: made.shortId, raw: made.query },
    )
    expect(answers.byId?.result).toMatchObject({ series: [{ total: 2 }] })
    expect(answers.again).toEqual(answers.byId?.result)
    expect(answers.byShortId).toEqual({ name: "Sign-ups" })
    expect(answers.byNode).toMatchObject({ name: "Sign-ups" })
  })

  test.each<[what: string, input: object, field: string, code: string]>([
    ["without a name", { name: undefined }, "name", "REQUIRED"],
    ["with a blank name", { name: "  " }, "name", "BLANK"],
    ["with a name of 401 characters", { name: "x".repeat(401) }, "name", "MAX_LENGTH"],
    ["without a query", { query: undefined }, "query", "REQUIRED"],
    ["with a blank tag", { tags: ["a", " "] }, "tags__1", "BLANK"],
    ["with a query without a kind", { query: { raw: {} } }, "query", "INVALID_INPUT"],
    ["with a query of an unknown kind", { query: { raw: { kind: "MoonQuery" } } }, "query__kind", "INVALID_INPUT"],
    [
      "with an option that nobody knows",
      { query: { raw: { kind: "TrendsQuery", series: [{ kind: "EventsNode" }], trendsFilter: { colour: 1 } } } },
      "query__trendsFilter__colour",
      "INVALID_INPUT",
    ],
    [
      "with an action that there is not",
      { query: { raw: { kind: "TrendsQuery", series: [{ kind: "ActionsNode", id: 999 }] } } },
      "query__series__0__id",
      "INVALID_INPUT",
    ],
  ])("%s is refused", async (_what, input, field, code) => {
    const { insight, userErrors } = await change(CREATE, { projectId: "1", name: "n", query: signups, ...input })
    expect({ insight, userErrors }).toMatchObject({ insight: null, userErrors: [{ field, code }] })
  })

  test("with HogQL that cannot be compiled is refused with the place in its text", async () => {
    const { body } = await api.post<{ errors: JsonObject[] }>("/graphql", {
      query: CREATE,
      variables: { input: { projectId: "1", name: "n", query: { hogql: { query: "SELECT moon FROM events" } } } },
    })
    expect(body.errors).toMatchObject([{ extensions: { code: "QUERY_REJECTED", attr: "query", start: 7, end: 11 } }])
  })

  test("is changed, deleted softly and restored, and its log tells what was done", async () => {
    const { id } = await create({ name: "old" })
    const { insight } = await change(UPDATE, { id, name: "new", query: { hogql: { query: "SELECT 1" } } })
    expect(insight).toMatchObject({ name: "new", kind: "HOGQL", tags: [] })
    expect((await change(UPDATE, { id, deleted: true })).insight).toMatchObject({ deleted: true })
    expect(await api.graphql("query ($id: ID!) { node(id: $id) { id } }", { id })).toEqual({ node: null })
    expect(await namesOf({ search: "new" })).toEqual([])
    expect((await change(UPDATE, { id, deleted: false })).insight).toMatchObject({ deleted: false, name: "new" })
    const { node } = await api.graphql<{ node: { activity: { nodes: JsonObject[] } } }>(
      `query ($id: ID!) { node(id: $id) { ... on Insight { activity {
        nodes { activity scope user { email } changes { field before after } } } } } }`,
      { id },
    )
    const query = { field: "query", before: expect.objectContaining({ kind: "TrendsQuery" }), after: expect.anything() }
    expect(node.activity.nodes).toMatchObject([
      { activity: "UPDATED", changes: [{ field: "deleted", before: true, after: false }] },
      { activity: "DELETED", changes: [{ field: "deleted", before: false, after: true }] },
      { activity: "UPDATED", changes: [{ field: "name", before: "old", after: "new" }, query] },
      { activity: "CREATED", scope: "INSIGHT", user: { email: "owner@localhost" }, changes: [] },
    ])
  })

  test("is found by words, tags, kind and who made it, page by page", async () => {
    for (const [name, tags] of [
      ["list 50%", ["b"]],
      ["list two", ["a", "b"]],
      ["list three", ["a"]],
    ] as const)
      await create({ name, tags, query: { lifecycle: { series: { event: "x" } } } })
    expect(await namesOf({ search: "LIST" })).toEqual(["list three", "list two", "list 50%"])
    expect(await namesOf({ search: "50%" })).toEqual(["list 50%"])
    expect(await namesOf({ search: "list", tags: ["a", "b"] })).toEqual(["list two"])
    expect(await namesOf({ search: "list", kind: "TRENDS" })).toEqual([])
    expect(await namesOf({ search: "list", mine: true, kind: "LIFECYCLE" })).toHaveLength(3)
    expect(await namesOf({ search: "list", createdBy: 999_999 })).toEqual([])
    const page = async (after: string | null) =>
      (
        await api.graphql<{ insights: { totalCount: number; nodes: JsonObject[]; pageInfo: JsonObject } }>(LIST, {
          filter: { search: "list" },
          first: 2,
          after,
        })
      ).insights
    const first = await page(null)
    expect(first).toMatchObject({ totalCount: 3, nodes: [{}, {}], pageInfo: { hasNextPage: true } })
    expect((await page(String(first.pageInfo.endCursor))).nodes).toEqual([{ name: "list 50%" }])
  })

  test("is the favourite of whom it is one of, without a trace in its log or its time of change", async () => {
    const { id, lastModifiedAt } = await create({ name: "liked", isFavourite: true })
    expect((await change(UPDATE, { id, isFavourite: true })).insight).toMatchObject({
      isFavourite: true,
      lastModifiedAt,
    })
    expect(await namesOf({ search: "liked", isFavourite: true })).toEqual(["liked"])
    expect((await change(UPDATE, { id, isFavourite: false })).insight).toMatchObject({ isFavourite: false })
    expect(await namesOf({ search: "liked", isFavourite: true })).toEqual([])
    const log = "query ($id: ID!) { node(id: $id) { ... on Insight { activity { totalCount } } } }"
    expect(await api.graphql(log, { id })).toEqual({ node: { activity: { totalCount: 1 } } })
  })

  test("is not run for a key that may not query, nor with tables that it may not read", async () => {
    const flags = { hogql: { query: "SELECT key FROM system.feature_flags" } }
    const { id } = await create({ name: "flags", query: flags })
    const read = async (scopes: string[]) => {
      const { permitted } = await createCallers(api, scopes, 1)
      const answer = await permitted.post<{ data: JsonObject; errors?: JsonObject[] }>("/graphql", {
        query: "query ($id: ID!) { node(id: $id) { ... on Insight { name result { __typename } } } }",
        variables: { id },
      })
      return { data: answer.body.data, messages: answer.body.errors?.map(({ message }) => message) }
    }
    const hidden = { node: { name: "flags", result: null } }
    const missing = (scope: string) => [`API key missing required scope '${scope}'`]
    expect(await read(["insight:read"])).toEqual({ data: hidden, messages: missing("query:read") })
    const withQueries = await read(["insight:read", "query:read"])
    expect(withQueries).toEqual({ data: hidden, messages: missing("feature_flag:read") })
    const all = await read(["insight:read", "query:read", "feature_flag:read"])
    expect(all.data).toEqual({ node: { name: "flags", result: { __typename: "HogQLResult" } } })
  })
})

describe("the name of events or of properties", () => {
  const SAID = "name description isVerified isHidden tags owner { email } lastModifiedBy { email }"
  const sayOfEvent = async (input: object, caller: WaymarkApi = api) =>
    (
      await caller.graphql<{ said: { eventDefinition: JsonObject | null; userErrors: JsonObject[] } }>(
        `mutation ($input: UpdateEventDefinitionInput!) { said: updateEventDefinition(input: $input) {
          eventDefinition { id createdAt ${SAID} } userErrors { field code } } }`,
        { input: { projectId: "1", ...input } },
      )
    ).said

  test("is listed with what people say of it, which is logged", async () => {
    const { me } = await api.graphql<{ me: { number: number } }>("{ me { number } }")
    const { eventDefinition, userErrors } = await sayOfEvent({
      id: "signed up",
      description: " After the form ",
      ownerNumber: me.number,
      tags: ["growth", "growth"],
      isVerified: true,
    })
    const said = {
      name: "signed up",
      description: "After the form",
      isVerified: true,
      isHidden: false,
      tags: ["growth"],
      owner: { email: "owner@localhost" },
      lastModifiedBy: { email: "owner@localhost" },
    }
    expect({ eventDefinition, userErrors }).toMatchObject({ eventDefinition: said, userErrors: [] })
    const {
      eventDefinitions,
      eventDefinition: found,
      node,
      activityLog,
    } = await api.graphql<JsonObject>(
      `query ($id: ID!) {
        eventDefinitions(filter: { isEdited: true, tags: ["growth"], search: "the form" }) { nodes { ${SAID} } }
        eventDefinition(by: { name: "signed up" }) { ${SAID} }
        node(id: $id) { ... on Definition { ${SAID} } }
        activityLog(scope: EVENT_DEFINITION) { nodes { itemId activity changes { field after } } } }`,
      { id: eventDefinition?.id },
    )
    expect({ eventDefinitions, found, node }).toEqual({ eventDefinitions: { nodes: [said] }, found: said, node: said })
    expect(activityLog).toMatchObject({
      nodes: [
        {
          itemId: "signed up",
          activity: "UPDATED",
          changes: expect.arrayContaining([{ field: "tags", after: ["growth"] }]),
        },
      ],
    })
    const { eventDefinitions: others } = await api.graphql<{ eventDefinitions: { nodes: JsonObject[] } }>(
      `{ eventDefinitions(filter: { hasDescription: false, isVerified: false }) { nodes { name } } }`,
    )
    expect(others.nodes).not.toContainEqual({ name: "signed up" })
  })

  test("has a type where it is of properties, and is kept when such events come again", async () => {
    await api.capture({ event: "paid", distinct_id: "ann", properties: { amount: 12, $set: { plan: "team" } } })
    await api.drained()
    const { propertyDefinitions } = await api.graphql<{ propertyDefinitions: { nodes: JsonObject[] } }>(
      `{ propertyDefinitions(filter: { names: ["amount"] }) { nodes { id name type of groupTypeIndex description } } }`,
    )
    const [amount] = propertyDefinitions.nodes
    expect(amount).toMatchObject({ name: "amount", type: "NUMBER", of: "EVENT", groupTypeIndex: -1, description: "" })
    await api.changed(
      `mutation ($id: ID!) { updatePropertyDefinition(input: { id: $id, isHidden: true, description: "In cents" }) {
        propertyDefinition { id } userErrors { message } } }`,
      { id: amount?.id },
    )
    await api.capture({ event: "paid", distinct_id: "ann", properties: { amount: "much" } })
    await api.drained()
    const { hidden, ofPersons } = await api.graphql<JsonObject>(
      `{ hidden: propertyDefinitions(filter: { isHidden: true }) { nodes { name type description } }
        ofPersons: propertyDefinitions(of: PERSON, filter: { names: ["plan", "amount"] }) { nodes { name } } }`,
    )
    expect(hidden).toEqual({ nodes: [{ name: "amount", type: "TEXT", description: "In cents" }] })
    expect(ofPersons).toEqual({ nodes: [{ name: "plan" }] })
  })

  test.each<[what: string, input: object, field: string | null]>([
    ["a stranger as owner", { ownerNumber: 999_999 }, "ownerNumber"],
    ["a description that is too long", { description: "x".repeat(10_001) }, "description"],
    ["an empty tag", { tags: [" "] }, "tags__0"],
  ])("refuses %s", async (_what, input, field) => {
    const { userErrors } = await sayOfEvent({ id: "signed up", ...input })
    expect(userErrors).toMatchObject([{ field }])
  })

  test("has to be known before anything is said of it", async () => {
    await expect(sayOfEvent({ id: "never sent", isHidden: true })).rejects.toThrow("NOT_FOUND")
  })
})
