import type { IncomingMessage, ServerResponse } from "node:http"
import { AppError } from "../../kernel/errors.js"
import type { HotHandler } from "../http-server.js"
import type { StreamPermits } from "../stream-permits.js"
import { anyOriginHeaders } from "../wire/cors.js"
import { type OnDefect, toPublicFault } from "../wire/public-fault.js"
import { sendReply, toErrorReply } from "../wire/send-reply.js"
import { type ServerSentEvent, sendEvents } from "./server-sent-events.js"

export interface EventStreamsOptions {
  /** Path of the stream, without a final slash. */
  readonly path: string
  /** Opens the events for a query of a request; throws AppError for a request that is refused. */
  readonly open: (query: URLSearchParams, request: IncomingMessage) => Promise<AsyncIterableIterator<ServerSentEvent>>
  readonly permits: Pick<StreamPermits, "takeFor">
  readonly onDefect: OnDefect
}

/** Streams of server-sent events on one path. */
export interface EventStreams {
  /** Takes requests for the path and passes on all others. */
  readonly handle: HotHandler
  /** Ends every stream, so that clients connect to another process, and takes no new ones. */
  close(): void
}

const RETRY_AFTER_SECONDS = 2
const METHODS = "GET, HEAD, OPTIONS"

/** Makes server-sent events of one kind on one path, open to pages of any origin: the project key is the credential. */
export function createEventStreams({ path, open, permits, onDefect }: EventStreamsOptions): EventStreams {
  const closing = new AbortController()

  const stream = async (response: ServerResponse, query: URLSearchParams, headers: Record<string, string>) => {
    const events = await open(query, response.req)
    const first = await events.next()
    if (first.done) throw new AppError("store_unavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS })
    const gone = new AbortController()
    response.once("close", () => gone.abort())
    if (response.destroyed) gone.abort()
    await sendEvents(response, first.value, events, { headers, signal: AbortSignal.any([gone.signal, closing.signal]) })
  }

  const answer = async (request: IncomingMessage, response: ServerResponse, query: URLSearchParams): Promise<void> => {
    const { method } = request
    const headers = anyOriginHeaders(request.headers, METHODS)
    try {
      if (method === "OPTIONS") return sendReply(response, { status: 204, headers: { ...headers, Allow: METHODS } })
      if (method !== "GET" && method !== "HEAD") throw new AppError("method_not_allowed")
      if (closing.signal.aborted) throw new AppError("store_unavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS })
      const giveBack = permits.takeFor(request)
      try {
        // Node leaves the events out of an answer to HEAD; it would only wait for them.
        if (method === "GET") await stream(response, query, headers)
        else await refuseOrShow(query, request)
      } finally {
        giveBack()
      }
      sendReply(response, { status: 200, headers })
    } catch (thrown) {
      const allow: Record<string, string> = method === "GET" ? {} : { Allow: METHODS }
      sendReply(response, toErrorReply(toPublicFault(thrown, onDefect), { ...headers, ...allow }))
    }
  }

  const refuseOrShow = async (query: URLSearchParams, request: IncomingMessage): Promise<void> => {
    await (await open(query, request)).return?.()
  }

  return {
    handle: (request, response) => {
      const [asked = "", query] = (request.url ?? "").split("?", 2)
      if (asked !== path && asked !== `${path}/`) return false
      void answer(request, response, new URLSearchParams(query))
      return true
    },
    close: () => closing.abort(),
  }
}
