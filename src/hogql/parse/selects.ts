import { syntaxError } from "../hogql-error.js"
import * as make from "../nodes/make.js"
import type { Expression, Select, Window } from "../nodes/nodes.js"
import { readGroupBy } from "./group-by.js"
import { IMPLICIT_ALIAS_KEYWORDS, KEYWORDS } from "./keywords.js"
import { readLimits } from "./limits.js"
import { readList, readOrderItems } from "./lists.js"
import { readAlias } from "./names.js"
import { readSources } from "./sources.js"
import type { TokenReader } from "./token-reader.js"
import { readWindow } from "./windows.js"

/** Reads SELECT and its clauses; `from` is where its WITH began. */
export function readSelect(reader: TokenReader, from: number, common: Select["with"]): Select {
  reader.expectWord("select")
  const distinct = reader.isWord("distinct") && (reader.beginsOperand(1) || reader.peek(1).kind === "word")
  if (distinct) reader.next()
  refuseTop(reader)
  const columns = readList(reader, () => readColumn(reader))
  const sources = reader.takeWord("from") ? readSources(reader) : []
  const arrayJoin = readArrayJoin(reader)
  if (arrayJoin !== null && sources.length === 0) {
    throw syntaxError("Using ARRAY JOIN without a FROM clause is not permitted", arrayJoin.items[0]?.at)
  }
  const prewhere = readClause(reader, "prewhere")
  const where = readClause(reader, "where")
  const groups = readGroupBy(reader)
  const having = readClause(reader, "having")
  const qualify = readClause(reader, "qualify")
  const windows = reader.takeWord("window") ? readList(reader, () => readNamedWindow(reader)) : []
  const orderBy = reader.takeWords("order", "by") ? readOrderItems(reader) : []
  const limits = readLimits(reader)
  const clauses = { arrayJoin, prewhere, where, ...groups, having, windows, qualify, orderBy, ...limits }
  return make.select({ at: reader.span(from), with: common, distinct, columns, from: sources, ...clauses })
}

function refuseTop(reader: TokenReader): void {
  if (!reader.isWord("top") || reader.peek(1).kind !== "number") return
  throw syntaxError("TOP is not supported: write LIMIT at the end.", reader.peek())
}

/** A column: `a`, `a AS b`, `a b` or `b: a`. */
function readColumn(reader: TokenReader): Expression {
  const from = reader.index
  if (reader.isName() && reader.isSign(":", 1)) {
    const name = readAlias(reader, from)
    reader.next()
    return make.alias(name, reader.rules.expression(reader), reader.span(from))
  }
  if (reader.isWord("from") && isImplicitAlias(reader, 1)) throw reader.expected("a column")
  const column = reader.rules.expression(reader)
  if (!isImplicitAlias(reader, 0)) return column
  // `a, x -> 1 name` could be a column a and a lambda of x, or one lambda of both.
  if (column.kind === "lambda" && column.args.length > 1 && reader.tokens[from]?.value !== "(")
    throw reader.expected("AS")
  return make.alias(readAlias(reader, from), column, reader.span(from))
}

function isImplicitAlias(reader: TokenReader, ahead: number): boolean {
  const { kind, value } = reader.peek(ahead)
  return kind === "name" || (kind === "word" && (!KEYWORDS.has(value) || IMPLICIT_ALIAS_KEYWORDS.has(value)))
}

function readArrayJoin(reader: TokenReader): Select["arrayJoin"] {
  const left = reader.takeWords("left", "array", "join")
  if (!left && !reader.takeWords("inner", "array", "join") && !reader.takeWords("array", "join")) return null
  const items = readList(reader, () => readColumn(reader))
  const unnamed = items.find((item) => item.kind !== "alias")
  if (unnamed !== undefined) throw syntaxError("ARRAY JOIN arrays must have an alias", unnamed.at)
  return { left, items }
}

function readClause(reader: TokenReader, word: string): Expression | null {
  return reader.takeWord(word) ? reader.rules.expression(reader) : null
}

function readNamedWindow(reader: TokenReader): readonly [string, Window] {
  const name = reader.name("a window's name")
  reader.expectWord("as")
  return [name, readWindow(reader)]
}
