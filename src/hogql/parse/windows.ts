import { syntaxError } from "../hogql-error.js"
import { type Expression, FRAME_UNITS, type FrameBound, type Window } from "../nodes/nodes.js"
import { readExpressions, readOrderItems } from "./lists.js"
import type { TokenReader } from "./token-reader.js"

/** Reads a window in its round brackets. */
export function readWindow(reader: TokenReader): Window {
  reader.expectSign("(")
  const from = reader.index
  const base = beginsWithBase(reader) ? reader.name() : undefined
  const partitionBy = reader.takeWords("partition", "by") ? readExpressions(reader) : []
  const orderBy = reader.takeWords("order", "by") ? readOrderItems(reader) : []
  const frame = readFrame(reader)
  const at = reader.span(from)
  if (!reader.isSign(")")) throw reader.expected("PARTITION BY, ORDER BY, ROWS, RANGE or )")
  reader.next()
  return { kind: "window", at, ...(base !== undefined && { base }), partitionBy, orderBy, frame }
}

/** Whether a name stands here that is no first word of a clause: `(w)`, `(w ORDER BY a)`. */
const beginsWithBase = (reader: TokenReader): boolean =>
  reader.isName() &&
  (reader.isSign(")", 1) || ["partition", "order", "rows", "range", "groups"].some((word) => reader.isWord(word, 1)))

const NO_GROUPS =
  "GROUPS is not supported: number the groups by dense_rank() OVER (…) in a subquery, and use RANGE with ORDER BY that number."

function readFrame(reader: TokenReader): Window["frame"] {
  if (reader.isWord("groups")) throw syntaxError(NO_GROUPS, reader.peek())
  const isRange = reader.takeWord("range")
  if (!isRange && !reader.takeWord("rows")) return null
  const unit = isRange ? "RANGE" : "ROWS"
  if (!reader.takeWord("between")) return { unit, start: readBound(reader, isRange), end: null }
  const start = readBound(reader, isRange)
  reader.expectWord("and")
  return { unit, start, end: readBound(reader, isRange) }
}

function readBound(reader: TokenReader, isRange: boolean): FrameBound {
  if (reader.takeWords("current", "row")) return { kind: "current row", rows: null }
  if (reader.takeWords("unbounded", "preceding")) return { kind: "preceding", rows: null }
  if (reader.takeWords("unbounded", "following")) return { kind: "following", rows: null }
  const rows = reader.rules.expression(reader)
  const size = isWhole(rows) ? { rows: rows.value } : readInterval(rows, isRange)
  const isPreceding = reader.takeWord("preceding")
  if (!isPreceding) reader.expectWord("following")
  return { kind: isPreceding ? "preceding" : "following", ...size }
}

const isWhole = (node: Expression | undefined): node is Expression & { kind: "constant"; value: number } =>
  node?.kind === "constant" && typeof node.value === "number" && Number.isSafeInteger(node.value)

/** `INTERVAL 7 DAY`, which is read as a call. */
function readInterval(node: Expression, isRange: boolean): Pick<FrameBound, "rows" | "unit"> {
  const written = node.kind === "call" && node.name.startsWith("toInterval") ? node : null
  const [count] = written?.args ?? []
  if (written === null || !isWhole(count)) throw syntaxError("A window's frame counts whole rows.", node.at)
  if (!isRange) throw syntaxError("ROWS counts rows: an INTERVAL needs RANGE.", node.at)
  const unit = FRAME_UNITS.find((name) => written.name === `toInterval${name}`)
  if (unit !== undefined) return { rows: count.value, unit }
  throw syntaxError(
    "Months, quarters and years differ in length: write a frame in days, such as INTERVAL 30 DAY.",
    node.at,
  )
}
