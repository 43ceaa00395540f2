import { syntaxError } from "../hogql-error.js"
import * as make from "../nodes/make.js"
import type { Call, CallOrder, Expression, OrderItem } from "../nodes/nodes.js"
import { readExpressions, readOrderItems } from "./lists.js"
import { beginsQuery, opensQuery } from "./lookahead.js"
import type { TokenReader } from "./token-reader.js"
import { readWindow } from "./windows.js"

interface Arguments {
  readonly distinct: boolean
  readonly items: readonly Expression[]
  readonly orderBy: readonly OrderItem[]
}

/** Reads a call: `f(a)`, `f(parameters)(a)`, each with WITHIN GROUP, FILTER or OVER behind it. */
export function readCall(reader: TokenReader): Expression {
  const from = reader.index
  const name = reader.name()
  const first = mayHoldQuery(reader) ? readNameSelect(reader) : readArguments(reader, name)
  if (first === undefined) {
    const query = reader.enclosed("()", () => reader.rules.query(reader))
    return make.call(name, [query], {}, reader.span(from))
  }
  const second = reader.isSign("(") && !first.distinct ? readArguments(reader, name) : null
  takeIgnoreNulls(reader, name)
  const order = readOrder(reader, first, second)
  const filter = readFilter(reader)
  if (reader.isWord("over") && (reader.isName(1) || reader.isSign("(", 1))) {
    return readWindowCall(reader, from, { name, first, second, order, filter })
  }
  const { items, distinct } = second ?? first
  return make.call(
    name,
    items,
    { parameters: second === null ? null : first.items, distinct, filter, order },
    reader.span(from),
  )
}

function readArguments(reader: TokenReader, name: string): Arguments {
  reader.expectSign("(")
  const distinct = reader.isWord("distinct") && endsDistinct(reader)
  if (distinct) reader.next()
  const items = reader.isSign(")") || isOrder(reader) ? [] : readExpressions(reader)
  takeIgnoreNulls(reader, name)
  const orderBy = reader.takeWords("order", "by") ? readOrderItems(reader) : []
  if (!reader.isSign(")")) throw reader.expected("a comma or )")
  reader.next()
  return { distinct, items, orderBy }
}

/** Aggregates that skip nulls anyway, before an OVER too. */
const IGNORING_NULLS: ReadonlySet<string> = new Set(["first_value", "last_value", "any", "any_value", "anylast"])

/** Accepts IGNORE NULLS where it changes nothing. */
function takeIgnoreNulls(reader: TokenReader, name: string): void {
  const place = reader.peek()
  if (!reader.takeWords("ignore", "nulls") || IGNORING_NULLS.has(name.toLowerCase())) return
  throw syntaxError(
    `IGNORE NULLS is for first_value, last_value, any and anyLast: filter the rows of '${name}'.`,
    place,
  )
}

/** The ORDER BY inside of the brackets, or that of a WITHIN GROUP behind them. */
function readOrder(reader: TokenReader, first: Arguments, second: Arguments | null): CallOrder | null {
  const { orderBy } = second ?? first
  if (second !== null && first.orderBy.length > 0)
    throw syntaxError("ORDER BY stands in the brackets of the arguments.", first.orderBy[0]?.at ?? reader.peek())
  if (!reader.isWord("within") || !reader.isWord("group", 1))
    return orderBy.length > 0 ? { items: orderBy, isWithinGroup: false } : null
  if (second !== null || first.distinct || orderBy.length > 0)
    throw syntaxError("WITHIN GROUP stands behind one pair of brackets without DISTINCT and ORDER BY.", reader.peek())
  reader.index += 2
  const items = reader.enclosed("()", () => {
    if (!reader.takeWords("order", "by")) throw reader.expected("ORDER BY")
    return readOrderItems(reader)
  })
  return { items, isWithinGroup: true }
}

/** Whether what follows DISTINCT shows that it is no name here. */
const endsDistinct = (reader: TokenReader): boolean =>
  reader.beginsOperand(1) || reader.isSign(")", 1) || reader.peek(1).kind === "word"

const isOrder = (reader: TokenReader): boolean => reader.isWord("order") && reader.isWord("by", 1)

/** Whether the `(` that stands `ahead` may hold a query: `f(SELECT …)`, `f((SELECT …) UNION …)`. */
export function mayHoldQuery(reader: TokenReader, ahead = 0): boolean {
  const inner = ahead + 1
  if (!reader.isSign("(", inner) || !opensQuery(reader, inner)) return beginsQuery(reader, inner)
  const after = reader.closing(inner) + 1
  return ["union", "except", "intersect", "limit", "offset"].some((word) => reader.isWord(word, after))
}

/** `f(select(1))` and `f(select - 1)` have a function and a column called select; undefined for a query. */
function readNameSelect(reader: TokenReader): Arguments | undefined {
  const isSign = reader.peek(1).kind === "word" && reader.peek(2).kind === "sign"
  return isSign ? reader.keywordForm(() => readArguments(reader, "select")) : undefined
}

/** `FILTER (WHERE …)` behind an aggregate. */
function readFilter(reader: TokenReader): Expression | null {
  if (!reader.isWord("filter") || !reader.isSign("(", 1)) return null
  reader.next()
  return reader.enclosed("()", () => {
    reader.expectWord("where")
    return reader.rules.expression(reader)
  })
}

interface Written extends Pick<Call, "name" | "order" | "filter"> {
  readonly first: Arguments
  readonly second: Arguments | null
}

function readWindowCall(
  reader: TokenReader,
  from: number,
  { name, first, second, order, filter }: Written,
): Expression {
  const over = reader.next()
  if (order !== null) throw syntaxError("ORDER BY before OVER is not supported: write it in the window.", over)
  if (filter !== null) throw syntaxError("FILTER before OVER is not supported: use the -If form of the function.", over)
  if (first.distinct || second?.distinct)
    throw syntaxError("DISTINCT before OVER is not supported: take the distinct rows in a subquery.", over)
  const hasParameters = second !== null && second.items.length > 0
  const window = reader.isSign("(") ? readWindow(reader) : reader.name("a window")
  return {
    kind: "windowCall",
    at: reader.span(from),
    name,
    args: hasParameters ? second.items : first.items,
    parameters: hasParameters ? first.items : null,
    over: window,
  }
}
