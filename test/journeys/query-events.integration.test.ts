import { once } from "node:events"
import { get, type IncomingMessage } from "node:http"
import { describe, expect, test } from "@jest/globals"
import { ownServer } from "../support/own-server.js"
import { waitFor } from "../support/wait-for.js"
import { PERSONAL_KEY } from "../support/waymark-process.js"

const { server, api } = ownServer()
const QUERY = "/api/environments/@current/query/"
const ENDLESS = "SELECT count() FROM numbers(100000000000) WHERE sipHash64(number) = 1"

interface StreamEvent {
  readonly id: string
  readonly event: string
  readonly data: {
    readonly query_status: { readonly complete: boolean; readonly results: { results: unknown } | null }
  }
}

async function open(id: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const all = { authorization: `Bearer ${PERSONAL_KEY}`, accept: "text/event-stream", ...headers }
  const [response] = await once(get(`${api.url}${QUERY}${id}/events/`, { headers: all }), "response")
  return response as IncomingMessage
}

/** Every event until the stream ends. */
async function eventsOf(response: IncomingMessage): Promise<StreamEvent[]> {
  let text = ""
  for await (const piece of response) text += piece
  return text
    .split("\n\n")
    .filter((block) => block.includes("data: "))
    .map((block) => {
      const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s, 2)))
      return { ...fields, data: JSON.parse(fields.data as string) } as StreamEvent
    })
}

const startRun = (id: string, query: string) =>
  api.post(QUERY, { query: { kind: "HogQLQuery", query }, refresh: "force_async", client_query_id: id })

const statusOf = (id: string, parameters = "") =>
  api.get<{ query_status: Record<string, unknown> & { query_progress: Record<string, number> | null } }>(
    `${QUERY}${id}/${parameters}`,
  )

describe("server-sent events of a query", () => {
  test("begin with the present state, go up in number and end after the final one", async () => {
    await startRun("followed", "SELECT sum(number) FROM numbers(2000000000)")
    const response = await open("followed")
    expect(response.headers).toMatchObject({ "content-type": "text/event-stream; charset=utf-8" })
    const events = await eventsOf(response)
    expect(events.at(-1)).toMatchObject({
      event: "complete",
      data: { query_status: { complete: true, results: { results: [[1999999999000000000]] } } },
    })
    const ids = events.map(({ id }) => Number(id))
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
    expect(events.slice(0, -1).every(({ data }) => !data.query_status.complete)).toBe(true)
  })

  test("agree with polling and with the subscription's query on the same run", async () => {
    const [event] = await eventsOf(await open("followed"))
    const polled = await statusOf("followed")
    const { run } = await api.graphql<{ run: { state: string; sequence: number; wire: unknown } }>(
      '{ run: queryStatus(id: "followed") { state sequence wire } }',
    )
    expect(event?.data.query_status).toEqual(polled.body.query_status)
    expect(run).toEqual({ state: "COMPLETE", sequence: Number(event?.id), wire: polled.body.query_status })
    expect(polled.headers.get("x-query-state")).toBe("complete")
    expect(polled.headers.get("x-query-sequence")).toBe(event?.id)
  })

  test("tell a browser that has the last one not to come again", async () => {
    const [event] = await eventsOf(await open("followed"))
    expect((await open("followed", { "last-event-id": event?.id ?? "" })).statusCode).toBe(204)
    expect((await open("followed", { "last-event-id": "0" })).statusCode).toBe(200)
  })

  test("end with the cancellation", async () => {
    await startRun("stopped", ENDLESS)
    const response = await open("stopped")
    await once(response, "readable")
    await api.request("DELETE", `${QUERY}stopped/`)
    expect((await eventsOf(response)).at(-1)?.event).toBe("cancelled")
  })

  test("of an unknown run and for an unknown key are ordinary faults", async () => {
    expect((await open("never-started")).statusCode).toBe(404)
    expect((await open("followed", { authorization: "Bearer phx_nobody" })).statusCode).toBe(401)
  })
})

