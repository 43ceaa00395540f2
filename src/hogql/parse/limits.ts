import type { Expression, Select } from "../nodes/nodes.js"
import { readExpressions } from "./lists.js"
import type { TokenReader } from "./token-reader.js"

type Limits = Pick<Select, "limitBy" | "limit" | "offset" | "withTies">

/**
 * Reads LIMIT … BY, LIMIT and OFFSET. `LIMIT a, b` is a rows after b, but `LIMIT a, b BY c` is b rows after a: both
 * as the published grammar has them.
 */
export function readLimits(reader: TokenReader): Limits {
  const { second, ...first } = readLimit(reader)
  if (first.limit === null || first.withTies || !reader.takeWord("by")) return { ...first, limitBy: null }
  const count = second ?? first.limit
  const offset = second === null ? first.offset : first.limit
  const limitBy = { count, offset, by: readExpressions(reader) }
  const { limit, offset: rowsBefore, withTies } = readLimit(reader)
  return { limit, offset: rowsBefore, withTies, limitBy }
}

/** `second` is what stood behind a comma, if any. */
function readLimit(reader: TokenReader): Omit<Limits, "limitBy"> & { readonly second: Expression | null } {
  if (!reader.takeWord("limit")) return { limit: null, offset: readOffset(reader), withTies: false, second: null }
  const limit = reader.rules.expression(reader)
  const second = reader.takeSign(",") ? reader.rules.expression(reader) : null
  const isBefore = reader.takeWords("with", "ties")
  const offset = second ?? readOffset(reader)
  return { limit, offset, withTies: isBefore || reader.takeWords("with", "ties"), second }
}

const readOffset = (reader: TokenReader): Expression | null =>
  reader.takeWord("offset") ? reader.rules.expression(reader) : null
