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

// V8 quotes the start of the text in its sentence; the position is enough and never shows what was sent.
function describe(thrown: unknown): string {
  if (thrown instanceof AppError) return `more than ${MAX_DEPTH} nested levels`
  const message = thrown instanceof Error ? thrown.message : ""
  const position = /position (\d+)(?: \(line (\d+) column (\d+)\))?/.exec(message)
  if (position === null) return "the text ends too early or is not JSON"
  const [, char, line, column] = position
  return `unexpected text at line ${line ?? 1} column ${column ?? Number(char) + 1} (char ${char})`
}
