import { syntaxError } from "../hogql-error.js"
import type { FrameBound, Window } from "../nodes/nodes.js"
import { readExpressions, readOrderItems } from "./lists.js"
import type { TokenReader } from "./token-reader.js"

/** Reads a window in its round brackets. */
export function readWindow(reader: TokenReader): Window {
  reader.expectSign("(")
  const from = reader.index
  const partitionBy = reader.takeWords("partition", "by") ? readExpressions(reader) : []
  const orderBy = reader.takeWords("order", "by") ? readOrderItems(reader) : []
  const frame = readFrame(reader)
  const at = reader.span(from)
  if (!reader.isSign(")")) throw reader.expected("PARTITION BY, ORDER BY, ROWS, RANGE or )")
  reader.next()
  return { kind: "window", at, partitionBy, orderBy, frame }
}

function readFrame(reader: TokenReader): Window["frame"] {
  const isRange = reader.takeWord("range")
  if (!isRange && !reader.takeWord("rows")) return null
  const unit = isRange ? "RANGE" : "ROWS"
  if (!reader.takeWord("between")) return { unit, start: readBound(reader), end: null }
  const start = readBound(reader)
  reader.expectWord("and")
  return { unit, start, end: readBound(reader) }
}

function readBound(reader: TokenReader): FrameBound {
  if (reader.takeWords("current", "row")) return { kind: "current row", rows: null }
  if (reader.takeWords("unbounded", "preceding")) return { kind: "preceding", rows: null }
  if (reader.takeWords("unbounded", "following")) return { kind: "following", rows: null }
  const rows = reader.rules.expression(reader)
  const isWhole = rows.kind === "constant" && typeof rows.value === "number" && Number.isSafeInteger(rows.value)
  if (!isWhole) throw syntaxError("A window's frame counts whole rows.", rows.at)
  const isPreceding = reader.takeWord("preceding")
  if (!isPreceding) reader.expectWord("following")
  return { kind: isPreceding ? "preceding" : "following", rows: rows.value as number }
}
