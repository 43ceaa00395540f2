import { afterAll, beforeAll, expect, test } from "@jest/globals"
import { type Client, createClient } from "graphql-ws"
import WebSocket from "ws"
import { ownServer } from "../support/own-server.js"
import { waitFor } from "../support/wait-for.js"
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
