import type { JsonObject } from "./json.js"
import type { Reply } from "./reply.js"

/** A request that a page of this server sends besides GraphQL. */
export interface BrowserRequest {
  /** Empty for a GET. */
  readonly body: JsonObject
  readonly query: URLSearchParams
  /** Value of a cookie; null when the browser sent none of this name. */
  readonly cookie: (name: string) => string | null
  /** The address that limits count by: the caller cannot choose it. */
  readonly senderIp: string
  /** What the browser says it is; empty when it says nothing. */
  readonly userAgent: string
  /** Address of the site, without a final slash. */
  readonly siteUrl: string
}

/**
 * A path for pages of this server alone, closed to those of every other site. Features state them, the transport answers
 * them.
 */
export interface BrowserRoute {
  /** POST takes a JSON object, and the header of `kernel/browser-session.ts`. */
  readonly method: "GET" | "POST"
  readonly path: string
  /** Rejects with AppError for a request that is refused. */
  readonly answer: (request: BrowserRequest) => Promise<Reply>
}
