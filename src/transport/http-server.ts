import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import type { Duplex } from "node:stream"
import { AppError, type ErrorCode, toPublicError } from "../kernel/errors.js"
import type { Reply } from "../kernel/reply.js"
import { untilIdleTurn } from "./idle-turn.js"
import { OpenConnections, responseUnderWay } from "./open-connections.js"
import type { AroundRequest } from "./watch-requests.js"
import { sendReply, toErrorReply } from "./wire/send-reply.js"

/** Limits on connections and requests; times in milliseconds. */
export interface HttpLimits {
  readonly maxConnections: number
  /** Further connections for the requests that have places reserved. */
  readonly reservedConnections: number
  readonly maxConnectionsPerAddress: number
  /** How long a client may take to send the head of a request. */
  readonly headersTimeoutMs: number
  /** How long a client may take to send a whole request. */
  readonly requestTimeoutMs: number
  readonly keepAliveTimeoutMs: number
  readonly maxHeaderBytes: number
  /** How often connections are looked over for the time limits above. */
  readonly timeoutCheckIntervalMs: number
}

/** Slow clients are gone within 40 s (`docs/contract/faults.md#slow-clients`). */
const DEFAULT_HTTP_LIMITS: HttpLimits = {
  maxConnections: 20_000,
  reservedConnections: 500,
  maxConnectionsPerAddress: 2_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 30_000,
  maxHeaderBytes: 16 * 1024,
  timeoutCheckIntervalMs: 5_000,
}

const SWEEP_INTERVAL_MS = 50
/** How long a busy server looks for a moment to close its listening socket in. */
const LISTENER_CLOSED_WITHIN_MS = 500
/** Time for the last answers to leave. */
const LAST_ANSWERS_MS = 200
/** A connection that is merely cut tells a client neither what happened nor when to come again. */
const STOPPING = toRefusal("store_unavailable", "The server is stopping. Please retry.")
const ALL_PLACES_TAKEN = toRefusal("overloaded", "The server has too many connections just now. Please retry.")
const REFUSED_CONNECTIONS = {
  "too many of the address": toRawRefusal("429 Too Many Requests"),
  "too many": toRawRefusal("503 Service Unavailable"),
} as const

/** Takes a request when it is its own and says so; what it answers with is its own business. */
export type HotHandler = (request: IncomingMessage, response: ServerResponse) => boolean

export interface HttpServerOptions {
  /** Tried first, in front of Express, which costs three times as much. */
  readonly hot: HotHandler
  /** Everything else: an Express application. */
  readonly web: RequestListener
  /** Takes over connections that ask to become a WebSocket on a path of `upgradePaths`; others are refused. */
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  readonly upgradePaths: readonly string[]
  /** Whether requests for a path are answered also when all places but the reserved ones are taken; none when absent. */
  readonly isReserved?: (path: string) => boolean
  /** Nothing when absent. */
  readonly around?: AroundRequest | null
  /** Called for every connection that finds no place. */
  readonly onRefused?: () => void
  readonly limits?: Partial<HttpLimits>
}

/** The one HTTP server of the process. */
export interface HttpServer {
  /** Resolves with the port in use once connections are accepted. Rejects when the port cannot be had. */
  listen(port: number, host: string): Promise<number>
  /** Serves on, and asks with every answer for the next request to come over another connection. */
  announceClose(): void
  /**
   * Stops accepting, lets requests in flight finish, answers 503 with `Retry-After` to what is left after `graceMs`, and cuts
   * what cannot be answered.
   * WebSockets are not requests: their owner closes them, before or meanwhile.
   */
  close(graceMs: number): Promise<void>
}

/** Makes the one HTTP server of the process. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const limits = { ...DEFAULT_HTTP_LIMITS, ...options.limits }
  const upgraded = new Set<Duplex>()
  const connections = new OpenConnections({
    total: limits.maxConnections,
    reserved: limits.reservedConnections,
    perAddress: limits.maxConnectionsPerAddress,
  })
  const { isReserved = () => false, onRefused, around } = options
  let leaving = false
  let closing = false
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      maxHeaderSize: limits.maxHeaderBytes,
      connectionsCheckingInterval: limits.timeoutCheckIntervalMs,
      noDelay: true,
    },
    around == null ? handle : (request, response) => around(request, response, () => handle(request, response)),
  )
  function handle(request: IncomingMessage, response: ServerResponse): void {
    // Tells clients that keep a connection to open the next one elsewhere.
    if (leaving) response.setHeader("Connection", "close")
    if (connections.beginRequest(request.socket) === "reserved") {
      response.setHeader("Connection", "close")
      if (!isReserved(toPath(request))) {
        onRefused?.()
        sendReply(response, ALL_PLACES_TAKEN)
        return
      }
    }
    if (!options.hot(request, response)) options.web(request, response)
  }
  server.on("connection", (socket) => {
    const admission = connections.admit(socket)
    if (admission === "open" || admission === "reserved") return
    onRefused?.()
    socket.end(REFUSED_CONNECTIONS[admission])
    socket.destroySoon()
  })
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy())
    upgraded.add(socket.once("close", () => upgraded.delete(socket)))
    const isFull = connections.beginRequest(request.socket) === "reserved"
    connections.upgrade(socket)
    const isTaken = !closing && !isFull && options.upgradePaths.includes(toPath(request))
    if (isTaken) return options.handleUpgrade(request, socket, head)
    if (isFull) onRefused?.()
    socket.end(closing || isFull ? toRawRefusal("503 Service Unavailable") : toRawRefusal("404 Not Found"))
  })
  return {
    listen: (port, host) => listen(server, port, host),
    announceClose: () => {
      leaving = true
    },
    close: async (graceMs) => {
      leaving = true
      closing = true
      // The system resets connections that wait to be accepted when it closes the listening socket.
      if (server.listening) await untilIdleTurn(LISTENER_CLOSED_WITHIN_MS)
      await close(server, { connections, upgraded }, graceMs)
    },
  }
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, () => {
      server.off("error", reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** Path of a request without the query and a final slash. */
const toPath = ({ url = "" }: IncomingMessage): string => url.split("?", 1)[0]?.replace(/(?<=.)\/$/, "") ?? ""

function toRefusal(code: ErrorCode, detail: string): Reply {
  return toErrorReply(toPublicError(new AppError(code, { detail, retryAfterSeconds: 1 }), String))
}

/** A refusal of a connection that has no request yet. */
function toRawRefusal(status: string): string {
  return `HTTP/1.1 ${status}\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
}

interface Connections {
  readonly connections: Iterable<Socket>
  readonly upgraded: ReadonlySet<Duplex>
}

async function close(server: Server, { connections, upgraded }: Connections, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // A connection whose answer was already under way may be kept alive by its client; it is closed once it is idle.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_INTERVAL_MS)
  let cut: NodeJS.Timeout | undefined
  const refuse = setTimeout(() => {
    for (const socket of connections) {
      const response = responseUnderWay(socket)
      if (response !== null) sendReply(response, STOPPING)
    }
    cut = setTimeout(() => {
      server.closeAllConnections()
      for (const socket of upgraded) socket.destroy()
    }, LAST_ANSWERS_MS)
  }, graceMs)
  await closed
  clearTimeout(refuse)
  clearTimeout(cut)
  clearInterval(sweep)
}
