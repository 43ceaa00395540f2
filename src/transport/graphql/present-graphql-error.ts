import { GraphQLError, type GraphQLFormattedError } from "graphql"
import type { AppError, PublicError } from "../../kernel/errors.js"
import { type OnDefect, toPublicFault } from "../wire/public-fault.js"

/** Faults of the request that graphql-js and Apollo find themselves; their sentences name what is wrong. */
const REQUEST_FAULT_CODES: readonly unknown[] = [
  "GRAPHQL_PARSE_FAILED",
  "GRAPHQL_VALIDATION_FAILED",
  "OPERATION_RESOLUTION_FAILURE",
  "PERSISTED_QUERY_NOT_SUPPORTED",
  "BAD_REQUEST",
  "BAD_USER_INPUT",
]

/**
 * The one presenter of GraphQL errors, for HTTP and for sockets. An AppError shows its code, attr and extras; a fault
 * of the request shows its sentence; anything else is a defect and shows only the id of its log entry.
 */
export function presentGraphqlError(error: GraphQLError, code: unknown, onDefect: OnDefect): GraphQLFormattedError {
  const place = {
    ...(error.locations ? { locations: error.locations } : {}),
    ...(error.path ? { path: error.path } : {}),
  }
  const thrown = findCause(error)
  if (thrown instanceof GraphQLError && REQUEST_FAULT_CODES.includes(code))
    return { message: error.message, ...place, extensions: { code } }
  const shown = toPublicFault(thrown, onDefect)
  return { message: shown.detail, ...place, extensions: toExtensions(shown) }
}

/** What was thrown first, below any number of GraphQL wrappers. */
export function findCause(error: unknown): unknown {
  let cause = error
  while (cause instanceof GraphQLError && cause.originalError !== undefined) cause = cause.originalError
  return cause
}

/** An AppError as an error of the GraphQL answer's `errors` list. */
export function presentAppError(thrown: unknown, onDefect: OnDefect): { status: number; error: GraphQLFormattedError } {
  const shown = toPublicFault(thrown, onDefect)
  return { status: shown.status, error: { message: shown.detail, extensions: toExtensions(shown) } }
}

/** Makes the GraphQL error that carries an AppError through Apollo, with the HTTP status of its row. */
export function toGraphqlError(error: AppError, status: number): GraphQLError {
  return new GraphQLError(error.message, { originalError: error, extensions: { http: { status } } })
}

function toExtensions(shown: PublicError): Record<string, unknown> {
  return {
    code: shown.graphqlCode,
    type: shown.type,
    wireCode: shown.wireCode,
    attr: shown.attr,
    ...(shown.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: shown.retryAfterSeconds }),
    ...(shown.extra ?? {}),
  }
}
