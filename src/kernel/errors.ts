/**
 * The one table of request faults. A fault is something the caller did or must know about; expected outcomes
 * (a dropped event, a flag that did not match) are values instead, and anything else is a defect (see `toPublicError`).
 *
 * `status` is the HTTP status, `type` the family on the wire (`reference/management.md` 1.1), `wireCode` what REST
 * clients match on, `graphqlCode` what GraphQL clients match on, `detail` the default sentence.
 */
type Family =
  | "authentication_error"
  | "invalid_request"
  | "validation_error"
  | "throttled_error"
  | "server_error"
  | "quota_limit_exceeded"
  | "quota_limited"

interface ErrorRow {
  readonly status: number
  readonly type: Family
  readonly wireCode: string
  readonly graphqlCode: string
  readonly detail: string
}

const row = (status: number, type: Family, wireCode: string, graphqlCode: string, detail: string): ErrorRow => ({
  status,
  type,
  wireCode,
  graphqlCode,
  detail,
})

export const ERRORS = {
  not_authenticated: row(
    401,
    "authentication_error",
    "not_authenticated",
    "UNAUTHENTICATED",
    "Authentication credentials were not provided.",
  ),
  authentication_failed: row(
    401,
    "authentication_error",
    "authentication_failed",
    "UNAUTHENTICATED",
    "Personal API key found in request Authorization header is invalid.",
  ),
  no_project_key: row(
    401,
    "authentication_error",
    "no_api_key",
    "UNAUTHENTICATED",
    "No project API key was sent: the request came without an api_key. Put it in the body as api_key.",
  ),
  invalid_project_key: row(
    401,
    "authentication_error",
    "invalid_api_key",
    "UNAUTHENTICATED",
    "The project API key is not valid. It begins with phc_ and is found in the project settings.",
  ),
  permission_denied: row(
    403,
    "authentication_error",
    "permission_denied",
    "FORBIDDEN",
    "You do not have permission to perform this action.",
  ),
  not_found: row(404, "invalid_request", "not_found", "NOT_FOUND", "Not found."),
  gone: row(410, "invalid_request", "gone", "GONE", "It was here and has been deleted for good."),
  method_not_allowed: row(405, "invalid_request", "method_not_allowed", "METHOD_NOT_ALLOWED", "Method not allowed."),
  not_acceptable: row(
    406,
    "invalid_request",
    "not_acceptable",
    "NOT_ACCEPTABLE",
    "Could not satisfy the request Accept header.",
  ),
  conflict: row(409, "validation_error", "conflict", "CONFLICT", "The resource was changed by somebody else."),
  parse_error: row(400, "invalid_request", "parse_error", "BAD_USER_INPUT", "JSON parse error."),
  malformed_data: row(400, "validation_error", "malformed_data", "BAD_USER_INPUT", "Malformed request data."),
  missing_distinct_id: row(
    400,
    "validation_error",
    "missing_distinct_id",
    "BAD_USER_INPUT",
    "You need to set distinct_id.",
  ),
  unsupported_media_type: row(
    415,
    "invalid_request",
    "unsupported_media_type",
    "BAD_USER_INPUT",
    "Unsupported media type in request.",
  ),
  payload_too_large: row(
    413,
    "invalid_request",
    "payload_too_large",
    "PAYLOAD_TOO_LARGE",
    "The request body is larger than this endpoint accepts.",
  ),
  invalid_input: row(400, "validation_error", "invalid_input", "BAD_USER_INPUT", "Invalid input."),
  required: row(400, "validation_error", "required", "BAD_USER_INPUT", "This field is required."),
  blank: row(400, "validation_error", "blank", "BAD_USER_INPUT", "This field may not be blank."),
  null: row(400, "validation_error", "null", "BAD_USER_INPUT", "This field may not be null."),
  max_length: row(400, "validation_error", "max_length", "BAD_USER_INPUT", "Ensure this field is short enough."),
  invalid_choice: row(400, "validation_error", "invalid_choice", "BAD_USER_INPUT", "Not a valid choice."),
  unique: row(400, "validation_error", "unique", "BAD_USER_INPUT", "This value is already taken."),
  does_not_exist: row(400, "validation_error", "does_not_exist", "BAD_USER_INPUT", "Object does not exist."),
  hogql_syntax_error: row(400, "validation_error", "hogql_syntax_error", "QUERY_REJECTED", "Syntax error."),
  hogql_query_error: row(400, "validation_error", "hogql_query_error", "QUERY_REJECTED", "The query is not valid."),
  query_timeout: row(
    504,
    "server_error",
    "query_timeout",
    "QUERY_TIMEOUT",
    "Query has hit the max execution time before completing.",
  ),
  query_cancelled: row(400, "invalid_request", "query_cancelled", "QUERY_CANCELLED", "The query was cancelled."),
  query_memory_limit: row(
    400,
    "validation_error",
    "memory_limit_exceeded",
    "QUERY_REJECTED",
    "The query needs more memory than a query may use.",
  ),
  cost_limit: row(400, "validation_error", "cost_limit", "COST_LIMIT", "The operation costs more than is allowed."),
  quota_limited: row(
    402,
    "quota_limited",
    "payment_required",
    "QUOTA_LIMITED",
    "The organization has used up its flag requests of this month.",
  ),
  flag_rate_limited: row(
    429,
    "validation_error",
    "rate_limit_exceeded",
    "RATE_LIMITED",
    "Too many flag requests were sent in this minute.",
  ),
  rate_limited: row(429, "throttled_error", "throttled", "RATE_LIMITED", "Request was throttled."),
  store_unavailable: row(
    503,
    "server_error",
    "store_unavailable",
    "STORE_UNAVAILABLE",
    "A store is not available just now. Please retry.",
  ),
  internal_error: row(500, "server_error", "error", "INTERNAL", "A server error occurred."),
} as const satisfies Record<string, ErrorRow>

/** Every fault the wire can show. Adding one without a row does not compile. */
export type ErrorCode = keyof typeof ERRORS

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
  const known = ERRORS[code]
  return {
    code,
    status: known.status,
    type: known.type,
    wireCode: details.wireCode ?? known.wireCode,
    graphqlCode: known.graphqlCode,
    detail: details.detail ?? known.detail,
    attr: details.attr ?? null,
    ...(details.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: details.retryAfterSeconds }),
    ...(details.rateLimit === undefined ? {} : { rateLimit: details.rateLimit }),
    ...(details.extra === undefined ? {} : { extra: details.extra }),
  }
}

/** The wire body of every error answer, capture and decide included (`decisions.md`, "wire error body"). */
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
