import { syntaxError } from "../hogql-error.js"
import type { CommonTable, CommonValue } from "../nodes/nodes.js"
import { beginsQuery } from "./lookahead.js"
import { givenName, readColumnNames } from "./names.js"
import type { TokenReader } from "./token-reader.js"

type Common = CommonTable | CommonValue

/**
 * Reads the items of WITH: `name AS (SELECT …)`, `name(columns) AS (SELECT …)` and `expression AS name`. A comma may stand at
 * the end.
 */
export function readWith(reader: TokenReader): Common[] {
  const isRecursive = reader.isWord("recursive") && reader.isName(1) && !reader.isWord("as", 1)
  if (isRecursive) reader.next()
  const items = [readCommon(reader, isRecursive)]
  while (reader.takeSign(",")) {
    if (beginsQuery(reader, 0) || (reader.isSign("(") && beginsQuery(reader, 1) && !isNamed(reader))) break
    items.push(readCommon(reader, isRecursive))
  }
  return items
}

/** Whether the brackets here are a value of the list, with `AS name` behind them. */
const isNamed = (reader: TokenReader): boolean => reader.isWord("as", reader.closing() + 1)

function readCommon(reader: TokenReader, isRecursive: boolean): Common {
  const from = reader.index
  const named = reader.isSign("(", 1) ? reader.closing(1) + 1 : 1
  if (reader.isName() && reader.isWord("as", named)) {
    const negated = reader.isWord("not", named + 1) && reader.isWord("materialized", named + 2)
    const ahead = named + (negated ? 3 : reader.isWord("materialized", named + 1) ? 2 : 1)
    if (reader.isSign("(", ahead)) return readCommonTable(reader, from + ahead, isRecursive)
  }
  return readCommonValue(reader, from)
}

/** MATERIALIZED only tells an engine how to keep the rows, so it changes nothing here. */
function readCommonTable(reader: TokenReader, body: number, isRecursive: boolean): CommonTable {
  const from = reader.index
  const name = givenName(reader.name(), reader.span(from))
  const columns = reader.isSign("(") ? readColumnNames(reader) : null
  reader.index = body
  const query = reader.enclosed("()", () => reader.rules.query(reader))
  return { kind: "commonTable", at: reader.span(from), name, columns, isRecursive, query }
}

function readCommonValue(reader: TokenReader, from: number): CommonValue {
  const stopAround = reader.stopAt
  reader.stopAt = nameAs(reader)
  const expression = reader.rules.expression(reader)
  reader.stopAt = stopAround
  if (reader.isSign("(") || reader.isWord("using")) {
    throw syntaxError("Column names after a WITH name are not supported.", reader.peek())
  }
  reader.expectWord("as")
  const place = reader.index
  const name = givenName(reader.name(), reader.span(place))
  return { kind: "commonValue", at: reader.span(from), name, expression }
}

/** Index of the AS before the value's name: the first one that a name and the end of the item follow. */
function nameAs(reader: TokenReader): number {
  for (let ahead = 0; reader.peek(ahead).kind !== "end"; ahead++) {
    const closing = reader.closing(ahead)
    if (closing > ahead) ahead = closing
    else if (reader.isWord("as", ahead) && reader.isName(ahead + 1)) {
      const isEnd = reader.isSign(",", ahead + 2) || reader.isSign("(", ahead + 2) || beginsQuery(reader, ahead + 2)
      if (isEnd) return reader.index + ahead
    }
  }
  return -1
}
