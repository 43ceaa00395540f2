import {
  type Expression,
  type HogqlScope,
  hasAggregate,
  nodes,
  type OrderItem,
  parseExpression,
  parseOrder,
  type Select,
} from "../../../hogql/index.js"
import { instant } from "../insights/buckets.js"
import { readInstant } from "../insights/date-range.js"
import { joinWithAnd, queryConditions } from "../insights/property-conditions.js"
import type { QueryReader } from "../insights/query-reader.js"
import { matchesAction, readAction } from "../insights/series.js"
import {
  groupByColumn,
  nameColumns,
  type ShownColumn,
  showRows,
  toEventColumn,
  toGroupBy,
  withoutAlias,
} from "../insights/shown-columns.js"
import type { RunScope } from "../queries.types.js"
import { toTableAnswer } from "./answer.js"
import type { KindDefinition } from "./kind-definition.types.js"
import { readPage } from "./read-page.js"

const { call, compare, constant, field, order, select, source } = nodes

const MAX_COLUMNS = 200
/** Clients' clocks may be ahead of ours. */
const FUTURE_MS = 5_000

/** Kind `EventsQuery`: a table of events, or of aggregates over them (`docs/contract/queries.md#eventsquery`). */
export const eventsQuery: KindDefinition = {
  kind: "EventsQuery",
  async answer(reader, context) {
    const columns = readColumns(reader)
    const result = await context.select(toSelect(reader, columns, await context.hogqlScope(), context.run), {
      isShown: true,
    })
    const names = columns.map(({ name }) => name)
    return toTableAnswer(result, showRows(result.rows, columns), names, { types: showTypes(result.types, columns) })
  },
}

function readColumns(reader: QueryReader): ShownColumn[] {
  const texts = reader.strings("select", { max: MAX_COLUMNS })
  if (texts === null) throw reader.fault("select", "is required and must be a list of texts")
  return (texts.length === 0 ? ["*"] : texts).map(toEventColumn)
}

/** The type of each shown column; that of an object is a tuple of its parts. */
const showTypes = (types: readonly string[], columns: readonly ShownColumn[]): string[] =>
  groupByColumn(types, columns).map((own) => (own.length === 1 ? (own[0] ?? "") : `Tuple(${own.join(", ")})`))

function toSelect(reader: QueryReader, columns: readonly ShownColumn[], scope: HogqlScope, run: RunScope): Select {
  const expressions = columns.flatMap((column) => column.expressions)
  const isGrouped = expressions.some(hasAggregate)
  const conditions = readConditions(reader, scope, run)
  const orderBy = readOrder(reader, columns, isGrouped)
  const { limit, offset } = readPage(reader, { defaultLimit: 100, maxLimit: 50_000 })
  return select({
    columns: nameColumns(expressions),
    from: [source(field(["events"]))],
    where: joinWithAnd(conditions.filter((condition) => !hasAggregate(condition))),
    groupBy: toGroupBy(expressions),
    having: conditions.some(hasAggregate) ? joinWithAnd(conditions.filter(hasAggregate)) : null,
    // A unique last key, so that rows of the same moment keep their order from page to page.
    orderBy: isGrouped ? orderBy : [...orderBy, order(field(["uuid"]))],
    limit: constant(limit),
    offset: constant(offset),
  })
}

function readConditions(reader: QueryReader, scope: HogqlScope, run: RunScope): Expression[] {
  const written = (reader.strings("where", { max: MAX_COLUMNS }) ?? []).map(parseExpression)
  const conditions = [...written, ...queryConditions(reader, scope)]
  const [event, personId] = [reader.text("event"), reader.text("personId")]
  if (reader.value("actionId") !== null) conditions.push(matchesAction(readAction(reader, "actionId", scope).id))
  if (event !== null) conditions.push(compare("==", field(["event"]), constant(event)))
  if (personId !== null) conditions.push(compare("==", field(["person_id"]), call("toUUID", [constant(personId)])))
  const after = reader.text("after") ?? "-24h"
  const before = reader.text("before")
  const beforeMs = before === null ? run.nowMs + FUTURE_MS : readInstant(before, run)
  if (before !== "all") conditions.push(compare("<", field(["timestamp"]), instant(beforeMs)))
  if (after !== "all") conditions.push(compare(">", field(["timestamp"]), instant(readInstant(after, run))))
  return conditions
}

/** The order that is asked for; else by the count, the first aggregate or the time, descending; else by the first column. */
function readOrder(reader: QueryReader, columns: readonly ShownColumn[], isGrouped: boolean): readonly OrderItem[] {
  const written = reader.strings("orderBy", { max: MAX_COLUMNS })
  if (written !== null && written.length > 0) return written.map(parseOrder)
  const expressions = columns.flatMap((column) => column.expressions).map(withoutAlias)
  const aggregates = expressions.filter(hasAggregate)
  const first =
    aggregates.find((item) => item.kind === "call" && item.name === "count" && item.args.length === 0) ?? aggregates[0]
  if (first !== undefined) return [order(first, true)]
  const isTimed = columns.some(({ name }) => name === "*" || name === "timestamp")
  if (isTimed && !isGrouped) return [order(field(["timestamp"]), true)]
  return expressions.slice(0, 1).map((expression) => order(expression))
}
