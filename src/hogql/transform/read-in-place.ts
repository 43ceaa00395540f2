import { mapSelects } from "../sql/map-queries.js"
import {
  type SqlExpression,
  type SqlOrder,
  type SqlQuery,
  type SqlSelect,
  type SqlWindow,
  sqlCall,
} from "../sql/sql.js"

/**
 * Lets each SELECT over one reading of a stored table, and nothing else, read that table itself: what the reading selects
 * takes the place of its names. The engine plans one SELECT less (decision 0033). The guard comes after this and stands, as
 * everywhere, in front of all that the SELECT's own WHERE says.
 */
export const readInPlace = (query: SqlQuery): SqlQuery => mapSelects(query, (select) => merged(select) ?? select)

function merged(select: SqlSelect): SqlSelect | null {
  const [source, ...others] = select.from
  if (source === undefined || others.length > 0) return null
  const reading = source.table
  if (reading.kind !== "sqlSelect" || reading.isReading !== true) return null
  const columns = new Map(
    reading.columns.map((item) => {
      if (item.kind !== "aliased") throw new Error("columns of a reading have names")
      return [item.name, item.expression] as const
    }),
  )
  const place = new Place(source.alias, columns)
  const one = (item: SqlExpression | null): SqlExpression | null => item && place.of(item)
  const where = one(select.where)
  const conditions = [reading.where, where].filter((condition) => condition !== null)
  const result: SqlSelect = {
    ...select,
    from: reading.from,
    columns: place.ofAll(select.columns),
    arrayJoin: select.arrayJoin && { ...select.arrayJoin, items: place.ofAll(select.arrayJoin.items) },
    where: conditions.length === 2 ? sqlCall("and", ...conditions) : (conditions[0] ?? null),
    groupBy: place.ofAll(select.groupBy),
    having: one(select.having),
    windows: select.windows.map(([name, window]) => [name, place.ofWindow(window)] as const),
    qualify: one(select.qualify),
    orderBy: place.ofOrder(select.orderBy),
    limitBy: select.limitBy && { ...select.limitBy, by: place.ofAll(select.limitBy.by) },
  }
  return place.isNamedInside ? null : result
}

/** Puts what a reading selects in the place of its names. */
class Place {
  /** Whether a subquery names the reading: its names cannot be taken away then. */
  isNamedInside = false

  constructor(
    private readonly alias: string,
    private readonly columns: ReadonlyMap<string, SqlExpression>,
  ) {}

  of(item: SqlExpression): SqlExpression {
    switch (item.kind) {
      case "column":
        return item.source === this.alias ? this.selected(item.name) : item
      case "call":
        return { ...item, args: this.ofAll(item.args), parameters: item.parameters && this.ofAll(item.parameters) }
      case "aliased":
        return { ...item, expression: this.of(item.expression) }
      case "lambda":
        return { ...item, body: this.of(item.body) }
      case "window":
        return {
          ...item,
          call: this.of(item.call),
          over: typeof item.over === "string" ? item.over : this.ofWindow(item.over),
        }
      case "query":
        this.isNamedInside ||= names(item.query, this.alias)
        return item
      default:
        return item
    }
  }

  ofAll(items: readonly SqlExpression[]): SqlExpression[] {
    return items.map((item) => this.of(item))
  }

  ofOrder(items: readonly SqlOrder[]): SqlOrder[] {
    return items.map((item) => ({ ...item, expression: this.of(item.expression) }))
  }

  ofWindow(window: SqlWindow): SqlWindow {
    return { ...window, partitionBy: this.ofAll(window.partitionBy), orderBy: this.ofOrder(window.orderBy) }
  }

  private selected(name: string): SqlExpression {
    const expression = this.columns.get(name)
    if (expression === undefined) throw new Error(`a reading selects no column ${name}`)
    return expression
  }
}

/** Whether anything in a query is called by this alias. */
const names = (query: SqlQuery, alias: string): boolean =>
  JSON.stringify(query, (_key, value) => (typeof value === "bigint" ? String(value) : value)).includes(
    `"source":${JSON.stringify(alias)}`,
  )
