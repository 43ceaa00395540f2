import { HogqlError, syntaxError } from "../hogql-error.js"
import type { Expression, OrderItem, Select, Span } from "../nodes/nodes.js"
import { parse } from "./parse.js"

/**
 * Reads one expression, such as a column of an insight: `properties.$browser`, `count()`, `a AS b`.
 *
 * @throws HogqlError of kind `syntax`, with the place in this text
 */
export async function parseExpression(text: string): Promise<Expression> {
  const { columns } = await parseClause("SELECT ", text)
  const [expression, ...others] = columns
  if (expression === undefined || others.length > 0) throw syntaxError("Exactly one expression is wanted here.")
  return expression
}

/**
 * Reads one item of an ORDER BY: `timestamp DESC`.
 *
 * @throws HogqlError of kind `syntax`
 */
export async function parseOrder(text: string): Promise<OrderItem> {
  const { orderBy } = await parseClause("SELECT 1 ORDER BY ", text)
  const [item, ...others] = orderBy
  if (item === undefined || others.length > 0) throw syntaxError("Exactly one item to order by is wanted here.")
  return item
}

/** The clause as a query of its own; anything that a clause cannot hold is refused. */
async function parseClause(prefix: string, text: string): Promise<Select> {
  try {
    const query = await parse(`${prefix}${text}\n`)
    if (query.kind === "select" && isBare(query, prefix)) return query
  } catch (failure) {
    if (!(failure instanceof HogqlError)) throw failure
    throw new HogqlError(failure.kind, failure.message, moved(failure, prefix.length, text.length))
  }
  throw syntaxError("An expression is wanted here, not a query.")
}

const moved = ({ start, end }: Span, by: number, length: number): Span => ({
  start: Math.min(length, Math.max(0, start - by)),
  end: Math.min(length, Math.max(0, end - by)),
})

const CLAUSES = [
  ...["arrayJoin", "prewhere", "where", "having", "qualify", "limitBy", "limit", "offset"],
  ...["from", "with", "groupBy", "windows", "distinct", "withTies"],
] as const

function isBare(query: Select, prefix: string): boolean {
  const isEmpty = (value: unknown) => value === null || value === false || (Array.isArray(value) && value.length === 0)
  const clauses = CLAUSES.every((clause) => isEmpty(query[clause as keyof Select]))
  return clauses && (prefix.includes("ORDER BY") ? query.columns.length === 1 : query.orderBy.length === 0)
}
