import { syntaxError } from "../hogql-error.js"
import * as make from "../nodes/make.js"
import type { Query, Select, SelectSet, SetOperator } from "../nodes/nodes.js"
import { readOrderItems } from "./lists.js"
import { beginsQuery, opensQuery } from "./lookahead.js"
import { readSelect } from "./selects.js"
import type { TokenReader } from "./token-reader.js"
import { readWith } from "./with-clause.js"

/** Reads a SELECT or several with UNION, INTERSECT or EXCEPT between them, in the order in which they are written. */
export function readQuery(reader: TokenReader): Query {
  return reader.nested(() => {
    const from = reader.index
    let last = readMember(reader)
    const first = last.query
    const rest: SelectSet["rest"][number][] = []
    for (let operator = readSetOperator(reader); operator !== null; operator = readSetOperator(reader)) {
      last = readMember(reader)
      rest.push({ operator, query: last.query })
    }
    const query: Query = rest.length === 0 ? first : { kind: "selectSet", at: reader.span(from), first, rest }
    // Behind a SELECT without brackets, ORDER BY and LIMIT were its own.
    return last.inBrackets ? readEnding(reader, query, from) : query
  })
}

interface Member {
  readonly query: Query
  readonly inBrackets: boolean
}

function readMember(reader: TokenReader): Member {
  if (reader.isSign("(") && opensQuery(reader)) return { query: readInBrackets(reader), inBrackets: true }
  if (!beginsQuery(reader, 0)) {
    const hasKeyword = reader.takeWord("select") || reader.takeWord("with")
    throw reader.expected(hasKeyword ? "an expression" : "SELECT or WITH")
  }
  const from = reader.index
  const common = reader.takeWord("with") ? readWith(reader) : []
  if (!reader.isSign("(")) return { query: readSelect(reader, from, common), inBrackets: false }
  return { query: withCommon(readInBrackets(reader), common), inBrackets: true }
}

const readInBrackets = (reader: TokenReader): Query => reader.enclosed("()", () => reader.rules.query(reader))

/** `WITH … (SELECT …)` names things for the first SELECT in the brackets. */
function withCommon(query: Query, common: Select["with"]): Query {
  if (query.kind === "selectSet") return { ...query, first: withCommon(query.first, common) }
  return { ...query, with: [...query.with, ...common] }
}

function readSetOperator(reader: TokenReader): SetOperator | null {
  const place = reader.peek()
  const base = (["union", "intersect", "except"] as const).find((word) => reader.takeWord(word))
  if (base === undefined) return null
  const isAll = reader.takeWord("all")
  const isDistinct = !isAll && base !== "except" && reader.takeWord("distinct")
  const isByName = reader.takeWords("by", "name")
  if (isByName && base !== "union") {
    const sentence = `${base.toUpperCase()} BY NAME is not supported: select the same columns in the same order.`
    throw syntaxError(sentence, place)
  }
  if (base === "union") return `UNION ${isAll ? "ALL" : "DISTINCT"}${isByName ? " BY NAME" : ""}`
  return base === "except" ? "EXCEPT" : isDistinct ? "INTERSECT DISTINCT" : "INTERSECT"
}

/** ORDER BY, LIMIT and OFFSET behind brackets are those of the whole, so it becomes a subquery unless it has none. */
function readEnding(reader: TokenReader, query: Query, from: number): Query {
  const orderBy = reader.takeWords("order", "by") ? readOrderItems(reader) : []
  const limit = reader.takeWord("limit") ? reader.rules.expression(reader) : null
  const comma = limit !== null && reader.takeSign(",") ? reader.rules.expression(reader) : null
  const withTies = limit !== null && reader.takeWords("with", "ties")
  const offset = comma ?? (reader.takeWord("offset") ? reader.rules.expression(reader) : null)
  if (orderBy.length === 0 && limit === null && offset === null) return query
  const ending = { orderBy, limit, offset, withTies }
  if (query.kind === "select" && isUnordered(query)) return { ...query, ...ending }
  const at = reader.span(from)
  const columns = [make.field(["*"], at)]
  return make.select({ at, columns, from: [make.source(query, { at: query.at })], ...ending })
}

const isUnordered = ({ orderBy, limitBy, limit, offset }: Select): boolean =>
  orderBy.length === 0 && limitBy === null && limit === null && offset === null
