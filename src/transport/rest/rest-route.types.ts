import type { IncomingHttpHeaders } from "node:http"
import type { DirectRoute, Method, RouteDoc } from "../../kernel/direct-route.types.js"
import type { Json } from "../../kernel/json.js"
import type { Reply } from "../../kernel/reply.js"
import type { ServerSentEvent } from "../realtime/server-sent-events.js"

/** What every row of the table says of itself. */
export interface RouteHead {
  /** Stable name: metrics label, log field and OpenAPI operationId. */
  readonly id: string
  readonly method: Method
  /** Segments that begin with `:` are parameters; a final slash is optional on the wire. */
  readonly path: string
  /** Other ways to write the path, besides those that every path of a project has. */
  readonly alsoAt?: readonly string[]
  /** For the documentation; the operation's own guard checks it. Null when every valid key will do, or none is asked for. */
  readonly scope: string | null
  /** Statuses the row itself answers with; faults of the error table come on top. */
  readonly statuses: readonly number[]
  readonly doc: RouteDoc
}

/** A management request, decoded; everything a row may look at. */
export interface RestRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** Parsed JSON; `{}` when there was no body. */
  readonly body: Json
  /** Path as sent, without the query. */
  readonly path: string
  /** Scheme, host and port of absolute links. */
  readonly baseUrl: string
  /** Milliseconds since the epoch, for relative dates. */
  readonly receivedAtMs: number
}

/** Runs a constant GraphQL operation. Both functions are pure. */
export interface OperationRoute<Data = unknown> extends RouteHead {
  readonly target: "operation"
  /**
   * `json-or-form` takes the fields of `multipart/form-data` too, `json-or-csv` besides them a `text/csv` of distinct ids.
   */
  readonly body: "none" | "json" | "json-or-csv" | "json-or-form"
  /** Names of the fields that its bodies may have. */
  readonly bodyFields: readonly string[]
  readonly operation: string
  readonly variables: (request: RestRequest) => Readonly<Record<string, unknown>>
  readonly reply: (data: Data, request: RestRequest) => Reply
}

/** Follows a constant GraphQL subscription as server-sent events. Both functions are pure. */
export interface EventsRoute<Data = unknown> extends RouteHead {
  readonly target: "events"
  readonly operation: string
  readonly variables: (request: RestRequest) => Readonly<Record<string, unknown>>
  readonly event: (data: Data) => ServerSentEvent
}

/** Checks key, project and scope and then answers bytes that a use case makes, while it makes them. */
export interface DownloadRoute extends RouteHead {
  readonly target: "download"
  /** Name of the use case. */
  readonly download: string
  /** Names of the fields that its bodies may have. */
  readonly bodyFields: readonly string[]
  readonly variables: (request: RestRequest) => Readonly<Record<string, unknown>>
}

/** Checks key, project and scope and then answers the same to everybody. */
export interface GuardedRoute extends RouteHead {
  readonly target: "guarded"
  readonly reply: () => Reply
}

/**
 * What only somebody who is logged in may do: refused to every key, whatever its scopes
 * (`docs/contract/management.md#exact-answers`).
 */
export interface RefusedRoute extends RouteHead {
  readonly target: "refused"
}

/** A method of a hot path that a feature states. Open to every origin. */
export interface DirectRow extends RouteHead {
  readonly target: "direct"
  readonly route: DirectRoute
}

/** A row of the REST table. */
export type RestRoute = OperationRoute | EventsRoute | DownloadRoute | GuardedRoute | RefusedRoute | DirectRow
