import type { Expression, Query } from "../../../../hogql/index.js"
import { breakdownCondition } from "../../insights/breakdown-condition.js"
import { bucketsOf, instant } from "../../insights/buckets.js"
import { type DateRange, toInstantOf } from "../../insights/date-range.js"
import { allOf } from "../../insights/property-conditions.js"
import type { QueryReader } from "../../insights/query-reader.js"
import { template } from "../../insights/template.js"
import type { RunScope } from "../../queries.types.js"
import { activeDays, daysBefore, inRange } from "../trends/trend-select.js"
import { readTrends } from "../trends/trends-query.js"
import type { PointActors } from "./point-actors.types.js"

/** The persons of one value of a trend: `series`, `day` (the whole range without one), `breakdown` and `compare`. */
export const trendActors: PointActors = async (reader, source, runner, run) => {
  const request = await readTrends(source, runner, run)
  const series = request.series[reader.integer("series", { min: 0, max: request.series.length - 1 }) ?? 0]
  if (series === undefined) throw reader.fault("series", "must be the number of a series")
  if (series.math === "unique_group") throw reader.fault("series", "counts groups, which are no persons")
  const isPrevious = reader.choice("compare", ["current", "previous"], "current") === "previous"
  const period = request.periods[isPrevious ? 1 : 0]
  if (period === undefined) throw reader.fault("compare", "needs a comparison in the insight")
  const day = reader.text("day")
  const { range, endMs } =
    day === null
      ? { range: period.range, endMs: period.range.toMs }
      : pointOf(reader, day, period.range, request.interval, run)
  const days = activeDays({ ...request, series })
  const fromMs = days === null ? range.fromMs : daysBefore(endMs, days, run.timezone)
  const conditions = [...request.conditions, breakdownCondition(reader, "breakdown", request.breakdown)]
  return series.math === "first_time_for_user"
    ? firstTimers(series.eventCondition, allOf([series.condition, ...conditions]), range)
    : template("SELECT person_id AS actor_id, count() AS event_count FROM events WHERE {where} GROUP BY actor_id", {
        where: allOf([inRange({ fromMs, toMs: range.toMs }), series.condition, ...conditions]),
      })
}

/** The interval of a range that a time falls in, what of it lies in the range, and where it ends itself. */
function pointOf(
  reader: QueryReader,
  day: string,
  range: DateRange,
  interval: Parameters<typeof bucketsOf>[1],
  run: RunScope,
): { readonly range: DateRange; readonly endMs: number } {
  const atMs = toInstantOf(day, run)
  const bucket = bucketsOf(range, interval, run).find(({ startMs, endMs }) => startMs <= atMs && atMs < endMs)
  if (bucket === undefined) throw reader.fault("day", "must lie in the insight's dates")
  const { startMs, endMs } = bucket
  return { range: { fromMs: Math.max(startMs, range.fromMs), toMs: Math.min(endMs, range.toMs) }, endMs }
}

/** Persons whose first event of that name ever lies in the range and fits the filters. */
const firstTimers = (named: Expression, fits: Expression, { fromMs, toMs }: DateRange): Promise<Query> =>
  template(
    `SELECT person_id AS actor_id, 1 AS event_count FROM events WHERE {named} AND timestamp < {to} GROUP BY actor_id
     HAVING min(timestamp) = minIf(timestamp, {fits}) AND countIf({fits}) > 0 AND min(timestamp) >= {from}`,
    { named, fits, from: instant(fromMs), to: instant(toMs) },
  )
