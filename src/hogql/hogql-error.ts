import type { Span } from "./nodes/nodes.js"

/** `syntax`: the text is no query at all; `query`: it is one that cannot be run (unknown name, wrong arity, …). */
export type HogqlErrorKind = "syntax" | "query"

/** The only error that compiling throws. `start` and `end` are UTF-16 offsets into the text; both 0 when unknown. */
export class HogqlError extends Error {
  readonly start: number
  readonly end: number

  constructor(
    readonly kind: HogqlErrorKind,
    message: string,
    at: Span = { start: 0, end: 0 },
  ) {
    super(message)
    this.name = "HogqlError"
    this.start = at.start
    this.end = at.end
  }
}

/** A query that reads well but cannot be run. */
export const queryError = (message: string, at?: Span): HogqlError => new HogqlError("query", message, at)

/** A query that cannot be read. */
export const syntaxError = (message: string, at?: Span): HogqlError => new HogqlError("syntax", message, at)
