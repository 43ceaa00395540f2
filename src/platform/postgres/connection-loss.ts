import { types } from "node:util"
import { AppError } from "../../kernel/errors.js"

const RETRY_AFTER_SECONDS = 2

/** Errors of the operating system that mean "no server there", or "no longer". */
const SYSTEM_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "ETIMEDOUT",
])

/**
 * PostgreSQL's own codes: class 08 (connection), 53300 (too many connections), 57P01 to 57P05 (shut down, crashed, starting
 * up, database dropped, idle too long), 25006 and 25P03 (a standby after a failover, a transaction ended for idling).
 */
const SERVER_CODE = /^(?:08...|53300|57P0[1-5]|25006|25P03)$/

/** Sentences of `pg` and `pg-pool`, which give these errors no code. */
const DRIVER_MESSAGE =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/

/** Whether an error of `pg` or of the ORM says that PostgreSQL was not there, rather than that it refused the statement. */
export function isConnectionLoss(error: unknown): boolean {
  // Not instanceof: the system's own errors come from another realm where tests run modules in one of their own.
  if (!types.isNativeError(error)) return false
  const { code, syscall, errors } = error as { code?: unknown; syscall?: unknown; errors?: unknown }
  // A host with several addresses fails once for each.
  if (Array.isArray(errors) && errors.some(isConnectionLoss)) return true
  // A unix socket that is not there, not any other file.
  if (code === "ENOENT" && syscall === "connect") return true
  if (typeof code === "string" && (SERVER_CODE.test(code) || SYSTEM_CODES.has(code))) return true
  return DRIVER_MESSAGE.test(error.message) || isConnectionLoss(error.cause)
}

/** PostgreSQL's class 53 (a full disk, no memory, no connection): it is there, and cannot do what it is asked just now. */
const OUT_OF_RESOURCES = /^53...$/

function isOutOfResources(error: unknown): boolean {
  if (!types.isNativeError(error)) return false
  const { code } = error as { code?: unknown }
  return (typeof code === "string" && OUT_OF_RESOURCES.test(code)) || isOutOfResources(error.cause)
}

/**
 * What to throw in place of a store's error: `store_unavailable` (503, with a time to retry after) for a lost connection and
 * for a server that has run out of something, anything else as it is.
 */
export function toStoreFault(error: unknown): unknown {
  if (!isConnectionLoss(error) && !isOutOfResources(error)) return error
  return new AppError("store_unavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error })
}
