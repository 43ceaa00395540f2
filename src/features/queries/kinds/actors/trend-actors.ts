import type { Expression, Query } from "../../../../hogql/index.js"
import { breakdownCondition } from "../../insights/breakdown-condition.js"
import { inRange, instant, listBuckets } from "../../insights/buckets.js"
import { type DateRange, type Interval, readInstant } from "../../insights/date-range.js"
import { isOfFirstTimes, toFirstOnes } from "../../insights/math.js"
import { joinWithAnd } from "../../insights/property-conditions.js"
import type { QueryReader } from "../../insights/query-reader.js"
import { template } from "../../insights/template.js"
import type { RunScope } from "../../queries.types.js"
import { readTrends } from "../trends/read-trends.js"
import { countActiveDays, daysBefore } from "../trends/trend-select.js"
import { type PointActors, readPeriod, readPointSeries } from "./point-actors.js"

/** The persons of one value of a trend: `series`, `day` (the whole range without one), `breakdown` and `compare`. */
export const trendActors: PointActors = async (reader, source, context) => {
  const trends = await readTrends(source, context)
  const series = readPointSeries(reader, trends.series)
  const period = readPeriod(
    reader,
    trends.periods.map(({ range }) => range),
  )
  const day = reader.text("day")
  const { range, endMs } =
    day === null
      ? { range: period, endMs: period.toMs }
      : readInterval(reader, day, period, trends.interval, context.run)
  const days = countActiveDays({ ...trends, series })
  const firstMs = trends.isCumulative ? period.fromMs : range.fromMs
  const fromMs = days === null ? firstMs : daysBefore(endMs, days, context.run.timezone)
  const conditions = [...trends.conditions, breakdownCondition(reader, "breakdown", trends.breakdown)]
  const fits = joinWithAnd([series.condition, ...conditions])
  return isOfFirstTimes(series)
    ? selectFirstTimers(toFirstOnes(series, fits), fits, range)
    : template("SELECT person_id AS actor_id, count() AS event_count FROM events WHERE {where} GROUP BY actor_id", {
        where: joinWithAnd([inRange({ fromMs, toMs: range.toMs }), fits]),
      })
}

/** The part of a day's interval that lies in a range, and where the interval itself ends. */
function readInterval(reader: QueryReader, day: string, range: DateRange, interval: Interval, run: RunScope) {
  const atMs = readInstant(day, run)
  const bucket = listBuckets(range, interval, run).find(({ startMs, endMs }) => startMs <= atMs && atMs < endMs)
  if (bucket === undefined) throw reader.fault("day", "must lie in the insight's dates")
  const { startMs, endMs } = bucket
  return { range: { fromMs: Math.max(startMs, range.fromMs), toMs: Math.min(endMs, range.toMs) }, endMs }
}

/** Persons whose first event ever of those that are named lies in the range and fits the filters. */
const selectFirstTimers = (named: Expression, fits: Expression, { fromMs, toMs }: DateRange): Query =>
  template(
    `SELECT person_id AS actor_id, 1 AS event_count FROM events WHERE {named} AND timestamp < {to} GROUP BY actor_id
     HAVING min(timestamp) = minIf(timestamp, {fits}) AND countIf({fits}) > 0 AND min(timestamp) >= {from}`,
    { named, fits, from: instant(fromMs), to: instant(toMs) },
  )
