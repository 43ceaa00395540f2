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
import { toInstantOf } from "../insights/date-range.js"
import { allOf, queryConditions } from "../insights/property-conditions.js"
import { orQueryFault } from "../insights/query-fault.js"
import { QueryReader } from "../insights/query-reader.js"
import { perColumn, type ShownColumn, showRows, toShownColumn } from "../insights/shown-columns.js"
import type { QueryKind, RunScope } from "../queries.types.js"
import { tableAnswerOf } from "./answer.js"
import type { HogqlRunner } from "./hogql-runner.js"

const { alias, call, compare, constant, field, order, select, source } = nodes

const DEFAULT_LIMIT = 100
const MAX_ROWS = 50_000
const MAX_COLUMNS = 200
/** Clients' clocks may be ahead of ours. */
const FUTURE_MS = 5_000

/** Kind `EventsQuery`: a table of events, or of aggregates over them (`reference/management.md` 7.8). */
export function createEventsQueryKind(runner: HogqlRunner): QueryKind {
  return {
    kind: "EventsQuery",
    async run(query, run) {
      const reader = new QueryReader(query, "EventsQuery")
      const scope = await runner.scopeOf(run)
      const columns = await orQueryFault(() => readColumns(reader))
      const ast = await orQueryFault(() => toSelect(reader, columns, scope, run))
      const result = await runner.runNodes(ast, run, { isShown: true })
      const names = columns.map(({ name }) => name)
      return tableAnswerOf(result, showRows(result.rows, columns), names, { types: showTypes(result.types, columns) })
    },
  }
}

async function readColumns(reader: QueryReader): Promise<ShownColumn[]> {
  const texts = reader.texts("select", { max: MAX_COLUMNS })
  if (texts === null) throw reader.fault("select", "is required and must be a list of texts")
  return Promise.all((texts.length === 0 ? ["*"] : texts).map((text) => toShownColumn(text)))
}

/** An object's column has the type of what it is made of. */
const showTypes = (types: readonly string[], columns: readonly ShownColumn[]): string[] =>
  perColumn(types, columns).map((own) => (own.length === 1 ? (own[0] ?? "") : `Tuple(${own.join(", ")})`))

async function toSelect(
  reader: QueryReader,
  columns: readonly ShownColumn[],
  scope: HogqlScope,
  run: RunScope,
): Promise<Select> {
  const expressions = columns.flatMap((column) => column.expressions)
  const isGrouped = expressions.some(hasAggregate)
  const conditions = await readConditions(reader, scope, run)
  const orderBy = await readOrder(reader, columns, isGrouped)
  return select({
    columns: expressions.map((expression, index) =>
      expression.kind === "alias" ? expression : alias(`column_${index}`, expression),
    ),
    from: [source(field(["events"]))],
    where: allOf(conditions.filter((condition) => !hasAggregate(condition))),
    groupBy: isGrouped ? expressions.filter((expression) => !hasAggregate(expression)).map(withoutAlias) : [],
    having: conditions.some(hasAggregate) ? allOf(conditions.filter(hasAggregate)) : null,
    // Without a last word, rows of the same moment would change places from page to page.
    orderBy: isGrouped ? orderBy : [...orderBy, order(field(["uuid"]))],
    limit: constant(reader.integer("limit", { min: 1, max: MAX_ROWS }) ?? DEFAULT_LIMIT),
    offset: constant(reader.integer("offset", { min: 0 }) ?? 0),
  })
}

const withoutAlias = (expression: Expression): Expression =>
  expression.kind === "alias" ? expression.expression : expression

async function readConditions(reader: QueryReader, scope: HogqlScope, run: RunScope): Promise<Expression[]> {
  const written = await Promise.all((reader.texts("where", { max: MAX_COLUMNS }) ?? []).map(parseExpression))
  const conditions = [...written, ...(await queryConditions(reader, scope))]
  const [event, personId] = [reader.text("event"), reader.text("personId")]
  if (reader.value("actionId") !== null) throw reader.fault("actionId", "is not supported: there are no actions")
  if (event !== null) conditions.push(compare("==", field(["event"]), constant(event)))
  if (personId !== null) conditions.push(compare("==", field(["person_id"]), call("toUUID", [constant(personId)])))
  const after = reader.text("after") ?? "-24h"
  const before = reader.text("before")
  const beforeMs = before === null ? run.nowMs + FUTURE_MS : toInstantOf(before, run)
  if (before !== "all") conditions.push(compare("<", field(["timestamp"]), instant(beforeMs)))
  if (after !== "all") conditions.push(compare(">", field(["timestamp"]), instant(toInstantOf(after, run))))
  return conditions
}

/** What was asked for; else the count, the first aggregate or the time, newest first; else the first column. */
async function readOrder(
  reader: QueryReader,
  columns: readonly ShownColumn[],
  isGrouped: boolean,
): Promise<readonly OrderItem[]> {
  const written = reader.texts("orderBy", { max: MAX_COLUMNS })
  if (written !== null && written.length > 0) return Promise.all(written.map(parseOrder))
  const expressions = columns.flatMap((column) => column.expressions).map(withoutAlias)
  const aggregates = expressions.filter(hasAggregate)
  const first =
    aggregates.find((item) => item.kind === "call" && item.name === "count" && item.args.length === 0) ?? aggregates[0]
  if (first !== undefined) return [order(first, true)]
  const isTimed = columns.some(({ name }) => name === "*" || name === "timestamp")
  if (isTimed && !isGrouped) return [order(field(["timestamp"]), true)]
  return expressions.slice(0, 1).map((expression) => order(expression))
}
