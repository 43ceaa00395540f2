import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { type Client, createClient } from "graphql-ws"
import WebSocket from "ws"
import type { JsonObject } from "../../src/kernel/json.js"
import { createCallers } from "../support/access-matrix.js"
import { ownServer } from "../support/own-server.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PERSONAL_KEY } from "../support/waymark-process.js"

const { api } = ownServer()
const TILES = 50
const OVER = 7

/** Fifty charts of an event; one of them shows dates that were over long ago. */
const inputs = Array.from({ length: TILES }, (_, index) => ({
  trends: {
    series: [{ event: "paid" }],
    view: "TOTAL",
    dates: index === OVER ? { from: "2019-01-01", to: "2019-01-02" } : { from: `-${index + 1}d` },
  },
}))

let client: Client
beforeAll(() => {
  client = createClient({
    url: `${api.url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { Authorization: `Bearer ${PERSONAL_KEY}` },
  })
})
afterAll(() => client.dispose())

/** Starts the tiles' runs, 25 a document; their ids in order. */
async function startAll(isForced: boolean): Promise<string[]> {
  const ids: string[] = []
  for (let from = 0; from < TILES; from += 25) {
    const some = inputs.slice(from, from + 25)
    const declared = some.map((_, index) => `$i${index}: QueryInput!`).join(" ")
    const fields = some.map(
      (_, index) => `t${index}: startQuery(input: { query: $i${index}, takesKept: ${!isForced} }) { queryRun { id } }`,
    )
    const variables = Object.fromEntries(some.map((input, index) => [`i${index}`, input]))
    const data = await api.graphql<Record<string, { queryRun: { id: string } }>>(
      `mutation (${declared}) { ${fields.join(" ")} }`,
      variables,
    )
    ids.push(...some.map((_, index) => data[`t${index}`]?.queryRun.id ?? ""))
  }
  return ids
}

interface TileEvent {
  readonly id: string
  readonly state: string
  readonly result: { readonly series: readonly { readonly total: number }[] } | null
}

/** Follows all tiles by one subscription until each has its number. */
async function followAll(ids: readonly string[]): Promise<(number | undefined)[]> {
  const totals = new Map<string, number | undefined>()
  const query = `subscription ($ids: [ID!]!) {
    queryStatuses(ids: $ids) { id state result { ... on TrendsResult { series { total } } } }
  }`
  for await (const { data, errors } of client.iterate<{ queryStatuses: TileEvent }>({ query, variables: { ids } })) {
    if (errors) throw new Error(JSON.stringify(errors))
    const { id, state, result } = data?.queryStatuses ?? { id: "", state: "", result: null }
    if (state === "COMPLETE") totals.set(id, result?.series[0]?.total)
  }
  return ids.map((id) => totals.get(id))
}

test("a dashboard of 50 tiles is live over one socket, and says which tiles newer events make stale", async () => {
  await api.capture({ event: "paid", distinct_id: "ann" })
  await api.drained()
  const expected = (total: number) => inputs.map((_, index) => (index === OVER ? 0 : total))
  expect(await followAll(await startAll(true))).toEqual(expected(1))

  const changes: number[] = []
  const stopWatching = client.subscribe<{ insightChanges: { index: number } }>(
    {
      query: "subscription ($inputs: [QueryInput!]!) { insightChanges(inputs: $inputs) { index } }",
      variables: { inputs },
    },
    {
      next: ({ data }) => data && changes.push(data.insightChanges.index),
      error: (fault) => expect(fault).toBeUndefined(),
      complete: () => undefined,
    },
  )
  // Kept answers do until something new has been stored.
  expect(await followAll(await startAll(false))).toEqual(expected(1))
  expect(changes).toEqual([])

  await api.capture({ event: "paid", distinct_id: "bob" })
  await waitFor("every tile to be named", () => changes.length >= TILES - 1)
  expect(changes.toSorted((a, b) => a - b)).toEqual(inputs.map((_, index) => index).filter((index) => index !== OVER))
  expect(await followAll(await startAll(true))).toEqual(expected(2))
  stopWatching()
}, 120_000)

interface TileResult {
  readonly tileId: string
  readonly result: { readonly series?: readonly { readonly total: number }[] } | null
  readonly error: { readonly wireCode: string; readonly message: string } | null
}

const RESULTS = `subscription ($id: ID!) {
  dashboardResults(id: $id) { tileId error { wireCode message } result {
    __typename ... on TrendsResult { series { total } } } } }`

/** Follows a dashboard; what its tiles came to, and how to end it. */
function follow(id: string, by = client) {
  const results: TileResult[] = []
  const stop = by.subscribe<{ dashboardResults: TileResult }>(
    { query: RESULTS, variables: { id } },
    {
      next: ({ data, errors }) => {
        expect(errors).toBeUndefined()
        if (data) results.push(data.dashboardResults)
      },
      error: (fault) => expect(fault).toBeUndefined(),
      complete: () => undefined,
    },
  )
  const totalOf = (tileId: string | undefined) =>
    results.findLast((one) => one.tileId === tileId && one.result?.series !== undefined)?.result?.series?.[0]?.total
  return { results, stop, totalOf }
}

interface Tile extends JsonObject {
  readonly id: string
}
interface Dashboard extends JsonObject {
  readonly id: string
  readonly shortId: string
  readonly version: number
  readonly tiles: Tile[]
}
interface Change {
  readonly change: { readonly dashboard: Dashboard | null; readonly userErrors: readonly JsonObject[] }
}

const ITEM = `id shortId number name description tags pinned isFavourite deleted version
  filters { dateFrom dateTo condition { all { type key operator value } } raw } createdBy { email }
  tiles { id x y w h text name isInsightDeleted isUnfiltered query insight { name } result { ... on TrendsResult { series { total } } } }`
const CREATE = `mutation ($input: CreateDashboardInput!) {
  change: createDashboard(input: $input) { dashboard { ${ITEM} } userErrors { field code message } } }`
const UPDATE = `mutation ($input: UpdateDashboardInput!) {
  change: updateDashboard(input: $input) { dashboard { ${ITEM} } userErrors { field code message } } }`
const whole = { x: 0, y: 0, w: 12, h: 4 }
const half = { x: 6, y: 4, w: 6, h: 4 }
const visits = { trends: { series: [{ event: "visit" }], view: "TOTAL", dates: { from: "-7d" } } }

const change = async (document: string, input: object) => (await api.graphql<Change>(document, { input })).change

async function createInsight(name: string, query: object): Promise<string> {
  const { insight } = await api.changed<{ insight: { shortId: string } }>(
    `mutation ($input: CreateInsightInput!) {
      insight: createInsight(input: $input) { insight { shortId } userErrors { message } } }`,
    { input: { projectId: "1", name, query } },
  )
  return insight.shortId
}
const dropInsight = (shortId: string, deleted: boolean) =>
  api.changed(
    `mutation ($input: UpdateInsightInput!) { updateInsight(input: $input) { insight { name } userErrors { message } } }`,
    { input: { projectId: "1", id: shortId, deleted } },
  )
async function create(input: object): Promise<Dashboard> {
  const { dashboard, userErrors } = await change(CREATE, { projectId: "1", ...input })
  expect(userErrors).toEqual([])
  if (dashboard === null) throw new Error("no dashboard was made")
  return dashboard
}

describe("a dashboard that is kept", () => {
  test("lays its dates and properties over what its tiles run, and says where they have no place", async () => {
    const weekAgo = new Date(Date.now() - 6 * 86_400_000).toISOString()
    await api.capture({ event: "visit", distinct_id: "ann", properties: { plan: "pro" }, timestamp: weekAgo })
    for (const plan of ["pro", "free"]) await api.capture({ event: "visit", distinct_id: "bob", properties: { plan } })
    await api.drained()
    const [chart, table] = [
      await createInsight("Visits", visits),
      await createInsight("Table", { hogql: { query: "SELECT count() FROM events" } }),
    ]
    const made = await create({
      name: "Board",
      tags: ["team"],
      pinned: true,
      isFavourite: true,
      tiles: [
        { ...whole, insight: chart },
        { ...half, text: "# Hello <b>you</b>" },
        { ...half, x: 0, insight: table },
      ],
    })
    expect(made).toMatchObject({
      name: "Board",
      tags: ["team"],
      pinned: true,
      isFavourite: true,
      version: 1,
      filters: { dateFrom: null, dateTo: null, condition: null, raw: {} },
      createdBy: { email: "owner@localhost" },
      tiles: [
        { ...whole, text: null, name: "Visits", isUnfiltered: false, result: { series: [{ total: 3 }] } },
        { ...half, text: "# Hello <b>you</b>", name: null, insight: null, query: null, result: null },
        { ...half, x: 0, name: "Table", insight: { name: "Table" }, isUnfiltered: false },
      ],
    })
    const properties = [{ event: { key: "plan", operator: "EXACT", value: "pro" } }]
    const { dashboard } = await change(UPDATE, { id: made.id, filters: { dateFrom: "-2d", properties } })
    expect(dashboard).toMatchObject({
      version: 1,
      filters: { dateFrom: "-2d", condition: { all: [{ type: "EVENT", key: "plan", value: "pro" }] } },
      tiles: [
        { isUnfiltered: false, result: { series: [{ total: 1 }] }, query: { dateRange: { date_from: "-2d" } } },
        { isUnfiltered: false, text: expect.anything() },
        { isUnfiltered: true, query: { kind: "HogQLQuery" } },
      ],
    })
    const cleared = await change(UPDATE, { id: made.id, filters: {} })
    expect(cleared.dashboard?.tiles[0]).toMatchObject({ result: { series: [{ total: 3 }] } })
  })

  test("keeps two editors from overwriting each other's tiles, and everything else as it is", async () => {
    const { id, version, tiles } = await create({ name: "Shared", tiles: [{ ...whole, text: "one" }] })
    const [tile] = tiles
    const moved = { id, version, tiles: [{ ...half, id: tile?.id, text: "moved" }] }
    expect((await change(UPDATE, moved)).dashboard).toMatchObject({ version: 2, tiles: [{ ...half, id: tile?.id }] })
    expect(await change(UPDATE, moved)).toEqual({
      dashboard: null,
      userErrors: [{ field: "version", code: "CONFLICT", message: expect.stringContaining("version 2 now") }],
    })
    expect((await change(UPDATE, { id, tiles: [] })).userErrors).toMatchObject([{ field: "version", code: "REQUIRED" }])
    const renamed = await change(UPDATE, { id, name: "Renamed", deleted: true })
    expect(renamed.dashboard).toMatchObject({ name: "Renamed", deleted: true, version: 2, tiles: [{ text: "moved" }] })
    expect(await api.graphql("query ($id: ID!) { node(id: $id) { id } }", { id })).toEqual({ node: null })
    expect((await change(UPDATE, { id, deleted: false })).dashboard).toMatchObject({ deleted: false, name: "Renamed" })
    const { node } = await api.graphql<{ node: { activity: { nodes: JsonObject[] } } }>(
      `query ($id: ID!) { node(id: $id) { ... on Dashboard { activity { nodes { activity changes { field } } } } } }`,
      { id },
    )
    expect(node.activity.nodes).toEqual([
      { activity: "UPDATED", changes: [{ field: "deleted" }] },
      { activity: "DELETED", changes: [{ field: "name" }, { field: "deleted" }] },
      { activity: "UPDATED", changes: [{ field: "tiles" }] },
      { activity: "CREATED", changes: [] },
    ])
  })

  test("says which insights on it have been deleted, and shows them again when they are restored", async () => {
    const shortId = await createInsight("Gone", visits)
    const { id, version } = await create({ name: "With gone", tiles: [{ ...whole, insight: shortId }] })
    await dropInsight(shortId, true)
    const read = async () => {
      const found = await api.graphql<{ node: Dashboard }>(
        `query ($id: ID!) { node(id: $id) { ... on Dashboard { ${ITEM} } } }`,
        { id },
      )
      return found.node.tiles
    }
    const tiles = await read()
    const gone = { name: "Gone", isInsightDeleted: true, query: null, insight: null, result: null }
    expect(tiles).toMatchObject([gone])
    const kept = { id, version, tiles: [{ ...half, id: tiles[0]?.id, insight: shortId }] }
    expect((await change(UPDATE, kept)).dashboard).toMatchObject({ tiles: [{ ...half, ...gone }] })
    const fresh = await change(CREATE, { projectId: "1", name: "n", tiles: [{ ...whole, insight: shortId }] })
    expect(fresh.userErrors).toMatchObject([{ field: "tiles__0__insight", code: "INVALID_INPUT" }])
    await dropInsight(shortId, false)
    expect(await read()).toMatchObject([{ isInsightDeleted: false, insight: { name: "Gone" } }])
    const { insight } = await api.graphql<{ insight: { dashboards: { nodes: JsonObject[] } } }>(
      `query ($shortId: ID!) { insight(by: { shortId: $shortId }, projectId: "1") { dashboards { nodes { name } } } }`,
      { shortId },
    )
    expect(insight.dashboards.nodes).toEqual([{ name: "With gone" }])
  })

  test.each<[what: string, input: object, field: string]>([
    ["without a name", { name: undefined }, "name"],
    ["with a tile beyond the twelfth column", { tiles: [{ ...whole, x: 1, text: "" }] }, "tiles__0__w"],
    ["with a tile left of the first", { tiles: [{ ...whole, x: -1, text: "" }] }, "tiles__0__x"],
    [
      "with a tile of no height",
      {
        tiles: [
          { ...whole, text: "" },
          { ...half, h: 0, text: "" },
        ],
      },
      "tiles__1__h",
    ],
    ["with a tile that shows nothing", { tiles: [whole] }, "tiles__0__insight"],
    ["with a tile that shows two things", { tiles: [{ ...whole, text: "", insight: "x" }] }, "tiles__0__insight"],
    ["with an insight that there is not", { tiles: [{ ...whole, insight: "nope1234" }] }, "tiles__0__insight"],
    ["with an id that no tile has", { tiles: [{ ...whole, id: "mine", text: "" }] }, "tiles__0__id"],
    ["with a tile of too long a text", { tiles: [{ ...whole, text: "x".repeat(10_001) }] }, "tiles__0__text"],
    ["with more than 100 tiles", { tiles: Array.from({ length: 101 }, () => ({ ...whole, text: "" })) }, "tiles"],
    ["with a date that is none", { filters: { dateFrom: "moon" } }, "filters__dateRange"],
    ["with filters that are no object", { filters: { raw: [1] } }, "filters"],
    ["with filters that nobody knows", { filters: { raw: { colour: 1 } } }, "filters__colour"],
    ["with properties that are no list", { filters: { raw: { properties: 5 } } }, "filters__properties"],
  ])("%s is refused", async (_what, input, field) => {
    const { dashboard, userErrors } = await change(CREATE, { projectId: "1", name: "n", ...input })
    expect({ dashboard, userErrors }).toMatchObject({ dashboard: null, userErrors: [{ field }] })
  })

  test("is followed as a whole: each tile as it comes, and again when newer events make it stale", async () => {
    const visitors = { trends: { ...visits.trends, series: [{ event: "tick" }] } }
    const insight = await createInsight("Ticks", visitors)
    const refused = await createInsight("Flags", { hogql: { query: "SELECT key FROM system.feature_flags" } })
    const { id, tiles } = await create({
      name: "Live",
      tiles: [
        { ...whole, insight },
        { ...half, text: "Ticks" },
        { ...half, x: 0, insight: refused },
      ],
    })
    const [ticks, , flags] = tiles.map((tile) => tile.id)
    const { permitted } = await createCallers(api, ["dashboard:read", "query:read"], 1)
    const ofKey = createClient({
      url: `${api.url.replace("http", "ws")}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { Authorization: `Bearer ${permitted.personalKey}` },
    })
    const { results, stop, totalOf } = follow(id, ofKey)
    await waitFor("the first answer", () => totalOf(ticks) === 0)
    await api.capture({ event: "tick", distinct_id: "ann" })
    await waitFor("the answer with the new event", () => totalOf(ticks) === 1)
    stop()
    await ofKey.dispose()
    expect(results.filter(({ tileId }) => tileId === flags)).toEqual([
      {
        tileId: flags,
        result: null,
        error: { wireCode: "permission_denied", message: "API key missing required scope 'feature_flag:read'" },
      },
    ])
    expect(new Set(results.map(({ tileId }) => tileId))).toEqual(new Set([ticks, flags]))
  })

  test("is there in a new project, made by nobody, and every tile of it can be run", async () => {
    const { createProject } = await api.changed<{ createProject: { id: string } }>(
      'mutation { createProject(input: { name: "Fresh" }) { project { id } userErrors { message } } }',
    )
    const { dashboards } = await api.graphql<{ dashboards: { nodes: Dashboard[] } }>(
      `query ($id: ID!) { dashboards(projectId: $id, first: 2) { nodes { ${ITEM} activity(first: 1) { totalCount } } } }`,
      { id: createProject.id },
    )
    const [first, ...others] = dashboards.nodes
    expect(others).toEqual([])
    expect(first).toMatchObject({ name: "Your first dashboard", createdBy: null, activity: { totalCount: 0 } })
    expect(first?.tiles.map(({ name, result }) => [name, result === null])).toEqual([
      [null, true],
      ["Visits", false],
      ["Active people", false],
      ["Who comes back", false],
      ["Top pages", false],
    ])
  })

  test("is found by words, tags, whether it is pinned, and as a favourite", async () => {
    await create({ name: "found first", pinned: true, tags: ["x"] })
    await create({ name: "found second", isFavourite: true })
    const namesOf = async (filter: object) => {
      const { dashboards } = await api.graphql<{ dashboards: { nodes: JsonObject[] } }>(
        `query ($filter: DashboardFilter) { dashboards(projectId: "1", filter: $filter) { nodes { name } } }`,
        { filter: { search: "found", ...filter } },
      )
      return dashboards.nodes.map(({ name }) => name)
    }
    expect(await namesOf({})).toEqual(["found second", "found first"])
    expect(await namesOf({ pinned: true })).toEqual(["found first"])
    expect(await namesOf({ isFavourite: true })).toEqual(["found second"])
    expect(await namesOf({ tags: ["x"] })).toEqual(["found first"])
  })
})

