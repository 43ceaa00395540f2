/**
 * The one table of request faults. A fault is something the caller did or must know about; expected outcomes
 * (a dropped event, a flag that did not match) are values instead, and anything else is a defect (see `toPublicError`).
 */
type Family =
  | "authentication_error"
  | "invalid_request"
  | "validation_error"
  | "throttled_error"
  | "server_error"
  | "quota_limited"

/** What GraphQL clients match on: `extensions.code` of an error, and what it says. */
export const GRAPHQL_CODES = {
  UNAUTHENTICATED: "No key was sent, or one that is not valid.",
  FORBIDDEN: "The key may not do this.",
  NOT_FOUND: "There is no such thing, or it belongs to another project.",
  GONE: "It was here and has been deleted for good.",
  METHOD_NOT_ALLOWED: "Not by this HTTP method: changes are sent by POST.",
  NOT_ACCEPTABLE: "None of the media types that were asked for can be had.",
  CONFLICT: "It was changed by somebody else meanwhile.",
  PAYLOAD_TOO_LARGE: "The request is larger than it may be.",
  BAD_USER_INPUT: "A field breaks a rule; `attr` names it.",
  PERSISTED_QUERY_NOT_FOUND: "The document is not known by this name; send its text.",
  QUERY_REJECTED: "The query is not valid, or reads or answers too much.",
  QUERY_TIMEOUT: "The query took longer than it may.",
  QUERY_CANCELLED: "The query was cancelled.",
  COST_LIMIT: "The document is larger, deeper or dearer than it may be.",
  QUOTA_LIMITED: "The organization has used up its quota.",
  RATE_LIMITED: "Too many requests; `retryAfterSeconds` says when to come again.",
  STORE_UNAVAILABLE: "A store is away; `retryAfterSeconds` says when to come again.",
  OVERLOADED: "The server has too much to do; `retryAfterSeconds` says when to come again.",
  INTERNAL: "A defect; `error_id` is its place in the log.",
} as const

interface ErrorRow {
  /** The HTTP status. */
  readonly status: number
  /** The family on the wire (`docs/contract/management.md#error-body`). */
  readonly type: Family
  readonly graphqlCode: keyof typeof GRAPHQL_CODES
  /** The sentence where no other is given. */
  readonly detail: string
  /** What REST clients match on; the code itself when absent. */
  readonly wireCode?: string
}

/** @param wireCode the code itself when absent. */
const row = (
  status: number,
  type: Family,
  graphqlCode: ErrorRow["graphqlCode"],
  detail: string,
  wireCode?: string,
): ErrorRow => ({
  status,
  type,
  graphqlCode,
  detail,
  ...(wireCode && { wireCode }),
})
const unauthenticated = (detail: string, wireCode?: string): ErrorRow =>
  row(401, "authentication_error", "UNAUTHENTICATED", detail, wireCode)
const badField = (detail: string): ErrorRow => row(400, "validation_error", "BAD_USER_INPUT", detail)
const badQuery = (detail: string, wireCode?: string): ErrorRow =>
  row(400, "validation_error", "QUERY_REJECTED", detail, wireCode)

export const ERRORS = {
  not_authenticated: unauthenticated("Authentication credentials were not provided."),
  authentication_failed: unauthenticated("Personal API key found in request Authorization header is invalid."),
  no_project_key: unauthenticated(
    "No project API key was sent: the request came without an api_key. Put it in the body as api_key.",
    "no_api_key",
  ),
  invalid_project_key: unauthenticated(
    "The project API key is not valid. It begins with phc_ and is found in the project settings.",
    "invalid_api_key",
  ),
  permission_denied: row(
    403,
    "authentication_error",
    "FORBIDDEN",
    "You do not have permission to perform this action.",
  ),
  not_found: row(404, "invalid_request", "NOT_FOUND", "Not found."),
  gone: row(410, "invalid_request", "GONE", "It was here and has been deleted for good."),
  method_not_allowed: row(405, "invalid_request", "METHOD_NOT_ALLOWED", "Method not allowed."),
  not_acceptable: row(406, "invalid_request", "NOT_ACCEPTABLE", "Could not satisfy the request Accept header."),
  approval_required: row(
    409,
    "validation_error",
    "CONFLICT",
    "The change is not made yet: a second person has to approve it.",
  ),
  conflict: row(409, "validation_error", "CONFLICT", "The resource was changed by somebody else."),
  unsupported_media_type: row(415, "invalid_request", "BAD_USER_INPUT", "Unsupported media type in request."),
  payload_too_large: row(
    413,
    "invalid_request",
    "PAYLOAD_TOO_LARGE",
    "The request body is larger than this endpoint accepts.",
  ),
  // Clients that name documents look for it in answers of status 200 only.
  persisted_query_not_found: row(200, "invalid_request", "PERSISTED_QUERY_NOT_FOUND", "PersistedQueryNotFound"),
  parse_error: row(400, "invalid_request", "BAD_USER_INPUT", "JSON parse error."),
  malformed_data: badField("Malformed request data."),
  missing_distinct_id: badField("You need to set distinct_id."),
  invalid_input: badField("Invalid input."),
  required: badField("This field is required."),
  blank: badField("This field may not be blank."),
  null: badField("This field may not be null."),
  max_length: badField("Ensure this field is short enough."),
  invalid_choice: badField("Not a valid choice."),
  unique: badField("This value is already taken."),
  does_not_exist: badField("Object does not exist."),
  hogql_syntax_error: badQuery("Syntax error."),
  hogql_query_error: badQuery("The query is not valid."),
  query_memory_limit: badQuery("The query needs more memory than a query may use.", "memory_limit_exceeded"),
  result_too_large: badQuery("The result is larger than 20 MB. Ask for fewer rows or columns, or export the query."),
  query_timeout: row(504, "server_error", "QUERY_TIMEOUT", "Query has hit the max execution time before completing."),
  query_cancelled: row(400, "invalid_request", "QUERY_CANCELLED", "The query was cancelled."),
  cost_limit: row(400, "validation_error", "COST_LIMIT", "The operation costs more than is allowed."),
  quota_limited: row(
    402,
    "quota_limited",
    "QUOTA_LIMITED",
    "The organization has used up its flag requests of this month.",
    "payment_required",
  ),
  flag_rate_limited: row(
    429,
    "validation_error",
    "RATE_LIMITED",
    "Too many flag requests were sent in this minute.",
    "rate_limit_exceeded",
  ),
  rate_limited: row(429, "throttled_error", "RATE_LIMITED", "Request was throttled.", "throttled"),
  store_unavailable: row(503, "server_error", "STORE_UNAVAILABLE", "A store is not available just now. Please retry."),
  overloaded: row(503, "server_error", "OVERLOADED", "The server has too much to do just now. Please retry."),
  internal_error: row(500, "server_error", "INTERNAL", "A server error occurred.", "error"),
} as const satisfies Record<string, ErrorRow>

