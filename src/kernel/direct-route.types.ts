import type { Awaitable } from "./awaitable.js"
import type { AppError } from "./errors.js"
import type { Json } from "./json.js"
import type { JsonSchema } from "./json-schema.js"
import type { Reply } from "./reply.js"
import type { RequestHeaders } from "./request-headers.js"

/** Methods that routes may have. */
export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"

/** A query parameter, or a header, as the OpenAPI document describes it. */
export interface QueryParameterDoc {
  readonly name: string
  readonly description: string
  readonly schema: JsonSchema
}

/** What the OpenAPI document says of a route. */
export interface RouteDoc {
  readonly summary: string
  /** Where the path is laid down: page and heading of `docs/contract`. */
  readonly source: string
  readonly query?: readonly QueryParameterDoc[] | undefined
  /** Headers that a request must have, besides the usual ones. */
  readonly headers?: readonly QueryParameterDoc[] | undefined
  readonly requestSchema?: JsonSchema | undefined
  /** A body that fits it. */
  readonly example?: unknown
  /** Every property named in it is always there, unless it says `required` itself. */
  readonly responseSchema?: JsonSchema | undefined
  /** Media types that the answer may have, instead of JSON or besides it when there is a `responseSchema`. */
  readonly alsoAs?: readonly string[] | undefined
  /** Statuses that come with the error body and that not every route answers with. */
  readonly faults?: readonly number[] | undefined
}

/**
 * How the body of a route is decoded: all take JSON in whatever of the known ways it is packed
 * (`docs/contract/capture.md#decoding`).
 */
export interface BodyRules {
  /** Of the body as it arrives, and once more of what it unpacks to. */
  readonly maxBytes: number
  /**
   * On capture's older paths a client may wrap the decompressed text in base64 once more
   * (`docs/contract/capture.md#decoding`).
   */
  readonly legacyBase64Unwrap?: boolean
  /** Numbers that JSON has no word for become null and damaged UTF-8 is replaced, as clients of flags rely on. */
  readonly lenientText?: boolean
  /** A media type or a compression that no client of flags has is refused, to tell whoever wrote the request. */
  readonly refusesUnknownTypes?: boolean
}

/** A decoded body, and what its text shows of every string in it without a look at any of them. */
export interface DecodedText {
  readonly json: Json
  /** The JSON text as UTF-8. */
  readonly bytes: Buffer
  /** Whether anything is written as `\u`. Where nothing is, no text can hold NUL or a lone surrogate. */
  readonly hasUnicodeEscapes: boolean
  /**
   * False where a number is beyond what a double holds, for large bodies, which are not looked through, and where an id was
   * written as a number with more digits than a double has, because that is a text in `json`.
   */
  readonly hasOnlyFiniteNumbers: boolean
}

/** A request of a hot path whose body, if it has one, is not decoded yet. */
export interface DirectHead {
  readonly method: Method
  readonly params: Readonly<Record<string, string>>
  /** Requests with the same short query share one object. */
  readonly query: URLSearchParams
  readonly headers: RequestHeaders
  /** The address that the request is made for. */
  readonly clientIp: string
  /** The address that it came from, whatever it says it is made for. */
  readonly senderIp: string
  /** Milliseconds since the epoch. */
  readonly receivedAtMs: number
}

/** A request of a hot path whose body has been decoded. */
export interface DirectCall extends DirectHead {
  readonly text: DecodedText
}

/**
 * A hot path: it calls its feature without GraphQL in between (decision 0004) and is open to every origin. Features state
 * them, the REST runner answers them.
 */
export interface DirectRoute {
  /** Segments that begin with `:` are parameters; a final slash is optional on the wire. */
  readonly path: string
  /** OPTIONS is answered on every path. */
  readonly methods: readonly Method[]
  /** Null for a path that takes none; its text is then null too. */
  readonly body: BodyRules | null
  /** Statuses the route itself answers with; faults of the error table come on top. */
  readonly statuses: readonly number[]
  readonly doc: RouteDoc
  /** Refuses a request by its head, before its body is decoded: throws AppError, or answers; null to go on. */
  readonly admit?: (head: DirectHead) => Reply | null
  /** Answers instead of the usual error body when the body cannot be decoded. */
  readonly answerUndecodable?: (fault: AppError, head: DirectHead) => Awaitable<Reply>
  /** Throws AppError, or rejects with it, for a request that is refused. */
  readonly answer: (call: DirectCall) => Awaitable<Reply>
}
