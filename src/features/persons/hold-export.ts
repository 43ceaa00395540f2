import { AppError } from "../../kernel/errors.js"
import type { RequestContext } from "../../kernel/request-context.js"

/** Permits for exports; gives one back when it is called. */
export interface ExportPermits {
  /** @throws AppError rate_limited when the key has one, overloaded when there are none. */
  take(keyId: string): () => void
}

/**
 * Holds the caller's permit for an export until the answer has left, because the rows are in memory until then
 * (`docs/contract/management.md#exports-of-persons`).
 * @throws AppError invalid_input on a socket, whose client may leave any number of answers unread; else what `take` throws.
 */
export function holdExport(exports: ExportPermits, { principal, onAnswered }: RequestContext): void {
  if (onAnswered === undefined)
    throw new AppError("invalid_input", { detail: "Exports are answered over HTTP, not on a socket." })
  onAnswered(exports.take(principal?.keyId ?? ""))
}
