import { queryError } from "../hogql-error.js"
import type { Span } from "../nodes/nodes.js"
import type { SqlQuery } from "./sql.js"

/** The longest query text that is accepted has about 110,000 parts; printing two million takes a third of a second. */
const MAX_PARTS = 2_000_000
/** Long fragments, such as lists of known domains, count as several parts. */
const CHARACTERS_OF_PART = 8

/**
 * Refuses SQL that would be too long once it is printed. `a BETWEEN b AND c` is printed with `a` twice, so twenty of them inside
 * each other would print the innermost one a million times. A part in several places counts each time but is visited once.
 *
 * @throws HogqlError with `at` as its place
 */
export function checkWrittenSize(query: SqlQuery, at: Span): void {
  if (countParts(query, new Map()) <= MAX_PARTS) return
  throw queryError("The query is too large once it is written out: work out parts of it in a subquery.", at)
}

function countParts(part: unknown, known: Map<object, number>): number {
  if (typeof part === "string") return 1 + Math.floor(part.length / CHARACTERS_OF_PART)
  if (typeof part !== "object" || part === null) return 1
  const before = known.get(part)
  if (before !== undefined) return before
  let size = 1
  for (const inner of Object.values(part)) size += countParts(inner, known)
  known.set(part, size)
  return size
}
