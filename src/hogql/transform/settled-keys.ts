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
 * which is worked out before keys are compared.
 */
export function settleKeys(query: SqlQuery): SqlQuery {
  return mapSelects(query, (select) => {
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

const holdsUnsettled = (item: SqlExpression): boolean => isUnsettled(item) || parts(item).slice(1).some(holdsUnsettled)

/** The expression and what it is made of, subqueries apart. */
function parts(item: SqlExpression): SqlExpression[] {
  if (item.kind === "call") return [item, ...item.args]
  if (item.kind === "aliased") return [item, item.expression]
  return item.kind === "lambda" ? [item, item.body] : [item]
}

const isUnsettled = (item: SqlExpression): boolean =>
  item.kind === "call" && item.name === "in" && item.args[1]?.kind === "query" && isUnstable(item.args[1].query)

function isUnstable(query: SqlQuery): boolean {
  let found = false
  mapSelects(query, (select) => {
    if (select.arrayJoin !== null) found = true
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
