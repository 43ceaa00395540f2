import { syntaxError } from "../hogql-error.js"
import type { Expression, TableSource } from "../nodes/nodes.js"
import { readJoinOperator } from "./join-operators.js"
import { KEYWORDS, TABLE_ALIAS_KEYWORDS } from "./keywords.js"
import { readExpressions } from "./lists.js"
import { endsList, opensQuery } from "./lookahead.js"
import { readAlias, readColumnNames } from "./names.js"
import type { TokenReader } from "./token-reader.js"

type Sources = [TableSource, ...TableSource[]]

/** Reads what follows FROM: tables and subqueries with their joins, in the order in which they are written. */
export function readSources(reader: TokenReader): Sources {
  return readJoined(reader, true)
}

/** `takesCommas` is false on the right of a comma or CROSS JOIN, which lean left. */
function readJoined(reader: TokenReader, takesCommas: boolean): Sources {
  return reader.nested(() => {
    const sources = readFirst(reader)
    for (;;) {
      const operator = readJoinOperator(reader)
      if (operator !== null) {
        const right = readJoined(reader, true)
        sources.push({ ...right[0], join: operator, ...readConstraint(reader) }, ...right.slice(1))
      } else if (takesCommas && isCross(reader)) {
        const right = readJoined(reader, false)
        sources.push({ ...right[0], join: { type: "CROSS", strictness: null } }, ...right.slice(1))
      } else return sources
    }
  })
}

const isCross = (reader: TokenReader): boolean => reader.takeSign(",") || reader.takeWords("cross", "join")

function readFirst(reader: TokenReader): Sources {
  if (!reader.isSign("(") || opensQuery(reader)) return [readTable(reader)]
  reader.next()
  if (reader.isWord("values") && reader.isSign("(", 1)) throw syntaxError("VALUES is not supported.", reader.peek())
  const sources = readJoined(reader, true)
  reader.expectSign(")")
  return sources
}

function readTable(reader: TokenReader): TableSource {
  const from = reader.index
  const { table, args } = readTableName(reader)
  let alias: string | null = null
  let columns: string[] | null = null
  for (;;) {
    const place = reader.index
    if (reader.takeWord("as") && !reader.isName()) throw reader.expected("a name")
    if (place === reader.index && !isAlias(reader)) break
    alias = readAlias(reader, place)
    if (reader.isSign("(")) columns = readColumnNames(reader)
  }
  const at = reader.span(from)
  if (reader.isWord("final")) {
    if (table.kind !== "field") throw syntaxError("FINAL stands behind a table.", reader.peek())
    // Tables always show the newest state.
    reader.next()
  }
  if (reader.isWord("sample")) throw syntaxError("SAMPLE is not supported: answers are of every row.", reader.peek())
  return { kind: "source", at, table, args, alias, columns, join: null, on: null, using: null }
}

function readTableName(reader: TokenReader): Pick<TableSource, "table" | "args"> {
  const from = reader.index
  if (reader.takeSign("(")) {
    const table = reader.rules.query(reader)
    reader.expectSign(")")
    return { table, args: null }
  }
  if (reader.takeSign("{")) {
    const expression = reader.rules.expression(reader)
    reader.expectSign("}")
    return { table: { kind: "placeholder", at: reader.span(from), expression }, args: null }
  }
  const chain = [reader.name("a table or a subquery")]
  if (reader.isSign("(")) {
    const at = reader.span(from)
    return { table: { kind: "field", at, chain }, args: readTableArguments(reader) }
  }
  while (reader.takeSign(".")) chain.push(reader.name())
  return { table: { kind: "field", at: reader.span(from), chain }, args: null }
}

function readTableArguments(reader: TokenReader): Expression[] {
  reader.expectSign("(")
  const args = reader.isSign(")") ? [] : readExpressions(reader)
  reader.expectSign(")")
  return args
}

function isAlias(reader: TokenReader): boolean {
  const { kind, value } = reader.peek()
  return kind === "name" || (kind === "word" && (!KEYWORDS.has(value) || TABLE_ALIAS_KEYWORDS.has(value)))
}

function readConstraint(reader: TokenReader): Pick<TableSource, "on" | "using"> {
  const place = reader.peek()
  if (reader.takeWord("on")) {
    const condition = reader.rules.expression(reader)
    const end = reader.index
    if (!reader.takeSign(",") || endsList(reader)) return { on: condition, using: null }
    readExpressions(reader)
    if (!isAlias(reader)) throw syntaxError("A join has one condition: put AND between its parts.", place)
    // `ON a = b, c d`: the comma joins a table with an alias.
    reader.index = end
    return { on: condition, using: null }
  }
  if (!reader.takeWord("using")) return { on: null, using: null }
  if (!reader.takeSign("(")) return { on: null, using: readExpressions(reader) }
  const using = readExpressions(reader)
  reader.expectSign(")")
  return { on: null, using }
}
