import { once } from "node:events"
import { Agent, type IncomingMessage, request } from "node:http"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Caller } from "../../../src/transport/wire/caller.js"
import { waitFor } from "../../support/wait-for.js"
import { createSampleContext, GOOD_KEY } from "../support/sample-context.js"
import { sampleEvents } from "../support/sample-resolvers.js"
import { type RunningGateway, startGateway } from "../support/start-gateway.js"

let gateway: RunningGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

interface Stream {
  readonly status: number
  readonly type: string | null
  /** The next event's name and data; null once the stream has ended. */
  next(): Promise<{ event: string; data: unknown } | null>
  leave(): void
}

/** Asks for events as `EventSource` and GraphQL clients do, and reads them one by one. */
async function open(
  body: object | string,
  accept = "text/event-stream",
  key: string | null = GOOD_KEY,
): Promise<Stream> {
  const leaving = new AbortController()
  const headers = { Accept: accept, ...(key !== null && { Authorization: `Bearer ${key}` }) }
  const answer =
    typeof body === "string"
      ? await fetch(`${gateway.url}/graphql?${body}`, { headers, signal: leaving.signal })
      : await fetch(`${gateway.url}/graphql`, {
          method: "POST",
          headers: { ...headers, "Content-Type": "application/json" },
          body: JSON.stringify(body),
          signal: leaving.signal,
        })
  const reader = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
  let text = ""
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    leave: () => leaving.abort(),
    next: async () => {
      for (;;) {
        const end = text.indexOf("\n\n")
        if (end === -1) {
          const { done, value } = await reader.read()
          if (done) return null
          text += value
          continue
        }
        const lines = text.slice(0, end).split("\n")
        text = text.slice(end + 2)
        const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
        const event = field("event")
        if (event !== undefined) return { event, data: field("data") ? JSON.parse(field("data") as string) : null }
      }
    },
  }
}

const STATUS = "subscription ($id: ID!) { queryStatus(id: $id) { complete } }"
const COMPLETE = { event: "complete", data: null }
const costing = (requested: number) => ({ cost: { requested, limit: 10_000 } })
const result = (complete: boolean) => ({
  event: "next",
  data: { data: { queryStatus: { complete } }, extensions: costing(1.1) },
})

describe("a subscription over server-sent events", () => {
  test.each([
    ["posted", "text/event-stream", (id: string): object | string => ({ query: STATUS, variables: { id } })],
    [
      "posted by a client that can read answers too",
      "application/graphql-response+json, text/event-stream",
      (id: string) => ({ query: STATUS, variables: { id } }),
    ],
    [
      "by link",
      "text/event-stream",
      (id: string) => `query=${encodeURIComponent(STATUS)}&variables=${encodeURIComponent(JSON.stringify({ id }))}`,
    ],
  ])("begins before anything has happened and gives each event as it comes: %s", async (how, accept, operation) => {
    const stream = await open(operation(how), accept)
    expect([stream.status, stream.type]).toEqual([200, "text/event-stream; charset=utf-8"])
    for (const complete of [false, true]) {
      sampleEvents.publish(how, { complete })
      expect(await stream.next()).toEqual(result(complete))
    }
    stream.leave()
  })

  test("that cannot begin says why in its only event", async () => {
    const stream = await open({ query: STATUS, variables: { id: "unknown" } })
    expect(await stream.next()).toMatchObject({
      event: "next",
      data: { errors: [{ message: "Query unknown not found.", extensions: { code: "NOT_FOUND" } }] },
    })
    expect([await stream.next(), await stream.next()]).toEqual([COMPLETE, null])
  })

  test.each([
    ["no such field", { query: "subscription { nope }" }, "GRAPHQL_VALIDATION_FAILED"],
    ["no GraphQL", { query: "subscription {" }, "GRAPHQL_PARSE_FAILED"],
    ["a variable that is missing", { query: STATUS }, "BAD_USER_INPUT"],
    ["no query", {}, "BAD_USER_INPUT"],
    ["variables that are a list", { query: STATUS, variables: [] }, "BAD_USER_INPUT"],
    ["variables by link that are no JSON", `query=${encodeURIComponent(STATUS)}&variables={`, "BAD_USER_INPUT"],
  ])("that is wrong says so as an event, which is all that browsers read: %s", async (_title, operation, code) => {
    const stream = await open(operation)
    expect([stream.status, await stream.next()]).toMatchObject([
      200,
      { event: "next", data: { errors: [{ extensions: { code } }] } },
    ])
    expect([await stream.next(), await stream.next()]).toEqual([COMPLETE, null])
  })

  test("without the media type is told how it is served", async () => {
    const stream = await open({ query: STATUS, variables: { id: "a" } }, "application/json")
    expect(stream.status).toBe(400)
  })
})

