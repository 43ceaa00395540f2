import { AppError, type PublicError, toPublicError } from "../../kernel/errors.js"
import { toStoreFault } from "../../platform/postgres/connection-loss.js"

/** Logs a defect and returns the id under which the log has it. */
export type OnDefect = (thrown: unknown) => string

/**
 * What a caller may see of anything thrown, on every protocol: a lost store is 503 with `Retry-After` wherever it was
 * noticed, a fault of the table is itself, and the rest is a defect hidden behind an id.
 */
export const toPublicFault = (thrown: unknown, onDefect: OnDefect): PublicError =>
  toPublicError(thrown instanceof AppError ? thrown : toStoreFault(thrown), onDefect)
