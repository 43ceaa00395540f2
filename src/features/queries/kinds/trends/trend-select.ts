import { type Expression, nodes, type Query } from "../../../../hogql/index.js"
import { toInstantMs, toWallMs } from "../../../../kernel/time-zone.js"
import { type Bucket, bucketKey, instant } from "../../insights/buckets.js"
import type { DateRange, Interval } from "../../insights/date-range.js"
import { aggregateOf, eventAggregate } from "../../insights/math.js"
import { allOf } from "../../insights/property-conditions.js"
import type { Series } from "../../insights/series.js"
import { template } from "../../insights/template.js"

const { alias, array, call, compare, constant, field, select, source, tuple } = nodes
const DAY_MS = 86_400_000

/** One series over one period. */
export interface Trend {
  readonly series: Series
  readonly range: DateRange
  readonly interval: Interval
  readonly buckets: readonly Bucket[]
  /** Conditions of the whole query. */
  readonly conditions: readonly Expression[]
  /** The value to group by; null without a breakdown. */
  readonly breakdown: Expression | null
  /** Whether an event can have several of them, because its person has. */
  readonly isOverlapping: boolean
  /** One value for the whole period instead of one per interval. */
  readonly isTotal: boolean
  readonly timezone: string
}

/** Rows `(bucket, breakdown, value)`; the bucket of a total is 0 and the breakdown of none is "". */
export function trendSelect(trend: Trend): Promise<Query> | Query {
  const { math } = trend.series
  if (math === "first_time_for_user") return firstTimes(trend)
  if (math.endsWith("_count_per_actor")) return perActor(trend)
  const days = activeDays(trend)
  if (days === null) return perEvent(trend)
  if (!trend.isTotal) return activeInWindows(trend, days)
  const { toMs } = trend.range
  return perEvent({ ...trend, range: { fromMs: daysBefore(toMs, days, trend.timezone), toMs } })
}

/** How far `weekly_active` and `monthly_active` look back; null where a point's interval is as long as that. */
export function activeDays({
  series,
  interval,
  isTotal,
}: Pick<Trend, "series" | "interval" | "isTotal">): number | null {
  const isLong = !isTotal && (interval === "month" || (interval === "week" && series.math === "weekly_active"))
  if (isLong) return null
  return series.math === "weekly_active" ? 7 : series.math === "monthly_active" ? 30 : null
}

/** The same time of day so many days before, whatever the clocks did meanwhile. */
export const daysBefore = (instantMs: number, days: number, timezone: string): number =>
  toInstantMs(toWallMs(instantMs, timezone) - days * DAY_MS, timezone)

/** Whether a time lies in a range; its end is left out. */
export const inRange = ({ fromMs, toMs }: DateRange, time: Expression = field(["timestamp"])): Expression =>
  allOf([compare(">=", time, instant(fromMs)), compare("<", time, instant(toMs))])

/** Which events the trend is about. */
export const whereOf = ({ series, range, conditions }: Trend, ...more: Expression[]): Expression =>
  allOf([inRange(range), series.condition, ...conditions, ...more])

const keysOf = ({ isTotal, interval, breakdown }: Trend, time?: Expression): Expression[] => [
  alias("bucket", isTotal ? constant(0) : bucketKey(interval, time)),
  alias("breakdown", breakdown ?? constant("")),
]
const groupBy = [field(["bucket"]), field(["breakdown"])]
const from = [source(field(["events"]))]

const perEvent = (trend: Trend, value = eventAggregate(trend.series)): Query =>
  select({
    columns: [...keysOf(trend), alias("value", value)],
    from,
    where: whereOf(trend),
    groupBy,
  })

/** As `trendSelect`, with the actors themselves as the value, for `uniqExactMerge`; null where the value is no count of such. */
export function actorsPerEvent(trend: Trend): Query | null {
  const { math, value, formula, actor } = trend.series
  const isCount = math === "dau" || math === "unique_session" || math === "unique_group"
  return isCount && value === null && formula === null ? perEvent(trend, call("uniqExactState", [actor])) : null
}

/** Events of each actor counted, then the counts aggregated. */
function perActor(trend: Trend): Promise<Query> {
  const { math, actor } = trend.series
  const counted = select({
    columns: [...keysOf(trend), alias("actor", actor), alias("events", call("count"))],
    from,
    where: whereOf(trend),
    groupBy: [...groupBy, field(["actor"])],
  })
  const value = aggregateOf(math.replace("_count_per_actor", ""), field(["events"]))
  return template("SELECT bucket, breakdown, {value} AS value FROM {counted} GROUP BY bucket, breakdown", {
    value,
    counted,
  })
}

/** Persons whose first event of that name ever lies in the period and fits the filters of the series. */
function firstTimes(trend: Trend): Promise<Query> {
  const { series, range, conditions, isTotal, interval, isOverlapping } = trend
  const fits = allOf([series.condition, ...conditions])
  return template(
    `SELECT {bucket} AS bucket, breakdown, count() AS value
     FROM (
       SELECT min(timestamp) AS first, ${isOverlapping ? "{breakdown}" : "argMin({breakdown}, timestamp)"} AS breakdown
       FROM events WHERE {named} AND timestamp < {to}
       GROUP BY person_id${isOverlapping ? ", breakdown" : ""}
       HAVING first = minIf(timestamp, {fits}) AND countIf({fits}) > 0 AND first >= {from}
     )
     GROUP BY bucket, breakdown`,
    {
      bucket: isTotal ? constant(0) : bucketKey(interval, field(["first"])),
      breakdown: trend.breakdown ?? constant(""),
      named: series.eventCondition,
      fits,
      from: instant(range.fromMs),
      to: instant(range.toMs),
    },
  )
}

/** Actors seen in the days that end with each interval. */
function activeInWindows(trend: Trend, days: number): Promise<Query> {
  const { buckets, interval, series, timezone } = trend
  const startMs = (endMs: number) => daysBefore(endMs, days, timezone)
  const windows = buckets.map(({ key, endMs }) =>
    tuple([constant(startMs(endMs) / 1000), constant(endMs / 1000), constant(key)]),
  )
  const { toMs } = trend.range
  const fromMs = startMs(buckets[0]?.endMs ?? toMs)
  const grain = interval === "hour" || interval === "minute" ? "toStartOfMinute" : "toStartOfDay"
  const seen = select({
    columns: [
      alias("at", call("toUnixTimestamp", [call(grain, [field(["timestamp"])])])),
      alias("breakdown", trend.breakdown ?? constant("")),
      alias("actor", series.actor),
    ],
    distinct: true,
    from,
    where: whereOf({ ...trend, range: { fromMs, toMs } }),
  })
  return template(
    `SELECT arrayJoin(arrayFilter(w -> at >= w.1 AND at < w.2, {windows})).3 AS bucket, breakdown,
       uniqExact(actor) AS value
     FROM {seen} GROUP BY bucket, breakdown`,
    { windows: array(windows), seen },
  )
}