describe("other operations", () => {
  test("are a single event where nothing else is accepted", async () => {
    const stream = await open({ query: "{ __typename }" })
    expect(await stream.next()).toEqual({
      event: "next",
      data: { data: { __typename: "Query" }, extensions: costing(0.1) },
    })
    expect([await stream.next(), await stream.next()]).toEqual([COMPLETE, null])
  })

  test.each([
    ["that is accepted too", "application/json, text/event-stream"],
    ["events are ruled out", "*/*, text/event-stream;q=0"],
  ])("are an ordinary answer where %s", async (_when, accept) => {
    const stream = await open({ query: "{ __typename }" }, accept)
    expect(stream.type).toContain("application/json")
  })

  test("are none for a subscription of who rules events out", async () => {
    const query = 'subscription { queryStatus(id: "x") { id } }'
    const stream = await open({ query }, "application/json, text/event-stream;q=0")
    expect(stream.type).toContain("application/json")
  })
})

test("streams end when the server stops, and no new ones begin", async () => {
  const own = await startGateway()
  const asked = { method: "POST", headers: { Accept: "text/event-stream", "Content-Type": "application/json" } }
  const body = JSON.stringify({ query: STATUS, variables: { id: "endless" } })
  const running = await fetch(`${own.url}/graphql`, { ...asked, body })
  await own.close()
  expect(await running.text()).not.toContain("event:")
  expect(own.defects).toEqual([])
})

test("a client that has left before its stream began leaves its place to others", async () => {
  const arrived = Promise.withResolvers<void>()
  const isSlow = ({ request }: Caller): boolean => request.headers["x-slow"] !== undefined
  const narrow = await startGateway({
    streams: { total: 1 },
    createContext: async (caller) => {
      if (isSlow(caller) && !caller.request.socket.destroyed) {
        arrived.resolve()
        await once(caller.request.socket, "close")
      }
      return createSampleContext(caller)
    },
  })
  const query = new URLSearchParams({ query: 'subscription { queryStatus(id: "left") { complete } }' })
  const ask = (headers: Record<string, string>, signal: AbortSignal) =>
    fetch(`${narrow.url}/graphql?${query}`, {
      headers: { Accept: "text/event-stream", Authorization: `Bearer ${GOOD_KEY}`, ...headers },
      signal,
    })
  const leaving = new AbortController()
  const left = ask({ "X-Slow": "1" }, leaving.signal).catch(() => null)
  await arrived.promise
  leaving.abort()
  await left
  const staying = new AbortController()
  try {
    await waitFor("a place for the next client", async () => (await ask({}, staying.signal)).status === 200)
  } finally {
    staying.abort()
    await narrow.close()
  }
})

test("HEAD, whose answer has no events, is answered at once and leaves its connection to the next request", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = async (method: string, query: string): Promise<number | undefined> => {
    const path = `/graphql?${new URLSearchParams({ query })}`
    const sent = request(`${gateway.url}${path}`, { agent, method, headers: { Accept: "text/event-stream" } }).end()
    const [answer] = (await once(sent, "response")) as [IncomingMessage]
    answer.resume()
    await once(answer, "end")
    return answer.statusCode
  }
  await ask("HEAD", 'subscription { queryStatus(id: "endless") { complete } }')
  expect(await ask("GET", "{ __typename }")).toBe(200)
  agent.destroy()
})