const anybody = new WaymarkApi(() => api.url, null)
const SHARED = `query ($token: String!) { sharedDashboard(token: $token) { __typename name tiles {
  __typename x y w h text name result { __typename
    ... on QueryAnswer { kind hogql warnings answer timings { step } cache { key isCached } run { id } }
    ... on TrendsResult { series { label total breakdown series { event action name } } }
    ... on FunnelResult { groups { steps { count event action name } } }
    ... on HogQLResult { columns { name } rows clickhouse explain } } } } }`

interface Shared {
  readonly data: { readonly sharedDashboard: { readonly tiles: readonly JsonObject[] } | null }
  readonly errors?: readonly { readonly message: string; readonly extensions: JsonObject }[]
}
interface Link extends JsonObject {
  readonly id: string
  readonly token: string
}

const readShared = async (token: string): Promise<Shared> =>
  (await anybody.post<Shared>("/graphql", { query: SHARED, variables: { token } })).body
const share = async (id: string, input: object = {}, by = api) =>
  (
    await by.graphql<{ share: { shareLink: Link | null; userErrors: readonly JsonObject[] } }>(
      `mutation ($input: CreateDashboardShareLinkInput!) { share: createDashboardShareLink(input: $input) {
        shareLink { id token label maskedToken expiresAt } userErrors { field } } }`,
      { input: { id, ...input } },
    )
  ).share

