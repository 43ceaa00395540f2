import { type Expression, hasAggregate, nodes, type OrderItem, parseOrder, type Select } from "../../../hogql/index.js"
import type { Json } from "../../../kernel/json.js"
import { instant } from "../insights/buckets.js"
import { readInstant } from "../insights/date-range.js"
import { joinWithAnd } from "../insights/property-conditions.js"
import type { QueryReader } from "../insights/query-reader.js"
import {
  groupByColumn,
  nameColumns,
  type ShownColumn,
  showRows,
  toGroupBy,
  withoutAlias,
} from "../insights/shown-columns.js"
import type { QueryAnswer, RunScope } from "../queries.types.js"
import { toTableAnswer } from "./answer.js"
import type { KindContext } from "./kind-context.js"
import { readPage } from "./read-page.js"

const { compare, constant, field, order, select, source } = nodes

export const MAX_COLUMNS = 200
/** Clients' clocks may be ahead of ours. */
const FUTURE_MS = 5_000

/** What a kind is a table of. */
export interface RowTable {
  readonly table: string
  /** When a row was: rows lie within `after` and `before`, and come newest first when it is shown. */
  readonly time: string
  /** A unique last key, so that rows of the same moment keep their order from page to page. */
  readonly key: string
  /** A text of `select` as a column. @throws HogqlError of kind `syntax` */
  readonly toColumn: (text: string) => ShownColumn
}

/**
 * The answer of a kind that is a table of rows, or of aggregates over them: `select`, `orderBy`, `limit` and `offset`.
 *
 * @param conditions what rows must fit; those with an aggregate are a HAVING
 * @throws AppError parse_error naming the field, HogqlError for what is written in HogQL
 */
export async function answerTable(
  reader: QueryReader,
  table: RowTable,
  conditions: readonly Expression[],
  context: KindContext,
): Promise<QueryAnswer> {
  const columns = readColumns(reader, table)
  const result = await context.select(toSelect(reader, table, columns, conditions), { isShown: true })
  const names = columns.map(({ name }) => name)
  return toTableAnswer(result, showRows(result.rows, columns), names, { types: showTypes(result.types, columns) })
}

function readColumns(reader: QueryReader, { toColumn }: RowTable): ShownColumn[] {
  const texts = reader.strings("select", { max: MAX_COLUMNS })
  if (texts === null) throw reader.fault("select", "is required and must be a list of texts")
  return (texts.length === 0 ? ["*"] : texts).map(toColumn)
}

/** The type of each shown column; that of an object is a tuple of its parts. */
const showTypes = (types: readonly string[], columns: readonly ShownColumn[]): Json[] =>
  groupByColumn(types, columns).map((own) => (own.length === 1 ? (own[0] ?? "") : `Tuple(${own.join(", ")})`))

function toSelect(
  reader: QueryReader,
  table: RowTable,
  columns: readonly ShownColumn[],
  conditions: readonly Expression[],
): Select {
  const expressions = columns.flatMap((column) => column.expressions)
  const isGrouped = expressions.some(hasAggregate)
  const orderBy = readOrder(reader, table, columns, isGrouped)
  const { limit, offset } = readPage(reader, { defaultLimit: 100, maxLimit: 50_000 })
  return select({
    columns: nameColumns(expressions),
    from: [source(field([table.table]))],
    where: joinWithAnd(conditions.filter((condition) => !hasAggregate(condition))),
    groupBy: toGroupBy(expressions),
    having: conditions.some(hasAggregate) ? joinWithAnd(conditions.filter(hasAggregate)) : null,
    orderBy: isGrouped ? orderBy : [...orderBy, order(field([table.key]))],
    limit: constant(limit),
    offset: constant(offset),
  })
}

/** `after` (`-24h` when absent) and `before` (now, and a little for clocks ahead); `all` leaves a side open. */
export function timeConditions(reader: QueryReader, time: string, run: RunScope): Expression[] {
  const after = reader.text("after") ?? "-24h"
  const before = reader.text("before")
  const beforeMs = before === null ? run.nowMs + FUTURE_MS : before === "all" ? null : readInstant(before, run)
  return [
    ...(beforeMs === null ? [] : [compare("<", field([time]), instant(beforeMs))]),
    ...(after === "all" ? [] : [compare(">", field([time]), instant(readInstant(after, run)))]),
  ]
}

/**
 * The order that is asked for; else by the count, the first aggregate or the time, descending; else by the first
 * column.
 */
function readOrder(
  reader: QueryReader,
  { time }: RowTable,
  columns: readonly ShownColumn[],
  isGrouped: boolean,
): readonly OrderItem[] {
  const written = reader.strings("orderBy", { max: MAX_COLUMNS })
  if (written !== null && written.length > 0) return written.map(parseOrder)
  const expressions = columns.flatMap((column) => column.expressions).map(withoutAlias)
  const aggregates = expressions.filter(hasAggregate)
  const first =
    aggregates.find((item) => item.kind === "call" && item.name === "count" && item.args.length === 0) ?? aggregates[0]
  if (first !== undefined) return [order(first, true)]
  const isTimed = columns.some(({ name }) => name === "*" || name === time)
  if (isTimed && !isGrouped) return [order(field([time]), true)]
  return expressions.slice(0, 1).map((expression) => order(expression))
}
