import type { IncomingMessage, ServerResponse } from "node:http"
import { AppError } from "../../kernel/errors.js"
import { anyOriginHeaders } from "../cors.js"
import type { OnDefect } from "../graphql/present-graphql-error.js"
import type { HotHandler } from "../http-server.js"
import { toPublicFault } from "../public-fault.js"
import { sendReply, toErrorReply } from "../wire-reply.js"

/** One event of a stream as it goes over the wire. */
export interface ServerEvent {
  readonly id: string
  readonly event: string
  /** Sent as JSON. */
  readonly data: unknown
}

export interface EventStreamOptions {
  /** Path of the stream, without a final slash. */
  readonly path: string
  /** Opens the events for a query; throws AppError for a request that is refused. */
  readonly open: (query: URLSearchParams) => Promise<AsyncIterableIterator<ServerEvent>>
  readonly onDefect: OnDefect
  /** Proxies close what is silent for a minute. */
  readonly heartbeatMs?: number
  readonly maxStreams?: number
}

export interface EventStreams {
  /** Takes requests for the path and passes on all others. */
  readonly handle: HotHandler
  /** Ends every stream, so that clients connect to another process, and takes no new ones. */
  close(): void
}

const HEARTBEAT_MS = 15_000
const MAX_STREAMS = 10_000
const METHODS = "GET, HEAD, OPTIONS"
const STREAM_HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store",
  // Reverse proxies would else hold events back until a buffer is full.
  "X-Accel-Buffering": "no",
}

/** Makes server-sent events of one kind on one path, readable for pages of any origin. */
export function createEventStreams(options: EventStreamOptions): EventStreams {
  const { path, open, onDefect, heartbeatMs = HEARTBEAT_MS, maxStreams = MAX_STREAMS } = options
  const running = new Set<AsyncIterableIterator<ServerEvent>>()
  let isClosed = false

  const answer = async (request: IncomingMessage, response: ServerResponse, query: URLSearchParams): Promise<void> => {
    const headers = anyOriginHeaders(request.headers, METHODS)
    try {
      if (request.method === "OPTIONS")
        return sendReply(response, { status: 204, headers: { ...headers, Allow: METHODS } })
      if (request.method !== "GET" && request.method !== "HEAD") throw new AppError("method_not_allowed")
      if (isClosed || running.size >= maxStreams) throw new AppError("store_unavailable", { retryAfterSeconds: 2 })
      const events = await open(query)
      if (request.method === "HEAD") {
        await events.return?.()
        return sendReply(response, { status: 200, headers: { ...headers, ...STREAM_HEADERS } })
      }
      response.writeHead(200, { ...headers, ...STREAM_HEADERS })
      response.flushHeaders()
      running.add(events)
      await pump(events, response, heartbeatMs)
      running.delete(events)
      response.end()
    } catch (thrown) {
      const allow: Record<string, string> = request.method === "GET" ? {} : { Allow: METHODS }
      sendReply(response, toErrorReply(toPublicFault(thrown, onDefect), { ...headers, ...allow }))
    }
  }

  return {
    handle: (request, response) => {
      const url = request.url ?? ""
      const [asked = "", query] = url.split("?", 2)
      if (asked !== path && asked !== `${path}/`) return false
      void answer(request, response, new URLSearchParams(query))
      return true
    },
    close: () => {
      isClosed = true
      for (const events of running) void events.return?.()
    },
  }
}

/** Writes events until they end or the client leaves. One that reads too slowly gets the newest event when it catches up. */
async function pump(
  events: AsyncIterableIterator<ServerEvent>,
  response: ServerResponse,
  heartbeatMs: number,
): Promise<void> {
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(": still here\n\n")
  }, heartbeatMs)
  response.once("close", () => void events.return?.())
  try {
    for await (const { id, event, data } of events) {
      if (response.destroyed) break
      const isTaken = response.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      if (!isTaken) await drained(response)
    }
  } finally {
    clearInterval(heartbeat)
  }
}

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    response.once("drain", resolve).once("close", resolve)
  })
