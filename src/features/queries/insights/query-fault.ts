import { HogqlError } from "../../../hogql/index.js"
import { AppError } from "../../../kernel/errors.js"

/**
 * Runs something that compiles HogQL; its refusals become request faults with the place in the text.
 * @throws AppError hogql_syntax_error, hogql_query_error.
 */
export async function orQueryFault<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (failure) {
    if (!(failure instanceof HogqlError)) throw failure
    throw new AppError(failure.kind === "syntax" ? "hogql_syntax_error" : "hogql_query_error", {
      attr: "query",
      detail: failure.message,
      extra: { start: failure.start, end: failure.end },
      cause: failure,
    })
  }
}
