import { describe, expect, test } from "@jest/globals"
import { createClient } from "graphql-ws"
import WebSocket from "ws"
import { ownServer } from "../support/own-server.js"
import { waitFor } from "../support/wait-for.js"
import { PERSONAL_KEY } from "../support/waymark-process.js"

const { api } = ownServer()
const QUERY = "/api/environments/@current/query/"
const ENDLESS = "SELECT count() FROM numbers(100000000000)"

interface RunEvent {
  readonly state: string
  readonly sequence: number
  readonly answer: { readonly results: unknown[][] } | null
}

/** Every event of the subscription until it completes. */
async function follow(id: string): Promise<RunEvent[]> {
  const client = createClient({
    url: `${api.url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { Authorization: `Bearer ${PERSONAL_KEY}` },
  })
  const events: RunEvent[] = []
  try {
    const query = "subscription ($id: ID!) { queryStatus(id: $id) { state sequence answer } }"
    for await (const event of client.iterate<{ queryStatus: RunEvent }>({ query, variables: { id } })) {
      if (event.errors) throw new Error(JSON.stringify(event.errors))
      if (event.data) events.push(event.data.queryStatus)
    }
  } finally {
    await client.dispose()
  }
  return events
}

const startRun = (id: string, query: string) =>
  api.post(QUERY, { query: { kind: "HogQLQuery", query }, refresh: "force_async", client_query_id: id })

describe("the status of a query", () => {
  test("is delivered live: the present state first, the final state with the answer last", async () => {
    expect((await startRun("live", "SELECT sum(number) FROM numbers(2000000000)")).body).toMatchObject({
      query_status: { id: "live", team_id: 1, query_async: true, error: false },
    })
    const events = await follow("live")
    expect(events.at(-1)).toMatchObject({ state: "COMPLETE", answer: { results: [[1999999999000000000]] } })
    const sequences = events.map(({ sequence }) => sequence)
    expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b))
    expect(await api.get(`${QUERY}live/`)).toMatchObject({
      status: 200,
      body: { query_status: { complete: true, error: false } },
    })
  })

  test("of a finished run is one event, then the end", async () => {
    expect((await follow("live")).map(({ state }) => state)).toEqual(["COMPLETE"])
  })

  test("turns to cancelled on DELETE, for the subscriber too, and the engine stops working", async () => {
    await startRun("endless", ENDLESS)
    const following = follow("endless")
    await waitFor("the run to be picked up", async () => {
      const { body } = await api.get<{ query_status: { pickup_time: string | null } }>(`${QUERY}endless/`)
      return body.query_status.pickup_time !== null
    })
    const cancelled = await api.request("DELETE", `${QUERY}endless/`)
    expect({ status: cancelled.status, body: cancelled.body }).toEqual({ status: 204, body: null })
    expect((await following).at(-1)?.state).toBe("CANCELLED")
    expect((await api.get(`${QUERY}endless/`)).status).toBe(404)
  })

  test("of a faulty query keeps the message, and code and place as a blocking query answers them", async () => {
    await startRun("faulty", "SELECT nope FROM events")
    expect((await follow("faulty")).at(-1)?.state).toBe("FAILED")
    expect((await api.get(`${QUERY}faulty/`)).body).toMatchObject({
      query_status: {
        complete: true,
        error: true,
        error_message: expect.stringContaining("nope"),
        error_code: "hogql_query_error",
        error_position: { start: 7, end: 11 },
      },
    })
    const blocking = await api.post(QUERY, { query: { kind: "HogQLQuery", query: "SELECT nope FROM events" } })
    expect(blocking.body).toMatchObject({ code: "hogql_query_error", extra: { start: 7, end: 11 } })
    const { run } = await api.graphql<{ run: unknown }>(
      'query { run: queryStatus(id: "faulty") { error { code wireCode start end } } }',
    )
    expect(run).toEqual({ error: { code: "QUERY_REJECTED", wireCode: "hogql_query_error", start: 7, end: 11 } })
  })

  test("of an unknown run is not found", async () => {
    expect(await api.get(`${QUERY}never-started/`)).toMatchObject({ status: 404, body: { code: "not_found" } })
  })
})

describe("refresh modes", () => {
  const ask = (query: string, refresh?: string) =>
    api.post<{ is_cached: boolean; last_refresh: string; results?: unknown }>(QUERY, {
      query: { kind: "HogQLQuery", query },
      ...(refresh && { refresh }),
    })

  test("serve a fresh result from the cache, unless told to calculate", async () => {
    const first = await ask("SELECT 41 + 1")
    expect(first.body).toMatchObject({ is_cached: false, results: [[42]] })
    expect((await ask("SELECT 41 + 1", "blocking")).body).toMatchObject({
      is_cached: true,
      last_refresh: first.body.last_refresh,
    })
    expect((await ask("SELECT 41 + 1", "force_blocking")).body.is_cached).toBe(false)
  })

  test("never calculate when only the cache is asked", async () => {
    const miss = await ask("SELECT 4711", "force_cache")
    expect(miss).toMatchObject({ status: 200, body: { query_status: null, cache_key: expect.any(String) } })
    expect(miss.body.results).toBeUndefined()
    await ask("SELECT 4711")
    expect((await ask("SELECT 4711", "force_cache")).body).toMatchObject({ is_cached: true, results: [[4711]] })
  })

  test("refuse a mode that does not exist", async () => {
    expect(await ask("SELECT 1", "soon")).toMatchObject({
      status: 400,
      body: { attr: "refresh", code: "invalid_choice" },
    })
  })
})
