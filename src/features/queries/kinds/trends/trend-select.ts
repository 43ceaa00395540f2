import { type Expression, nodes, type Query } from "../../../../hogql/index.js"
import { toInstantMs, toWallMs } from "../../../../kernel/time-zone.js"
import { type Bucket, inRange, instant, toBucketKey } from "../../insights/buckets.js"
import { type DateRange, type Interval, isFinerThanDay } from "../../insights/date-range.js"
import { isOfFirstTimes, toAggregate, toEventAggregate, toFirstOnes } from "../../insights/math.js"
import { joinWithAnd } from "../../insights/property-conditions.js"
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
  /** Whether an event can have several values, as a person can be in several cohorts. */
  readonly isOverlapping: boolean
  /** Whether each interval also counts all before it, and whoever is in several of them once. */
  readonly isCumulative: boolean
  /** One value for the whole period instead of one per interval. */
  readonly isTotal: boolean
  readonly timezone: string
}

/** Rows `(bucket, breakdown, value)`; the bucket of a total is 0 and the breakdown of none is "". */
export function selectTrend(trend: Trend): Query {
  const { math } = trend.series
  if (isOfFirstTimes(trend.series)) return selectFirstTimes(trend)
  if (math.endsWith("_count_per_actor")) return selectPerActor(trend)
  if (trend.series.isPerSession) return selectPerSession(trend)
  if (trend.isCumulative && DISTINCT.has(math)) return selectNewcomers(trend)
  const days = countActiveDays(trend)
  if (days === null) return selectPerEvent(trend)
  if (!trend.isTotal) return selectActiveInWindows(trend, days)
  const { toMs } = trend.range
  return selectPerEvent({ ...trend, range: { fromMs: daysBefore(toMs, days, trend.timezone), toMs } })
}

/** How far `weekly_active` and `monthly_active` look back; null where a point's interval is as long as that. */
export function countActiveDays({
  series,
  interval,
  isTotal,
}: Pick<Trend, "series" | "interval" | "isTotal">): number | null {
  const isLong =
    !isTotal &&
    (interval === "month" || interval === "quarter" || (interval === "week" && series.math === "weekly_active"))
  if (isLong) return null
  return series.math === "weekly_active" ? 7 : series.math === "monthly_active" ? 30 : null
}

/** The same time of day so many days before, whatever the clocks did meanwhile. */
export const daysBefore = (instantMs: number, days: number, timezone: string): number =>
  toInstantMs(toWallMs(instantMs, timezone) - days * DAY_MS, timezone)

/** Which events the trend is about. */
export const toWhere = ({ series, range, conditions }: Trend): Expression =>
  joinWithAnd([inRange(range), series.condition, ...conditions])

const toKeys = ({ isTotal, interval, breakdown }: Trend): Expression[] => [
  alias("bucket", isTotal ? constant(0) : toBucketKey(interval)),
  alias("breakdown", breakdown ?? constant("")),
]
const groupBy = [field(["bucket"]), field(["breakdown"])]
const from = [source(field(["events"]))]

/** Ways of counting that count an actor once in an interval. */
const DISTINCT = new Set(["dau", "unique_session", "unique_group"])

const selectPerEvent = (trend: Trend, value = toEventAggregate(trend.series)): Query =>
  select({ columns: [...toKeys(trend), alias("value", value)], from, where: toWhere(trend), groupBy })

/** As `selectTrend`, with states for `uniqExactMerge` as values; null for a series that does not count distinct actors. */
export function selectActorsPerEvent(trend: Trend): Query | null {
  const { math, value, formula, actor } = trend.series
  const isCount = DISTINCT.has(math) && !trend.isCumulative
  return isCount && value === null && formula === null ? selectPerEvent(trend, call("uniqExactState", [actor])) : null
}

/** Events of each actor counted, then the counts aggregated. */
function selectPerActor(trend: Trend): Query {
  const { math, actor, countsGroups } = trend.series
  const counted = select({
    columns: [...toKeys(trend), alias("actor", actor), alias("events", call("count"))],
    from,
    where: joinWithAnd([toWhere(trend), countsGroups ? compare("!=", actor, constant(null)) : null]),
    groupBy: [...groupBy, field(["actor"])],
  })
  const value = toAggregate(math.replace("_count_per_actor", ""), field(["events"]))
  return template("SELECT bucket, breakdown, {value} AS value FROM {counted} GROUP BY bucket, breakdown", {
    value,
    counted,
  })
}

/** The value of each session that has an event there, aggregated. */
function selectPerSession(trend: Trend): Query {
  const { math, value } = trend.series
  const sessions = select({
    columns: [
      ...toKeys(trend),
      alias("session", field(["$session_id"])),
      alias("found", call("any", [value ?? constant(null)])),
    ],
    from,
    where: toWhere(trend),
    groupBy: [...groupBy, field(["session"])],
  })
  return template("SELECT bucket, breakdown, {value} AS value FROM {sessions} GROUP BY bucket, breakdown", {
    value: toAggregate(math, field(["found"])),
    sessions,
  })
}

/** Actors in the interval in which each is seen first, so that adding intervals up counts nobody twice. */
function selectNewcomers(trend: Trend): Query {
  const { series, interval, breakdown } = trend
  return template(
    `SELECT {bucket} AS bucket, breakdown, count() AS value
     FROM (SELECT {actor} AS actor, {breakdown} AS breakdown, min(timestamp) AS first FROM events
       WHERE {where} AND {actor} IS NOT NULL GROUP BY actor, breakdown)
     GROUP BY bucket, breakdown`,
    {
      bucket: toBucketKey(interval, field(["first"])),
      actor: series.actor,
      breakdown: breakdown ?? constant(""),
      where: toWhere(trend),
    },
  )
}

/** Persons whose first event ever, of those that `toFirstOnes` names, lies in the period and fits the filters. */
function selectFirstTimes(trend: Trend): Query {
  const { series, range, conditions, isTotal, interval, isOverlapping } = trend
  const fits = joinWithAnd([series.condition, ...conditions])
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
      bucket: isTotal ? constant(0) : toBucketKey(interval, field(["first"])),
      breakdown: trend.breakdown ?? constant(""),
      named: toFirstOnes(series, fits),
      fits,
      from: instant(range.fromMs),
      to: instant(range.toMs),
    },
  )
}

/** Actors seen in the days that end with each interval. */
function selectActiveInWindows(trend: Trend, days: number): Query {
  const { buckets, interval, series, timezone } = trend
  const startMs = (endMs: number) => daysBefore(endMs, days, timezone)
  const windows = buckets.map(({ key, endMs }) =>
    tuple([constant(startMs(endMs) / 1000), constant(endMs / 1000), constant(key)]),
  )
  const { toMs } = trend.range
  const fromMs = startMs(buckets[0]?.endMs ?? toMs)
  const grain =
    interval === "second" ? "toStartOfSecond" : isFinerThanDay(interval) ? "toStartOfMinute" : "toStartOfDay"
  const seen = select({
    columns: [
      alias("at", call("toUnixTimestamp", [call(grain, [field(["timestamp"])])])),
      alias("breakdown", trend.breakdown ?? constant("")),
      alias("actor", series.actor),
    ],
    distinct: true,
    from,
    where: toWhere({ ...trend, range: { fromMs, toMs } }),
  })
  return template(
    `SELECT arrayJoin(arrayFilter(w -> at >= w.1 AND at < w.2, {windows})).3 AS bucket, breakdown,
       uniqExact(actor) AS value
     FROM {seen} GROUP BY bucket, breakdown`,
    { windows: array(windows), seen },
  )
}
