import type { SqlExpression, SqlOrder, SqlQuery, SqlSelect, SqlSource, SqlWindow } from "./sql.js"

type MapExpression = (item: SqlExpression) => SqlExpression

/**
 * Copies a query, handing every SELECT in it, however deep (FROM, joins, IN, scalar subqueries, unions), to `change`
 * after its own parts were copied.
 */
export function mapSelects(query: SqlQuery, change: (select: SqlSelect) => SqlSelect): SqlQuery {
  const again = (inner: SqlQuery): SqlQuery => mapSelects(inner, change)
  if (query.kind === "sqlSet") {
    const rest = query.rest.map((item) => ({ ...item, query: again(item.query) }))
    return { ...query, first: again(query.first), rest }
  }
  const expression: MapExpression = (item) =>
    item.kind === "query" ? { ...item, query: again(item.query) } : mapInner(item, expression)
  const source = (item: SqlSource): SqlSource => {
    const { table } = item
    const on = item.on && expression(item.on)
    if (table.kind === "realTable" || table.kind === "recursiveTable") return { ...item, on }
    if (table.kind === "numbers") return { ...item, on, table: { ...table, args: table.args.map(expression) } }
    return { ...item, on, table: again(table) }
  }
  return change({
    ...mapClauses(query, expression),
    recursive: query.recursive && { ...query.recursive, query: again(query.recursive.query) },
    from: query.from.map(source),
  })
}

/** A SELECT with its expressions replaced, those of its FROM apart. */
export function mapClauses(select: SqlSelect, map: MapExpression): SqlSelect {
  const optional = (item: SqlExpression | null) => item && map(item)
  return {
    ...select,
    columns: select.columns.map(map),
    arrayJoin: select.arrayJoin && { ...select.arrayJoin, items: select.arrayJoin.items.map(map) },
    ...(select.pushed && { pushed: select.pushed.map(map) }),
    where: optional(select.where),
    groupBy: select.groupBy.map(map),
    having: optional(select.having),
    qualify: optional(select.qualify),
    orderBy: mapOrder(select.orderBy, map),
    limitBy: select.limitBy && { ...select.limitBy, by: select.limitBy.by.map(map) },
  }
}

/** An expression with those replaced that it is made of, subqueries apart. */
export function mapInner(item: SqlExpression, map: MapExpression): SqlExpression {
  switch (item.kind) {
    case "call":
      return { ...item, args: item.args.map(map), parameters: item.parameters?.map(map) ?? null }
    case "aliased":
      return { ...item, expression: map(item.expression) }
    case "lambda":
      return { ...item, body: map(item.body) }
    case "window":
      return { ...item, call: map(item.call), over: mapWindow(item.over, map) }
    default:
      return item
  }
}

const mapOrder = (items: readonly SqlOrder[], map: MapExpression): SqlOrder[] =>
  items.map((item) => ({ ...item, expression: map(item.expression) }))

const mapWindow = (window: SqlWindow, map: MapExpression): SqlWindow => ({
  ...window,
  partitionBy: window.partitionBy.map(map),
  orderBy: mapOrder(window.orderBy, map),
})
