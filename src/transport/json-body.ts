import { AppError } from "../kernel/errors.js"
import type { Json } from "../kernel/json.js"
import { NestingGuard } from "./rest/wire/nesting.js"

const MAX_DEPTH = 64

/**
 * Parses a JSON body. Depth is counted first: millions of brackets parse but overflow whatever walks the result.
 * @throws AppError parse_error whose detail begins `JSON parse error - `, the text REST clients know.
 */
export function parseJsonBody(body: Buffer): Json {
  try {
    new NestingGuard(MAX_DEPTH).scan(body)
    return JSON.parse(body.toString("utf8")) as Json
  } catch (thrown) {
    throw new AppError("parse_error", { detail: `JSON parse error - ${describe(thrown)}`, cause: thrown })
  }
}

/** V8's sentence without the text it quotes: what was sent has no place in answers and logs. */
function describe(thrown: unknown): string {
  if (thrown instanceof AppError) return `more than ${MAX_DEPTH} nested levels`
  const message = thrown instanceof Error ? thrown.message : ""
  return message.replace(/, (?:\.\.\.)?".*$/s, "").replace(/ in JSON /, " ")
}
