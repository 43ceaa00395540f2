import type { SqlExpression, SqlOrder, SqlQuery, SqlSelect, SqlSource, SqlWindow } from "./sql.js"

/**
 * Copies a query, handing every SELECT in it, however deep (FROM, joins, IN, scalar subqueries, unions), to `change`
 * after its own parts were copied.
 */
export function mapSelects(query: SqlQuery, change: (select: SqlSelect) => SqlSelect): SqlQuery {
  if (query.kind === "sqlSet") {
    return {
      ...query,
      first: mapSelects(query.first, change),
      rest: query.rest.map((item) => ({ ...item, query: mapSelects(item.query, change) })),
    }
  }
  const expression = (item: SqlExpression): SqlExpression => mapExpression(item, change)
  const optional = (item: SqlExpression | null) => (item === null ? null : expression(item))
  const list = (items: readonly SqlExpression[]) => items.map(expression)
  return change({
    ...query,
    recursive: query.recursive && { ...query.recursive, query: mapSelects(query.recursive.query, change) },
    columns: list(query.columns),
    from: query.from.map((source) => mapSource(source, change)),
    arrayJoin: query.arrayJoin && { ...query.arrayJoin, items: list(query.arrayJoin.items) },
    where: optional(query.where),
    groupBy: list(query.groupBy),
    having: optional(query.having),
    windows: query.windows.map(([name, window]) => [name, mapWindow(window, change)] as const),
    qualify: optional(query.qualify),
    orderBy: mapOrder(query.orderBy, change),
    limitBy: query.limitBy && { ...query.limitBy, by: list(query.limitBy.by) },
  })
}

type Change = (select: SqlSelect) => SqlSelect

function mapSource(source: SqlSource, change: Change): SqlSource {
  const { table } = source
  const on = source.on && mapExpression(source.on, change)
  if (table.kind === "realTable" || table.kind === "recursiveTable") return { ...source, on }
  if (table.kind === "numbers") {
    return { ...source, on, table: { ...table, args: table.args.map((item) => mapExpression(item, change)) } }
  }
  return { ...source, on, table: mapSelects(table, change) }
}

const mapOrder = (items: readonly SqlOrder[], change: Change): SqlOrder[] =>
  items.map((item) => ({ ...item, expression: mapExpression(item.expression, change) }))

const mapWindow = (window: SqlWindow, change: Change): SqlWindow => ({
  ...window,
  partitionBy: window.partitionBy.map((item) => mapExpression(item, change)),
  orderBy: mapOrder(window.orderBy, change),
})

function mapExpression(item: SqlExpression, change: Change): SqlExpression {
  const again = (inner: SqlExpression) => mapExpression(inner, change)
  switch (item.kind) {
    case "call":
      return { ...item, args: item.args.map(again), parameters: item.parameters?.map(again) ?? null }
    case "aliased":
      return { ...item, expression: again(item.expression) }
    case "lambda":
      return { ...item, body: again(item.body) }
    case "window":
      return {
        ...item,
        call: again(item.call),
        over: typeof item.over === "string" ? item.over : mapWindow(item.over, change),
      }
    case "query":
      return { ...item, query: mapSelects(item.query, change) }
    default:
      return item
  }
}