describe("polling a query", () => {
  test("with wait is answered by the next state", async () => {
    await startRun("waited-for", "SELECT sum(number) FROM numbers(500000000)")
    const states: (string | null)[] = []
    for (let complete = false; !complete; ) {
      const { headers, body } = await statusOf("waited-for", "?wait=25")
      states.push(headers.get("x-query-state"))
      complete = body.query_status.complete === true
    }
    // Each state at most once: an answer comes with a change, not in between.
    expect(states.slice(0, -1)).toEqual([...new Set(states.slice(0, -1))])
    expect((await statusOf("waited-for")).body.query_status).toMatchObject({ error_message: null, complete: true })
    expect(states.at(-1)).toBe("complete")
  })

  test("shows progress only when it is asked for, in numbers that grow", async () => {
    await startRun("progressing", ENDLESS)
    const first = await waitFor("progress", async () => {
      const { query_progress: progress } = (await statusOf("progressing", "?show_progress=true")).body.query_status
      return progress !== null && (progress.rows_read ?? 0) > 0 ? progress : null
    })
    expect(first).toMatchObject({ estimated_rows_total: 100000000000, active_cpu_time: 0 })
    expect(first.percentage).toBeLessThan(100)
    expect((await statusOf("progressing")).body.query_status.query_progress).toBeNull()
    const { run } = await api.graphql<{ run: { progress: Record<string, number> } }>(
      '{ run: queryStatus(id: "progressing", waitSeconds: 20, wakesOnProgress: true) { progress { rowsRead bytesRead percentage } } }',
    )
    expect(run.progress.rowsRead).toBeGreaterThanOrEqual(first.rows_read ?? 0)
    await api.request("DELETE", `${QUERY}progressing/`)
  })
})

describe("a blocking query with an id of its own", () => {
  test("can be seen and cancelled from outside", async () => {
    const asked = api.post(QUERY, { query: { kind: "HogQLQuery", query: ENDLESS }, client_query_id: "blocking" })
    await waitFor("the run to be known", async () => (await statusOf("blocking")).status === 200)
    expect((await api.request("DELETE", `${QUERY}blocking/`)).status).toBe(204)
    expect(await asked).toMatchObject({ status: 400, body: { code: "query_cancelled" } })
    expect((await statusOf("blocking")).status).toBe(404)
  })
})

describe("the SQL of a query", () => {
  const draft = (parameters = "") => api.get<{ sql: string; attr?: string }>(`${QUERY}draft_sql/${parameters}`)
  const draftOf = (query: unknown) => draft(`?query=${encodeURIComponent(JSON.stringify(query))}`)

  test("is something to start from when nothing is asked, over the most frequent event", async () => {
    expect((await draft()).body.sql).not.toContain("event =")
    for (const event of ["it's frequent", "it's frequent", "rare"]) await api.capture({ event, distinct_id: "a" })
    await api.drained()
    const { status, body } = await draft()
    expect(status).toBe(200)
    expect(body.sql).toContain("event = 'it\\'s frequent'")
    expect((await api.hogql(body.sql)).map((row) => row.slice(1))).toEqual([[2, 1]])
  })

  test("is the HogQL that an insight compiles to, and gives what it gives", async () => {
    const { status, body } = await draftOf({
      kind: "HogQLQuery",
      query: "select count() from events where event='rare'",
    })
    expect(status).toBe(200)
    expect(await api.hogql(body.sql)).toEqual([[1]])
    const trends = {
      kind: "TrendsQuery",
      series: [{ kind: "EventsNode", event: "rare" }],
      dateRange: { date_from: "-1d" },
    }
    const insight = await draftOf(trends)
    expect(insight).toMatchObject({ status: 200, body: { sql: expect.stringContaining("FROM events") } })
    expect((await api.hogql(insight.body.sql)).length).toBeGreaterThan(0)
  })

  test("is refused for words, for what is no JSON and for what is no query, with the reason", async () => {
    expect(await draft("?prompt=how%20many")).toMatchObject({ status: 400, body: { attr: "prompt" } })
    expect(await draft("?query=%7B")).toMatchObject({ status: 400, body: { attr: "query", code: "parse_error" } })
    expect(await draftOf({ kind: "NoSuchQuery" })).toMatchObject({ status: 400, body: { attr: "query__kind" } })
    expect(await draftOf({ kind: "HogQLQuery", query: "SELECT nope FROM events" })).toMatchObject({ status: 400 })
  })
})

describe("a server that stops", () => {
  test("ends streams of events and long polls instead of cutting them", async () => {
    await startRun("outlives", ENDLESS)
    const response = await open("outlives")
    await once(response, "readable")
    await waitFor("the run to be picked up", async () => (await statusOf("outlives")).body.query_status.pickup_time)
    const events = eventsOf(response)
    server.child.kill("SIGTERM")
    expect((await events).every(({ data }) => !data.query_status.complete)).toBe(true)
    expect((await server.ended).code).toBe(0)
  })
})