/** Every fault the wire can show. Adding one without a row does not compile. */
export type ErrorCode = keyof typeof ERRORS

const GRAPHQL_CODES_OF_WIRE = new Map(
  Object.entries<ErrorRow>(ERRORS).map(([code, { wireCode = code, graphqlCode }]) => [wireCode, graphqlCode]),
)

/** What GraphQL calls a fault of which the wire code is kept; a code of the engine is one about the input. */
export const toGraphqlCode = (wireCode: string): ErrorRow["graphqlCode"] =>
  GRAPHQL_CODES_OF_WIRE.get(wireCode) ?? ERRORS.invalid_input.graphqlCode

/** How much of a limit is left, and when it starts over. */
export interface RateLimitState {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

/** What one fault says beyond its row of the table. */
export interface ErrorDetails {
  /** Sentence for a person; names the field and the rule. Falls back to the row's sentence. */
  readonly detail?: string
  /** Field at fault, nested names joined with two underscores; null for the request as a whole. */
  readonly attr?: string | null
  /** Overrides the row's wire code, for codes that come from the ClickHouse engine. */
  readonly wireCode?: string
  /** Seconds after which a retry makes sense; becomes `Retry-After`. */
  readonly retryAfterSeconds?: number
  /** Becomes the `RateLimit-…` headers. */
  readonly rateLimit?: RateLimitState
  /** Machine-readable extras (query positions, cost and limit). */
  readonly extra?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** A request fault. Thrown by use cases, turned into an answer at the edge by `toPublicError`. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(details.detail ?? ERRORS[code].detail, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = "AppError"
    this.code = code
    this.details = details
  }
}

/** What was looked up. @throws AppError not_found when there is none. */
export function orNotFound<Value>(found: Value | null, detail?: string): Value {
  if (found === null) throw new AppError("not_found", detail === undefined ? {} : { detail })
  return found
}

/** What a caller may see of a fault or a defect, whatever the protocol. */
export interface PublicError {
  readonly code: ErrorCode
  readonly status: number
  readonly type: string
  readonly wireCode: string
  readonly graphqlCode: string
  readonly detail: string
  readonly attr: string | null
  readonly retryAfterSeconds?: number
  readonly rateLimit?: RateLimitState
  readonly extra?: Readonly<Record<string, unknown>>
}

/**
 * Turns anything thrown into what the caller may see; never throws itself.
 * A defect is hidden behind `internal_error` and handed to `onDefect`, which logs it and returns the error id shown.
 */
export function toPublicError(thrown: unknown, onDefect: (thrown: unknown) => string): PublicError {
  if (thrown instanceof AppError) return describe(thrown.code, thrown.details)
  return describe("internal_error", { extra: { error_id: onDefect(thrown) } })
}

function describe(code: ErrorCode, details: ErrorDetails): PublicError {
  const known: ErrorRow = ERRORS[code]
  return {
    code,
    status: known.status,
    type: known.type,
    wireCode: details.wireCode ?? known.wireCode ?? code,
    graphqlCode: known.graphqlCode,
    detail: details.detail ?? known.detail,
    attr: details.attr ?? null,
    ...(details.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: details.retryAfterSeconds }),
    ...(details.rateLimit === undefined ? {} : { rateLimit: details.rateLimit }),
    ...(details.extra === undefined ? {} : { extra: details.extra }),
  }
}

/** The wire body of every error answer, capture and decide included (`docs/contract/management.md#error-body`). */
export function toWireErrorBody(error: PublicError): Record<string, unknown> {
  return {
    type: error.type,
    code: error.wireCode,
    detail: error.detail,
    attr: error.attr,
    ...(error.extra === undefined ? {} : { extra: error.extra }),
  }
}

/** Closes a switch over a union: a new member does not compile until it is handled. */
export function assertNever(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`)
}
