import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { type Client, createClient } from "graphql-ws"
import WebSocket from "ws"
import { ownServer } from "../support/own-server.js"
import { PERSONAL_KEY } from "../support/waymark-process.js"

const { api } = ownServer()
const ENDLESS = "SELECT count() FROM numbers(100000000000)"
const RUN = "id queryId state errorMessage error { code message start end }"

let client: Client
beforeAll(() => {
  client = createClient({
    url: `${api.url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { Authorization: `Bearer ${PERSONAL_KEY}` },
  })
})
afterAll(() => client.dispose())

/** Every event of a subscription until it completes. */
async function follow<Event>(query: string, variables: Record<string, unknown>): Promise<Event[]> {
  const events: Event[] = []
  for await (const { data, errors } of client.iterate<Record<string, Event>>({ query, variables })) {
    if (errors) throw new Error(JSON.stringify(errors))
    for (const event of Object.values(data ?? {})) events.push(event)
  }
  return events
}

interface Outcome {
  readonly __typename: string
  readonly state?: string
}

const runAndFollow = (input: object, more: Record<string, unknown> = {}) =>
  follow<Outcome>(
    `subscription ($input: QueryInput!, $refresh: QueryRefresh! = BLOCKING, $id: ID) {
      query(input: $input, refresh: $refresh, id: $id) {
        __typename
        ... on QueryRun { ${RUN} }
        ... on QueryAnswer { cache { isCached isStale } run { state } }
        ... on HogQLResult { rows }
        ... on CacheMiss { key }
      }
    }`,
    { input, ...more },
  )

async function start(query: string, id: string | null = null): Promise<{ id: string; queryId: string; state: string }> {
  const { started } = await api.graphql<{ started: { queryRun: { id: string; queryId: string; state: string } } }>(
    `mutation ($input: StartQueryInput!) { started: startQuery(input: $input) { queryRun { ${RUN} } } }`,
    { input: { query: { hogql: { query } }, id } },
  )
  return started.queryRun
}

describe("a subscription to a query", () => {
  test("runs it and follows the run to its answer", async () => {
    const outcomes = await runAndFollow({ hogql: { query: "SELECT sum(number) FROM numbers(1000000000)" } })
    expect(outcomes[0]).toMatchObject({ __typename: "QueryRun", error: null })
    expect(outcomes.at(-1)).toEqual({
      __typename: "HogQLResult",
      rows: [[499999999500000000]],
      cache: { isCached: false, isStale: false },
      run: null,
    })
    const states = outcomes.map(({ state }) => state)
    expect(states.slice(0, -1).every((state) => state === "QUEUED" || state === "RUNNING")).toBe(true)
  })

  test("answers at once what is kept, and never calculates with FORCE_CACHE", async () => {
    const input = { hogql: { query: "SELECT 4711" } }
    expect(await runAndFollow(input, { refresh: "FORCE_CACHE" })).toEqual([
      { __typename: "CacheMiss", key: expect.any(String) },
    ])
    await runAndFollow(input)
    expect(await runAndFollow(input)).toMatchObject([{ __typename: "HogQLResult", cache: { isCached: true } }])
    const forced = await runAndFollow(input, { refresh: "FORCE_BLOCKING" })
    expect(forced.at(-1)).toMatchObject({ __typename: "HogQLResult", rows: [[4711]], cache: { isCached: false } })
    expect(forced.length).toBeGreaterThan(1)
  })

  test("ends with the run and its error when it fails", async () => {
    const outcomes = await runAndFollow({ hogql: { query: "SELECT nope FROM events" } })
    expect(outcomes.at(-1)).toMatchObject({
      __typename: "QueryRun",
      state: "FAILED",
      error: { code: "QUERY_REJECTED", message: expect.stringContaining("nope"), start: 7, end: 11 },
    })
  })

  test("ends with the run when it is cancelled, which can still be read", async () => {
    const following = runAndFollow({ hogql: { query: ENDLESS } }, { id: "endless" })
    const cancel = 'mutation { cancelQuery(input: { id: "endless" }) { queryRun { state } userErrors { code } } }'
    for (let isGone = false; !isGone; ) {
      const { body } = await api.post<{ errors?: unknown }>("/graphql", { query: cancel })
      isGone = body.errors === undefined
    }
    expect((await following).at(-1)).toMatchObject({ __typename: "QueryRun", state: "CANCELLED" })
    const { run } = await api.graphql<{ run: unknown }>(`{ run: queryStatus(id: "endless") { state errorMessage } }`)
    expect(run).toEqual({ state: "CANCELLED", errorMessage: "The query was cancelled." })
  })

  test("is refused for a query that is none", async () => {
    await expect(runAndFollow({ raw: { kind: "NoQuery" } })).rejects.toThrow(/NoQuery/)
  })
})

describe("several runs at once", () => {
  test("are started, read together by either id, and followed by one subscription", async () => {
    const runs = await Promise.all([11, 12, 13].map((number) => start(`SELECT ${number}`, `run ${number}`)))
    const [first] = runs
    const ids = [...runs.map(({ id }) => id)]
    const events = await follow<{ queryId: string; state: string; result: { rows: unknown } | null }>(
      `subscription ($ids: [ID!]!) {
        queryStatuses(ids: $ids) { queryId state result { ... on HogQLResult { rows } } }
      }`,
      { ids },
    )
    const ends = events.filter(({ state }) => state === "COMPLETE")
    expect(new Map(ends.map(({ queryId, result }) => [queryId, result?.rows]))).toEqual(
      new Map([11, 12, 13].map((number) => [`run ${number}`, [[number]]])),
    )
    const { runs: read } = await api.graphql<{ runs: unknown }>(
      "query ($ids: [ID!]!) { runs: queryStatuses(ids: $ids) { queryId state } }",
      { ids: ["never started", "run 12", first?.queryId] },
    )
    expect(read).toEqual([null, { queryId: "run 12", state: "COMPLETE" }, { queryId: "run 11", state: "COMPLETE" }])
  })

  test("are at most 100, and all known to be followed", async () => {
    const operation = "subscription ($ids: [ID!]!) { queryStatuses(ids: $ids) { state } }"
    const ids = Array.from({ length: 101 }, (_, index) => `run ${index}`)
    await expect(follow(operation, { ids })).rejects.toThrow(/at most 100/)
    await expect(follow(operation, { ids: ["never started"] })).rejects.toThrow(/not found/)
  })

  test("a start is content with a kept answer when it says so", async () => {
    await start("SELECT 99", "kept")
    await follow('subscription { queryStatuses(ids: ["kept"]) { state } }', {})
    const input = { query: { hogql: { query: "SELECT 99" } }, takesKept: true }
    const { started } = await api.graphql<{ started: unknown }>(
      `mutation ($input: StartQueryInput!) {
        started: startQuery(input: $input) { queryRun { state result { cache { isCached } } } userErrors { code } }
      }`,
      { input },
    )
    expect(started).toEqual({ queryRun: { state: "COMPLETE", result: { cache: { isCached: true } } }, userErrors: [] })
  })
})
