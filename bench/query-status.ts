import { type Client, createClient } from "graphql-ws"
import WebSocket from "ws"
import { cpuSecondsOf } from "./support/cpu.js"
import { PERSONAL_KEY, startWaymark } from "./support/server.js"
import { printTable } from "./support/table.js"

/**
 * A change of a query's state until 1,000 subscribers over 20 sockets have it: first all of one query, then 20
 * dashboards of 50, each over one socket; and what a delivered change costs the server in processor time: notes of
 * progress, of which a running query makes two a second. All subscribers are of one process, whose own work is a part
 * of every time.
 */
const SUBSCRIBERS = 1_000
const SOCKETS = 20
const ROUNDS = 10
/** Of a dashboard: a few run, the others wait for them. */
const TILES = 50
const PROGRESS_NOTES = 30
/** So that compiling is over. */
const NOTES_BEFORE = 5
const ENDLESS = "SELECT count() FROM numbers(100000000000) WHERE sipHash64(number) = 1"
const SUBSCRIPTION = "subscription ($id: ID!) { queryStatus(id: $id) { state sequence } }"

const server = await startWaymark()
const query = `${server.url}/api/environments/@current/query/`
const headers = { authorization: `Bearer ${PERSONAL_KEY}`, "content-type": "application/json" }

async function call(method: string, url: string, body?: object): Promise<Response> {
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
  return response
}

async function queue(id: string): Promise<void> {
  await call("POST", query, {
    query: { kind: "HogQLQuery", query: `${ENDLESS} -- ${id}` },
    refresh: "force_async",
    client_query_id: id,
  })
}

/** Queues a run and resolves once it is running. */
async function begin(id: string): Promise<void> {
  await queue(id)
  while ((await call("GET", `${query}${id}/`)).headers.get("x-query-state") === "queued");
}

/**
 * Has the subscribers follow these runs in turn. Resolves with the time at which each had the final state; `ready` is
 * called when all have the present one.
 */
function followAll(clients: readonly Client[], ids: readonly string[], ready: () => void): Promise<number[]> {
  let begun = 0
  const follow = async (client: Client, id: string): Promise<number> => {
    let isFirst = true
    for await (const event of client.iterate<{ queryStatus: { state: string } }>({
      query: SUBSCRIPTION,
      variables: { id },
    })) {
      if (event.errors) throw new Error(JSON.stringify(event.errors))
      if (event.data?.queryStatus.state === "CANCELLED") return performance.now()
      if (isFirst && ++begun === SUBSCRIBERS) ready()
      isFirst = false
    }
    throw new Error("a subscription ended without its final event")
  }
  const perSocket = SUBSCRIBERS / SOCKETS
  return Promise.all(
    clients.flatMap((client) =>
      Array.from({ length: perSocket }, (_, subscriber) => follow(client, ids[subscriber % ids.length] ?? "")),
    ),
  )
}

/** Microseconds of the server's processor time for one change that one subscriber gets. */
async function cpuOfDelivery(clients: readonly Client[], id: string): Promise<number> {
  await begin(id)
  let events = 0
  const subscribing = clients.flatMap((client) =>
    Array.from({ length: SUBSCRIBERS / SOCKETS }, () => {
      const sink = { next: () => void events++, error: () => undefined, complete: () => undefined }
      return client.subscribe({ query: SUBSCRIPTION, variables: { id } }, sink)
    }),
  )
  const until = async (count: number): Promise<void> => {
    while (events < count) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await until(SUBSCRIBERS * NOTES_BEFORE)
  const [eventsBefore, before] = [events, cpuSecondsOf(server.pid).own]
  await until(eventsBefore + SUBSCRIBERS * PROGRESS_NOTES)
  const seconds = cpuSecondsOf(server.pid).own - before
  await call("DELETE", `${query}${id}/`)
  for (const leave of subscribing) leave()
  return (seconds * 1_000_000) / (events - eventsBefore)
}

/** Milliseconds from asking for the end of a run of a dashboard until each of its subscribers has seen it. */
async function timeDashboard(clients: readonly Client[]): Promise<number[]> {
  const ids = Array.from({ length: TILES }, (_, tile) => `tile-${tile}`)
  for (const id of ids) await queue(id)
  const all = Promise.withResolvers<void>()
  const following = followAll(clients, ids, all.resolve)
  await all.promise
  const askedAt: number[] = []
  for (const id of ids) {
    askedAt.push(performance.now())
    await call("DELETE", `${query}${id}/`)
  }
  return (await following).map((seenAt, subscriber) => seenAt - (askedAt[subscriber % TILES] ?? 0))
}

const percentile = (times: readonly number[], share: number): string => {
  const sorted = [...times].sort((left, right) => left - right)
  return (sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(1)
}

const clients = Array.from({ length: SOCKETS }, () =>
  createClient({
    url: `${server.url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { Authorization: `Bearer ${PERSONAL_KEY}` },
    lazy: true,
  }),
)

try {
  const sinceAsked: number[] = []
  const sinceAnswered: number[] = []
  const answered: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const id = `round-${round}`
    await begin(id)
    const all = Promise.withResolvers<void>()
    const following = followAll(clients, [id], all.resolve)
    await all.promise
    const askedAt = performance.now()
    await call("DELETE", `${query}${id}/`)
    const answeredAt = performance.now()
    for (const seenAt of await following) {
      sinceAsked.push(seenAt - askedAt)
      sinceAnswered.push(Math.max(0, seenAt - answeredAt))
    }
    answered.push(answeredAt - askedAt)
  }
  const row = (what: string, times: readonly number[]): string[] => [
    what,
    percentile(times, 0.5),
    percentile(times, 0.99),
    percentile(times, 1),
  ]
  printTable(
    [`${ROUNDS} changes, ${SUBSCRIBERS} subscribers`, "p50 ms", "p99 ms", "last ms"],
    [
      row("the change itself, asked to answered", answered),
      row("asked to seen by a subscriber", sinceAsked),
      row("answered to seen by a subscriber", sinceAnswered),
    ],
  )
  process.stdout.write("\n")
  printTable(
    [`${TILES} queries, ${SUBSCRIBERS / TILES} subscribers each`, "p50 ms", "p99 ms", "last ms"],
    [row("asked to seen by a subscriber", await timeDashboard(clients))],
  )
  const microseconds = await cpuOfDelivery(clients, "progress")
  process.stdout.write(`\nA delivered change takes ${microseconds.toFixed(1)} us of the server's processor time.\n`)
} finally {
  await Promise.all(clients.map((client) => client.dispose()))
  await server.stop()
}
