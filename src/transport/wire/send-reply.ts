import type { IncomingMessage, ServerResponse } from "node:http"
import { type PublicError, type RateLimitState, toWireErrorBody } from "../../kernel/errors.js"
import type { Reply } from "../../kernel/reply.js"

/** More than this of an unread body is not worth reading only to keep a connection. */
const MAX_DRAINED_BYTES = 64 * 1024
/** A client that is still sending has this long to read its answer before the connection goes. */
const LINGER_MS = 2_000

/** Sends an answer with its own headers and the `added` ones; for HEAD requests node leaves the body out by itself. */
export function sendReply(response: ServerResponse, reply: Reply, added: Reply["headers"] = {}): void {
  if (response.headersSent || response.destroyed) return
  const text = reply.body instanceof Uint8Array ? reply.body : toBodyText(reply.body)
  const headers: Record<string, string | number> = { ...added, ...reply.headers }
  if (text.length > 0 && headers["Content-Type"] === undefined) headers["Content-Type"] = "application/json"
  const isCut = hasUnreadBody(response.req)
  if (isCut) headers.Connection = "close"
  if (reply.status !== 204 && reply.status !== 304) headers["Content-Length"] = Buffer.byteLength(text)
  response.writeHead(reply.status, headers)
  if (!isCut) return void response.end(text)
  response.flushHeaders()
  if (text.length > 0) response.write(text)
  endOnceUnread(response)
}

/** The body of an answer as text: text as it is, anything else as JSON, and none as an empty one. */
export function toBodyText(body: unknown): string {
  if (body === undefined) return ""
  return typeof body === "string" ? body : JSON.stringify(body)
}

/**
 * Ends an answer that was written in the middle of a request. A connection that is closed with bytes unread is reset, and
 * the client then sees no answer at all (RFC 9112 section 9.6); so what still comes is thrown away for a while.
 */
function endOnceUnread(response: ServerResponse): void {
  const { req: request } = response
  const timer = setTimeout(() => response.end(), LINGER_MS)
  request.once("end", () => response.end())
  response.once("close", () => clearTimeout(timer))
  request.resume()
}

/**
 * Whether so much of a request is still to come that its connection has to end with the answer. Node reads and drops the
 * rest of a small one by itself.
 */
function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > MAX_DRAINED_BYTES
}

/** The answer to a fault on every path but GraphQL: the four-key body and the headers that belong to the status. */
export function toErrorReply(error: PublicError, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status: error.status,
    headers: {
      ...headers,
      ...(error.status === 401 ? { "WWW-Authenticate": "Bearer" } : {}),
      ...(error.retryAfterSeconds === undefined ? {} : { "Retry-After": String(Math.ceil(error.retryAfterSeconds)) }),
      ...(error.rateLimit === undefined ? {} : rateLimitHeaders(error.rateLimit)),
    },
    body: toWireErrorBody({ ...error, attr: error.attr === null ? null : toSnakeCase(error.attr) }),
  }
}

const rateLimitHeaders = ({ limit, remaining, resetSeconds }: RateLimitState): Record<string, string> => ({
  "RateLimit-Limit": String(limit),
  "RateLimit-Remaining": String(remaining),
  "RateLimit-Reset": String(resetSeconds),
})

/** Use cases name a field as GraphQL does; on this wire it is `derived_name`, not `derivedName`. */
const toSnakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
