import { queryError } from "../hogql-error.js"
import type { Span } from "../nodes/nodes.js"
import { mapSelects } from "../sql/map-queries.js"
import {
  aliased,
  column,
  type SqlExpression,
  type SqlQuery,
  type SqlSelect,
  sqlCall,
  sqlNumber,
  sqlSelect,
} from "../sql/sql.js"

/**
 * Rows are grouped by what a key says, and the engine (26.7) tells the key in GROUP BY and the same one among the columns
 * apart when both hold `IN (SELECT …)` with an ARRAY JOIN inside. There the list becomes a scalar subquery,
 * which is worked out before keys are compared. A WITH RECURSIVE inside is told apart in both writings.
 *
 * @throws HogqlError, with the place of the whole query, for a column that rows are grouped by a WITH RECURSIVE by
 */
export function settleKeys(query: SqlQuery, at: Span): SqlQuery {
  return mapSelects(query, (select) => {
    if (showsRecursiveKey(select)) throw queryError(RECURSIVE_KEY, at)
    if (!keysOf(select).some(holdsUnsettled)) return select
    const list = (items: readonly SqlExpression[]) => items.map(settled)
    const one = (item: SqlExpression | null) => item && settled(item)
    return {
      ...select,
      columns: list(select.columns),
      groupBy: list(select.groupBy),
      having: one(select.having),
      qualify: one(select.qualify),
      orderBy: select.orderBy.map((item) => ({ ...item, expression: settled(item.expression) })),
      limitBy: select.limitBy && { ...select.limitBy, by: list(select.limitBy.by) },
    }
  })
}

/** What the rows are grouped by: expressions, and columns by their names. */
function keysOf({ columns, groupBy, groupMode }: SqlSelect): readonly SqlExpression[] {
  if (groupMode === "all") return columns
  const named = groupBy.flatMap(parts).map((item) => (item.kind === "column" && item.source === null ? item.name : ""))
  return [...groupBy, ...columns.filter((item) => item.kind === "aliased" && named.includes(item.name))]
}

const RECURSIVE_KEY =
  "A column that rows are grouped by cannot hold IN (WITH RECURSIVE …): work it out in a subquery, and group its rows."

function showsRecursiveKey(select: SqlSelect): boolean {
  const keys = keysOf(select).filter(holdsRecursive)
  if (keys.length === 0) return false
  const texts = keys.map((key) => textOf(key.kind === "aliased" ? key.expression : key))
  return select.columns.some((item) => item.kind === "aliased" && texts.includes(textOf(item.expression)))
}

const holdsRecursive = (item: SqlExpression): boolean =>
  (isMember(item) && isRecursive(item.args[1].query)) || parts(item).slice(1).some(holdsRecursive)

const isRecursive = (query: SqlQuery): boolean => someSelect(query, ({ recursive }) => recursive !== null)

const textOf = (item: SqlExpression): string =>
  JSON.stringify(item, (_key, value) => (typeof value === "bigint" ? String(value) : value))

const holdsUnsettled = (item: SqlExpression): boolean => isUnsettled(item) || parts(item).slice(1).some(holdsUnsettled)

/** The expression and what it is made of, subqueries apart. */
function parts(item: SqlExpression): SqlExpression[] {
  if (item.kind === "call") return [item, ...item.args]
  if (item.kind === "aliased") return [item, item.expression]
  return item.kind === "lambda" ? [item, item.body] : [item]
}

type Membership = SqlExpression & {
  readonly kind: "call"
  readonly args: readonly [SqlExpression, SqlExpression & { kind: "query" }]
}

const isMember = (item: SqlExpression): item is Membership =>
  item.kind === "call" && item.name === "in" && item.args[1]?.kind === "query"

const isUnsettled = (item: SqlExpression): boolean => isMember(item) && isUnstable(item.args[1].query)

const isUnstable = (query: SqlQuery): boolean => someSelect(query, ({ arrayJoin }) => arrayJoin !== null)

function someSelect(query: SqlQuery, isSo: (select: SqlSelect) => boolean): boolean {
  let found = false
  mapSelects(query, (select) => {
    if (isSo(select)) found = true
    return select
  })
  return found
}

function settled(item: SqlExpression): SqlExpression {
  if (item.kind === "aliased") return { ...item, expression: settled(item.expression) }
  if (item.kind === "lambda") return { ...item, body: settled(item.body) }
  if (item.kind !== "call") return item
  const args = item.args.map(settled)
  const [value, list] = args
  return isUnsettled(item) && value !== undefined && list?.kind === "query"
    ? sqlCall("in", value, { kind: "query", query: asScalar(list.query) })
    : { ...item, args }
}

/** The rows of a query, by way of one array that holds them all. Tuples, because arrays of plain values leave nulls out. */
function asScalar(query: SqlQuery): SqlQuery {
  const names = columnNames(query)
  const row = sqlCall("tuple", ...names.map((name) => column("q", name)))
  const rows = sqlSelect({
    columns: [sqlCall("groupArray", row)],
    from: [{ table: query, alias: "q", join: null, on: null }],
  })
  const each = aliased(sqlCall("arrayJoin", { kind: "query", query: rows }), "q_row")
  const columns = names.map((_, index) =>
    sqlCall("tupleElement", index === 0 ? each : column(null, "q_row"), sqlNumber(index + 1)),
  )
  return sqlSelect({ columns })
}

function columnNames(query: SqlQuery): string[] {
  if (query.kind === "sqlSet") return columnNames(query.first)
  return query.columns.map((item) => {
    if (item.kind === "aliased" || item.kind === "column") return item.name
    throw new Error("columns of a subquery have names")
  })
}
