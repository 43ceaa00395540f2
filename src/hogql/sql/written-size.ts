import { queryError } from "../hogql-error.js"
import type { Span } from "../nodes/nodes.js"
import type { SqlQuery } from "./sql.js"

/** The longest text that is read has some 110,000 by itself; so many are written in a third of a second. */
const MAX_PARTS = 2_000_000
/** Fragments that this folder writes may be long: lists of known domains are. */
const CHARACTERS_OF_PART = 8

/**
 * Refuses SQL that would be too long: `a BETWEEN b AND c` and the like name an operand twice, so that twenty of them in one
 * another would be written a million times. Parts that stand in several places are counted in each, but looked at once.
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
