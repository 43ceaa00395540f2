import { nodes, type Query } from "../../../hogql/index.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import { refuseBreakdown } from "../insights/breakdown.js"
import { inRange, instant } from "../insights/buckets.js"
import { readConversionGoal } from "../insights/conversion-goal.js"
import { joinWithAnd, queryConditions } from "../insights/property-conditions.js"
import type { QueryReader } from "../insights/query-reader.js"
import { checkSampling, refuseComparison, refuseOptions } from "../insights/refusals.js"
import { readSeries } from "../insights/series.js"
import { template } from "../insights/template.js"
import { toAnswer } from "./answer.js"
import type { KindContext } from "./kind-context.js"
import type { KindDefinition } from "./kind-definition.types.js"
import { readRange } from "./read-dates.js"

const { field } = nodes

const DAY_MS = 86_400_000

/**
 * Kind `CalendarHeatmapQuery`: events or persons by day of the week and hour
 * (`docs/contract/queries.md#calendarheatmapquery`).
 */
export const calendarHeatmapQuery: KindDefinition = {
  kind: "CalendarHeatmapQuery",
  async answer(reader, context) {
    const found = await context.select(await selectCells(reader, context))
    return toAnswer(toHeatmap(found.rows), [found])
  },
}

/** Rows `(day, hour, value)`: 0 and -1 stand for all days and all hours. */
async function selectCells(reader: QueryReader, context: KindContext): Promise<Query> {
  const [item] = reader.objects("series", { max: 1 })
  if (item === undefined) throw reader.fault("series", "must have one item")
  refuseBreakdown(reader)
  refuseComparison(reader)
  refuseOptions(reader, { interval: "day", aggregation_group_type_index: null })
  checkSampling(reader)
  const scope = await context.hogqlScope()
  const series = readSeries(item, 0, scope)
  if (series.math !== "total" && series.math !== "dau")
    throw item.fault("math", "must be total or dau: nothing else is counted by hour")
  if (series.countsGroups) throw item.fault("math_group_type_index", "is not supported: a heatmap counts persons")
  const range = await readRange(reader, null, context)
  const goal = readConversionGoal(reader, scope)
  const isOfPersons = series.math === "dau"
  return template(
    `SELECT day, hour, ${isOfPersons ? "uniqExact(person)" : "count()"} AS value
     FROM (
       SELECT person, cell.1 AS day, cell.2 AS hour,
         arrayJoin([(toDayOfWeek(at), toHour(at)), (toDayOfWeek(at), -1), (0, toHour(at)), (0, -1)]) AS cell
       FROM (${isOfPersons ? VISITS : EVENTS}) WHERE {isShown}
     )
     GROUP BY day, hour ORDER BY day, hour`,
    {
      where: joinWithAnd([goal ?? series.condition, ...queryConditions(reader, scope)]),
      from: instant(range.fromMs - DAY_MS),
      to: instant(range.toMs),
      isShown: inRange(range, field(["at"])),
    },
  )
}

const EVENTS =
  "SELECT person_id AS person, timestamp AS at FROM events WHERE timestamp >= {from} AND timestamp < {to} AND {where}"
/**
 * A session is there when it began, also the day before the dates, where it is not shown. Events without one stand for
 * themselves.
 */
const VISITS = `SELECT any(person_id) AS person, min(timestamp) AS at FROM events
  WHERE timestamp >= {from} AND timestamp < {to} AND {where} GROUP BY ifNull($session_id, toString(uuid))`

function toHeatmap(rows: readonly (readonly Json[])[]): JsonObject {
  const cells = rows.map(([day, hour, value]) => ({ row: Number(day), column: Number(hour), value: Number(value) }))
  const ofAllHours = cells.filter(({ column }) => column < 0)
  const ofHours = cells.filter(({ column }) => column >= 0)
  return {
    data: ofHours.filter(({ row }) => row > 0),
    rowAggregations: ofAllHours.filter(({ row }) => row > 0).map(({ row, value }) => ({ row, value })),
    columnAggregations: ofHours.filter(({ row }) => row === 0).map(({ column, value }) => ({ column, value })),
    allAggregations: ofAllHours.find(({ row }) => row === 0)?.value ?? 0,
  }
}
