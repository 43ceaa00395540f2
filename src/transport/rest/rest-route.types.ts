import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import type { Awaitable } from "../../kernel/awaitable.js"
import type { Json } from "../../kernel/json.js"
import type { ServerSentEvent } from "../realtime/server-sent-events.js"
import type { WireReply } from "../wire/wire-reply.js"

/** Methods that rows may have. */
export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"

/** A JSON Schema, as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A query parameter as the OpenAPI document describes it. */
export interface QueryParameterDoc {
  readonly name: string
  readonly description: string
  readonly schema: JsonSchema
}

/** What the OpenAPI document says of a row. */
export interface RouteDoc {
  readonly summary: string
  /** Where the path is laid down. */
  readonly source: string
  readonly query?: readonly QueryParameterDoc[]
  readonly requestSchema?: JsonSchema
  /** Every property named in it is always there, unless it says `required` itself. */
  readonly responseSchema?: JsonSchema
  /** Media types that the answer may have, instead of JSON or besides it when there is a `responseSchema`. */
  readonly alsoAs?: readonly string[]
  /** Statuses that come with the error body and that not every row answers with. */
  readonly faults?: readonly number[]
}

interface RouteHead {
  /** Stable name: metrics label, log field and OpenAPI operationId. */
  readonly id: string
  readonly method: Method
  /** Segments that begin with `:` are parameters; a final slash is optional on the wire. */
  readonly path: string
  /** Other ways to write the path, besides those that every path of a project has. */
  readonly alsoAt?: readonly string[]
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
export interface OperationRoute<Data = unknown, Variables = unknown> extends RouteHead {
  readonly target: "operation"
  /** For the documentation; the operation's own guard checks it. Null when every valid key will do. */
  readonly scope: string | null
  /**
   * `json-or-form` takes the fields of `multipart/form-data` too, `json-or-csv` besides them a `text/csv` of distinct ids.
   */
  readonly body: "none" | "json" | "json-or-csv" | "json-or-form"
  readonly operation: string
  readonly variables: (request: RestRequest) => Variables
  readonly reply: (data: Data, request: RestRequest) => WireReply
}

/** Follows a constant GraphQL subscription as server-sent events. Both functions are pure. */
export interface EventsRoute<Data = unknown, Variables = unknown> extends RouteHead {
  readonly target: "events"
  readonly scope: string
  readonly operation: string
  readonly variables: (request: RestRequest) => Variables
  readonly event: (data: Data) => ServerSentEvent
}

/** Checks key, project and scope and then answers bytes that a use case makes, while it makes them. */
export interface DownloadRoute<Variables = unknown> extends RouteHead {
  readonly target: "download"
  readonly scope: string
  /** Name of the use case. */
  readonly download: string
  readonly variables: (request: RestRequest) => Variables
}

/** Checks key, project and scope and then answers the same to everybody. */
export interface GuardedRoute extends RouteHead {
  readonly target: "guarded"
  readonly scope: string
  readonly reply: () => WireReply
}

/** What only somebody who is logged in may do: refused to every key, whatever its scopes (`reference/management.md` 1.2). */
export interface RefusedRoute extends RouteHead {
  readonly target: "refused"
}

/** A hot path: the handler gets the bytes. Open to every origin. */
export interface DirectRoute extends RouteHead {
  readonly target: "direct"
  readonly handler: keyof DirectHandlers
  /** What kind of request the path stands for, told to the handler. */
  readonly surface: Surface
  /** Of the body as it arrives. */
  readonly maxBytes: number
}

/** `config` and `config-script` are the two files that browser SDKs load before anything else. */
export type Surface =
  | "event"
  | "legacy-event"
  | "engage"
  | "replay"
  | "v1"
  | "ai"
  | "decide"
  | "flags"
  | "config"
  | "config-script"
  | "ofrep"
  | "early-access-features"
  | "surveys"
  | "web-experiments"
  | "product-tours"

/** A row of the REST table. */
export type RestRoute = OperationRoute | EventsRoute | DownloadRoute | GuardedRoute | RefusedRoute | DirectRoute

/** What a handler of a hot path gets. The body is as it came: still compressed, still encoded. */
export interface DirectCall {
  readonly surface: Surface
  readonly method: Method
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly request: IncomingMessage
}

/** Answers a capture request; throws AppError for faults of the envelope. */
export type CaptureHandler = (call: DirectCall) => Awaitable<WireReply>
/** Answers `/decide` and `/flags`, evaluating only for POST. */
export type DecideHandler = (call: DirectCall) => Awaitable<WireReply>
/** Answers `/array/:token/config` and `config.js`; throws AppError not_found for an unknown token. */
export type ConfigHandler = (call: DirectCall) => Awaitable<WireReply>

/** Answers OpenFeature's remote evaluation protocol, for one flag when the path names it. */
export type OfrepHandler = (call: DirectCall) => Awaitable<WireReply>
/** Answers a list that browser SDKs load, to whoever has a project key; empty where there is nothing of the kind here. */
export type BrowserListHandler = (call: DirectCall) => Awaitable<WireReply>

/** The handlers of the hot paths, by the names that rows use. */
export interface DirectHandlers {
  readonly capture: CaptureHandler
  readonly decide: DecideHandler
  readonly config: ConfigHandler
  readonly ofrep: OfrepHandler
  readonly browserList: BrowserListHandler
}
