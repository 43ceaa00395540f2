import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import { CloseCode, handleProtocols, type Server } from "graphql-ws"
import { type RawData, type WebSocket, WebSocketServer } from "ws"
import { AppError } from "../../kernel/errors.js"
import type { Logger } from "../../platform/logger/logger.js"
import type { StreamPermits } from "../stream-permits.js"
import type { GraphqlLimits } from "./graphql-limits.js"
import type { Pieces, SocketCall, WatchSessionEnds } from "./socket-protocol.js"

const GOING_AWAY = 1001
const TRY_AGAIN_LATER = 1013
const PING_WINDOW_MS = 1_000

/** The WebSockets of the GraphQL path. */
export interface SocketServer {
  /** Takes over a connection that asked to become a WebSocket on the GraphQL path. */
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Tells every client to go (1001) and resolves when the last has, at the latest after `graceMs`. */
  readonly close: (graceMs: number) => Promise<void>
}

export interface SocketServerOptions {
  readonly limits: GraphqlLimits
  readonly permits: Pick<StreamPermits, "takeFor">
  readonly watchSessionEnds: WatchSessionEnds
  readonly logger: Logger
}

/** Accepts WebSockets and feeds their messages to the GraphQL protocol, within the limits on sockets. */
export function createSocketServer(protocol: Server<SocketCall>, options: SocketServerOptions): SocketServer {
  const { limits, permits } = options
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.maxSocketMessageBytes,
    handleProtocols: (offered) => handleProtocols(offered),
  })
  server.on("connection", (socket, request) => {
    // Also for those that are turned away: without a listener, one frame that breaks the protocol would end the process.
    socket.on("error", (error) => options.logger.debug("a socket failed", { error: error.message }))
    try {
      socket.once("close", permits.takeFor(request))
    } catch (refusal) {
      if (!(refusal instanceof AppError)) throw refusal
      return socket.close(TRY_AGAIN_LATER, refusal.message)
    }
    attach(protocol, socket, request, options)
  })
  return {
    handleUpgrade: (request, socket, head) =>
      server.handleUpgrade(request, socket, head, (upgraded) => server.emit("connection", upgraded, request)),
    close: (graceMs) => closeAll(server, graceMs),
  }
}

function attach(
  protocol: Server<SocketCall>,
  socket: WebSocket,
  request: IncomingMessage,
  { limits, watchSessionEnds, logger }: SocketServerOptions,
): void {
  const joinWrites = createWriteJoiner(request.socket)
  const sendJoined = (pieces: Pieces): Promise<void> => {
    joinWrites()
    return send(socket, pieces)
  }
  const call: SocketCall = { socket, request, send: sendJoined, subscriber: null, hasKey: false }
  let authenticated = false
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (text) => sendJoined([text]),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (handle) =>
        socket.on("message", (data) => {
          const text = toText(data)
          if (!isWithinLimits(text, limits)) return socket.close(CloseCode.BadRequest, "Invalid message received")
          handle(text).then(
            () => {
              authenticated = true
            },
            (thrown: unknown) => {
              logger.warn("a socket message could not be handled", { err: thrown })
              socket.close(CloseCode.BadRequest, "Invalid message received")
            },
          )
        }),
      onPing: limitPings(socket, limits),
    },
    call,
  )
  const check = async (): Promise<void> => {
    if (authenticated && (await call.subscriber?.freshContext())?.authenticationFault === "invalid")
      socket.close(CloseCode.Forbidden, "Forbidden")
  }
  // A store that is down is no reason to throw clients out; the next check decides.
  const checkSoftly = (): void => void check().catch(() => undefined)
  const stopChecking = checkRegularly(socket, limits.socketCheckIntervalMs, checkSoftly)
  const stopWatching = watchSessionEnds(() => {
    if (call.subscriber?.isOfBrowser === true) checkSoftly()
  })
  const keyless = setTimeout(() => {
    if (!call.hasKey) socket.close(CloseCode.Unauthorized, "Unauthorized")
  }, limits.keylessSocketMs)
  socket.once("close", (code, reason) => {
    clearTimeout(keyless)
    stopChecking()
    stopWatching()
    closed(code, String(reason)).catch((thrown: unknown) =>
      logger.warn("a socket did not end cleanly", { err: thrown }),
    )
  })
}

const toText = (data: RawData): string =>
  Array.isArray(data) ? Buffer.concat(data).toString() : Buffer.from(data as ArrayBuffer).toString()

/** The protocol keeps ids as keys and echoes them, so a long one is refused before it is parsed further. */
function isWithinLimits(text: string, limits: GraphqlLimits): boolean {
  if (text.length <= limits.maxSubscriptionIdLength) return true
  try {
    const message: unknown = JSON.parse(text)
    const id = typeof message === "object" && message !== null ? Reflect.get(message, "id") : undefined
    return typeof id !== "string" || id.length <= limits.maxSubscriptionIdLength
  } catch {
    return false
  }
}

/** Sends the pieces as frames of one message; resolves once the last has left. */
const send = (socket: WebSocket, pieces: Pieces): Promise<void> =>
  new Promise((resolve, reject) => {
    if (socket.readyState !== socket.OPEN) return resolve()
    const last = pieces.length - 1
    for (const [at, piece] of pieces.entries())
      if (at < last) socket.send(piece, { binary: false, fin: false })
      else socket.send(piece, (error) => (error ? reject(error) : resolve()))
  })

/**
 * Lets what is sent in one turn of the event loop leave with one system call: a change that many subscriptions of a
 * socket wait for would otherwise cost one for each.
 */
function createWriteJoiner(connection: Duplex): () => void {
  let isJoining = false
  return () => {
    if (isJoining) return
    isJoining = true
    connection.cork()
    setImmediate(() => {
      isJoining = false
      connection.uncork()
    })
  }
}

function limitPings(socket: WebSocket, limits: GraphqlLimits) {
  let windowEndsAtMs = 0
  let pings = 0
  return async (payload: unknown): Promise<void> => {
    if (performance.now() > windowEndsAtMs) {
      windowEndsAtMs = performance.now() + PING_WINDOW_MS
      pings = 0
    }
    if (++pings > limits.maxPingsPerSecond)
      return socket.close(CloseCode.TooManyInitialisationRequests, "Too many pings")
    await send(socket, [JSON.stringify(payload === undefined ? { type: "pong" } : { type: "pong", payload })])
  }
}

/** Pings so that a dead peer is noticed, and runs `check`, so that a revoked key does not outlive its socket's quiet. */
function checkRegularly(socket: WebSocket, everyMs: number, check: () => void): () => void {
  let alive = true
  socket.on("pong", () => {
    alive = true
  })
  const timer = setInterval(() => {
    if (!alive) return socket.terminate()
    alive = false
    socket.ping()
    check()
  }, everyMs)
  return () => clearInterval(timer)
}

async function closeAll(server: WebSocketServer, graceMs: number): Promise<void> {
  // From now on upgrades are answered with 503.
  server.close()
  for (const socket of server.clients) socket.close(GOING_AWAY, "Going away")
  const ended = [...server.clients].map((socket) => new Promise((resolve) => socket.once("close", resolve)))
  const terminate = setTimeout(() => {
    for (const socket of server.clients) socket.terminate()
  }, graceMs)
  await Promise.all(ended)
  clearTimeout(terminate)
}