describe("a link to a dashboard", () => {
  const ENDED = [{ message: "There is no such link, or it has ended.", extensions: { code: "NOT_FOUND" } }]

  test("shows name, tiles and what they come to without any key, and nothing of what they ask", async () => {
    const { visit, gone } = await api.changed<Record<"visit" | "gone", { id: string; number: number }>>(
      `mutation {
        visit: createAction(input: { projectId: "1", name: "A visit", steps: [{ event: "visit" }] }) {
          action { id number } userErrors { message } }
        gone: createAction(input: { projectId: "1", name: "secret-words" }) {
          action { id number } userErrors { message } } }`,
    )
    const ofAction = [{ kind: "ActionsNode", id: visit.number }]
    const queries = {
      Trend: { raw: { kind: "TrendsQuery", series: ofAction, trendsFilter: { display: "BoldNumber" } } },
      Funnel: { raw: { kind: "FunnelsQuery", series: [...ofAction, { kind: "EventsNode", event: "visit" }] } },
      Table: { hogql: { query: "SELECT 'shown' AS said FROM events WHERE event != 'secret-words' LIMIT 1" } },
      Broken: { hogql: { query: "SELECT count() FROM events WHERE matchesAction('secret-words')" } },
      People: { events: { select: ["*", "person"] } },
      Records: { hogql: { query: "SELECT name FROM system.actions" } },
    }
    const insights: string[] = []
    for (const [name, query] of Object.entries(queries)) insights.push(await createInsight(name, query))
    await api.changed(
      `mutation ($id: ID!) { updateAction(input: { id: $id, deleted: true }) { action { id } userErrors { message } } }`,
      { id: gone.id },
    )
    const tiles = [{ ...half, text: "*Hi*" }, ...insights.map((insight) => ({ ...whole, insight }))]
    const { made } = await api.changed<{ made: { id: string } }>(
      `mutation ($input: CreateDashboardInput!) {
        made: createDashboard(input: $input) { dashboard { id } userErrors { message } } }`,
      { input: { projectId: "1", name: "For all", description: "secret-words", tags: ["secret-words"], tiles } },
    )
    const { id } = made
    const { shareLink } = await share(id, { label: "The board" })
    const shared = await readShared(shareLink?.token ?? "")
    const said = { hogql: null, warnings: [], answer: {}, timings: [], run: null, cache: { key: "" } }
    expect(shared.data.sharedDashboard).toMatchObject({
      name: "For all",
      tiles: [
        { ...half, text: "*Hi*", name: null, result: null },
        { name: "Trend", result: { ...said, series: [{ total: 3, series: { action: null, name: "A visit" } }] } },
        { name: "Funnel", result: { ...said, groups: [{ steps: [{ action: null }, { event: "visit" }] }] } },
        { name: "Table", result: { ...said, columns: [{ name: "said" }], rows: [["shown"]], clickhouse: null } },
        { name: "Broken", result: null },
        { name: "People", result: null },
        { name: "Records", result: null },
      ],
    })
    expect(shared.errors).toMatchObject([{ path: ["sharedDashboard", "tiles", 4, "result"] }])
    const text = JSON.stringify(shared)
    for (const hidden of ["secret-words", "matchesAction", "SELECT", String(shareLink?.id), id, ...insights])
      expect(text).not.toContain(hidden)
  })

  test("opens nothing else: no other field takes its token, nor do those who have it become anybody", async () => {
    const { id } = await create({ name: "Only this", tiles: [] })
    const { shareLink } = await share(id)
    const token = shareLink?.token ?? ""
    const asKey = new WaymarkApi(api.url, token)
    const document = "query ($id: ID!) { node(id: $id) { id } dashboards(projectId: 1) { totalCount } }"
    for (const caller of [anybody, asKey]) {
      const { body } = await caller.post<Shared>("/graphql", { query: document, variables: { id } })
      expect(body.data).toEqual({ node: null, dashboards: null })
      expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(["UNAUTHENTICATED", "UNAUTHENTICATED"])
    }
    for (const field of ["id", "number", "projectId", "filters { raw }", "createdBy { email }", "shareLinks { id }"]) {
      const query = `query ($token: String!) { sharedDashboard(token: $token) { ${field} } }`
      const { body } = await anybody.post<Shared>("/graphql", { query, variables: { token } })
      expect(body.errors?.[0]?.message).toMatch(/^Cannot query field/)
    }
    const fields = "id shortId query projectId insight { name } isUnfiltered"
    const query = `query ($token: String!) { sharedDashboard(token: $token) { tiles { ${fields} } } }`
    const { body } = await anybody.post<Shared>("/graphql", { query, variables: { token } })
    expect(body.errors).toHaveLength(6)
  })

  test("ends when it is revoked, when its time is over, and while the dashboard is deleted", async () => {
    const { id } = await create({ name: "Ends", tiles: [] })
    const lasting = (await share(id, { label: "lasting" })).shareLink
    const revoked = (await share(id, { label: "revoked" })).shareLink
    const short = (await share(id, { expiresAt: new Date(Date.now() + 1_000) })).shareLink
    if (lasting === null || revoked === null || short === null) throw new Error("a link was refused")
    expect(lasting).toMatchObject({
      token: expect.stringMatching(/^shd_\w{43}$/),
      maskedToken: expect.stringMatching(/^shd_\.\.\./),
    })
    const revoke = () =>
      api.post<Shared>("/graphql", {
        query: `mutation ($id: ID!) { revokeDashboardShareLink(input: { projectId: "1", id: $id }) { revokedId } }`,
        variables: { id: revoked.id },
      })
    expect((await readShared(revoked.token)).errors).toBeUndefined()
    expect((await revoke()).body.data).toEqual({ revokeDashboardShareLink: { revokedId: revoked.id } })
    expect((await revoke()).body.errors).toMatchObject([{ extensions: { code: "NOT_FOUND" } }])
    expect((await readShared(revoked.token)).errors).toMatchObject(ENDED)
    expect((await readShared("shd_of-nobody")).errors).toMatchObject(ENDED)
    await waitFor("the end of the short one", async () => (await readShared(short.token)).errors !== undefined)
    const { node } = await api.graphql<{ node: JsonObject }>(
      `query ($id: ID!) { node(id: $id) { ... on Dashboard { shareLinks { label } activity(first: 4) { nodes { activity } } } } }`,
      { id },
    )
    expect(node).toMatchObject({
      shareLinks: [{ label: "lasting" }],
      activity: { nodes: ["UNSHARED", "SHARED", "SHARED", "SHARED"].map((activity) => ({ activity })) },
    })
    await change(UPDATE, { id, deleted: true })
    expect((await readShared(lasting.token)).errors).toMatchObject(ENDED)
    await change(UPDATE, { id, deleted: false })
    expect((await readShared(lasting.token)).errors).toBeUndefined()
  })

  test("is refused with an end that is past or too far away, and to a key that may not query", async () => {
    const { id } = await create({ name: "Refused", tiles: [] })
    for (const expiresAt of ["2020-01-01T00:00:00Z", "2199-01-01T00:00:00Z"])
      expect(await share(id, { expiresAt })).toEqual({ shareLink: null, userErrors: [{ field: "expiresAt" }] })
    expect(await share(id, { label: "x".repeat(101) })).toMatchObject({ userErrors: [{ field: "label" }] })
    const { permitted } = await createCallers(api, ["sharing_configuration:write"], 1)
    await expect(share(id, {}, permitted)).rejects.toThrow("API key missing required scope 'query:read'")
  })
})
