import { syntaxError } from "../hogql-error.js"
import * as make from "../nodes/make.js"
import type { Expression, Placeholder, Query, Select, TableSource } from "../nodes/nodes.js"
import { readJoinOperator } from "./join-operators.js"
import { KEYWORDS, TABLE_ALIAS_KEYWORDS } from "./keywords.js"
import { readExpressions, readList } from "./lists.js"
import { endsList, opensQuery } from "./lookahead.js"
import { readAlias, readColumnNames } from "./names.js"
import { beginsNumber, readNumber } from "./numbers.js"
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
  const isTable = !reader.isSign("(") || opensQuery(reader) || opensValues(reader)
  return isTable ? [readTable(reader)] : reader.enclosed("()", () => readJoined(reader, true))
}

function readTable(reader: TokenReader): TableSource {
  const from = reader.index
  const { table, args } = readTableName(reader)
  let alias: string | null = null
  let columns: string[] | null = null
  for (;;) {
    const place = reader.index
    refusePivot(reader)
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
  const sample = readSample(reader)
  return make.source(table, { at, args, alias, columns, sample })
}

const INSTEAD_OF_PIVOT: ReadonlyMap<string, string> = new Map([
  [
    "pivot",
    "PIVOT is not supported: write a column per value, such as sumIf(amount, plan = 'pro') AS pro, with GROUP BY.",
  ],
  ["unpivot", "UNPIVOT is not supported: write ARRAY JOIN [('a', a), ('b', b)] AS pair, and pair.1 and pair.2."],
])

function refusePivot(reader: TokenReader): void {
  const sentence = reader.isSign("(", 1) ? INSTEAD_OF_PIVOT.get(reader.peek().value) : undefined
  if (sentence !== undefined && reader.peek().kind === "word") throw syntaxError(sentence, reader.peek())
}

/** `SAMPLE 0.1`, `SAMPLE 1/10 OFFSET 1/2`. */
function readSample(reader: TokenReader): TableSource["sample"] {
  if (!reader.takeWord("sample")) return null
  const share = readShare(reader)
  return { share, offset: reader.takeWord("offset") ? readShare(reader) : null }
}

function readShare(reader: TokenReader): Expression {
  const from = reader.index
  if (reader.isSign("{")) return readPlaceholder(reader)
  if (!beginsNumber(reader)) throw reader.expected("a share such as 0.1 or 1/10")
  const number = readNumber(reader)
  if (reader.isSign("%")) throw syntaxError("SAMPLE takes a share such as 0.1, not percent.", reader.peek())
  if (!reader.takeSign("/")) return number
  if (!beginsNumber(reader)) throw reader.expected("a number")
  return make.arithmetic("/", number, readNumber(reader), reader.span(from))
}

const opensValues = (reader: TokenReader): boolean =>
  reader.isSign("(") && reader.isWord("values", 1) && reader.isSign("(", 2)

/** `(VALUES (1, 'a'), (2, 'b'))`, read as SELECTs with UNION ALL between them. */
function readValues(reader: TokenReader): Query {
  const from = reader.index
  const [first, ...rest] = reader.enclosed("()", () => {
    reader.expectWord("values")
    return readList(reader, () => reader.enclosed("()", () => readRow(reader)))
  })
  if (rest.length === 0) return first
  const others = rest.map((query) => ({ operator: "UNION ALL", query }) as const)
  return { kind: "selectSet", at: reader.span(from), first, rest: others }
}

function readRow(reader: TokenReader): Select {
  const from = reader.index
  const columns = readExpressions(reader)
  return make.select({ columns, at: reader.span(from) })
}

function readTableName(reader: TokenReader): Pick<TableSource, "table" | "args"> {
  const from = reader.index
  if (opensValues(reader)) return { table: readValues(reader), args: null }
  if (reader.isSign("(")) return { table: reader.enclosed("()", () => reader.rules.query(reader)), args: null }
  if (reader.isSign("{")) return { table: readPlaceholder(reader), args: null }
  const chain = [reader.name("a table or a subquery")]
  if (reader.isSign("(")) {
    const at = reader.span(from)
    const args = reader.enclosed("()", () => (reader.isSign(")") ? [] : readExpressions(reader)))
    return { table: make.field(chain, at), args }
  }
  while (reader.takeSign(".")) chain.push(reader.name())
  return { table: make.field(chain, reader.span(from)), args: null }
}

function readPlaceholder(reader: TokenReader): Placeholder {
  const from = reader.index
  const expression = reader.enclosed("{}", () => reader.rules.expression(reader))
  return { kind: "placeholder", at: reader.span(from), expression }
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
  const readColumns = () => readExpressions(reader)
  return { on: null, using: reader.isSign("(") ? reader.enclosed("()", readColumns) : readColumns() }
}
