import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import type { Duplex } from "node:stream"
import { AppError, toPublicError } from "../kernel/errors.js"
import { sendReply, toErrorReply } from "./wire/send-reply.js"

/** Limits on connections and requests; times in milliseconds. */
export interface HttpLimits {
  /** How long a client may take to send the head of a request. */
  readonly headersTimeoutMs: number
  /** How long a client may take to send a whole request. */
  readonly requestTimeoutMs: number
  readonly keepAliveTimeoutMs: number
  readonly maxHeaderBytes: number
  readonly maxConnections: number
  /** How often connections are looked over for the time limits above. */
  readonly timeoutCheckIntervalMs: number
}

/** Slow clients are gone within 40 s (`docs/contract/faults.md#slow-clients`). */
const DEFAULT_HTTP_LIMITS: HttpLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 20_000,
  timeoutCheckIntervalMs: 5_000,
}

const SWEEP_INTERVAL_MS = 50
/** Time for the last answers to leave. */
const LAST_ANSWERS_MS = 200
/** A connection that is merely cut tells a client neither what happened nor when to come again. */
const STOPPING = toErrorReply(
  toPublicError(
    new AppError("store_unavailable", { detail: "The server is stopping. Please retry.", retryAfterSeconds: 1 }),
    String,
  ),
)

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
  readonly limits?: Partial<HttpLimits>
}

/** The one HTTP server of the process. */
export interface HttpServer {
  /** Resolves with the port in use once connections are accepted. Rejects when the port cannot be had. */
  listen(port: number, host: string): Promise<number>
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
  const sockets = new Set<Socket>()
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
    (request, response) => {
      // Tells clients that keep a connection to open the next one elsewhere.
      if (closing) response.setHeader("Connection", "close")
      if (!options.hot(request, response)) options.web(request, response)
    },
  )
  server.maxConnections = limits.maxConnections
  server.on("connection", (socket) => sockets.add(socket.once("close", () => sockets.delete(socket))))
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy())
    upgraded.add(socket.once("close", () => upgraded.delete(socket)))
    const path = (request.url ?? "").split("?", 1)[0]?.replace(/\/$/, "") ?? ""
    if (!closing && options.upgradePaths.includes(path)) options.handleUpgrade(request, socket, head)
    else socket.end(`HTTP/1.1 ${closing ? "503 Service Unavailable" : "404 Not Found"}\r\nConnection: close\r\n\r\n`)
  })
  return {
    listen: (port, host) => listen(server, port, host),
    close: (graceMs) => {
      closing = true
      return close(server, { sockets, upgraded }, graceMs)
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

interface Connections {
  readonly sockets: ReadonlySet<Socket>
  readonly upgraded: ReadonlySet<Duplex>
}

/**
 * The answer that a connection waits for; none while it is idle. Node notes it there in a field that it does not document. To
 * note it here would keep the last request of every idle connection in memory, its body included.
 */
const responseUnderWay = (socket: Socket): ServerResponse | null =>
  (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null

async function close(server: Server, { sockets, upgraded }: Connections, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // A connection whose answer was already under way may be kept alive by its client; it is closed once it is idle.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_INTERVAL_MS)
  let cut: NodeJS.Timeout | undefined
  const refuse = setTimeout(() => {
    for (const socket of sockets) {
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
