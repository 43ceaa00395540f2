import { type Expression, nodes, type Query } from "../../../hogql/index.js"
import type { JsonObject } from "../../../kernel/json.js"
import { refuseBreakdown } from "../insights/breakdown.js"
import { inRange, listBuckets, toBucketKey } from "../insights/buckets.js"
import type { DateRange, Interval } from "../insights/date-range.js"
import { joinWithAnd, queryConditions } from "../insights/property-conditions.js"
import type { QueryReader } from "../insights/query-reader.js"
import { checkSampling, refuseOptions } from "../insights/refusals.js"
import { describeSeries, readSeries, type Series } from "../insights/series.js"
import { cumulate, sum } from "../insights/sums.js"
import { template } from "../insights/template.js"
import { toAnswer } from "./answer.js"
import type { HogqlResult, KindContext } from "./kind-context.js"
import type { KindDefinition } from "./kind-definition.types.js"
import { readComparedRange, readInterval, readRange } from "./read-dates.js"

const { call, compare, constant } = nodes

const MAX_SERIES = 26

/** Kind `StickinessQuery`: in how many intervals actors were there (`docs/contract/queries.md#stickinessquery`). */
export const stickinessQuery: KindDefinition = {
  kind: "StickinessQuery",
  async answer(reader, context) {
    const stickiness = await readStickiness(reader, context)
    const { range, previous, interval } = stickiness
    const answers: HogqlResult[] = []
    const results: JsonObject[] = []
    for (const period of previous === null ? [range] : [range, previous])
      for (const series of stickiness.series) {
        const sticky = selectSticky(stickiness, series, period)
        const found = await context.select(template(COUNTED, { sticky }))
        answers.push(found)
        const counts = new Map(found.rows.map(([intervals, actors]) => [Number(intervals), Number(actors)]))
        const days = listBuckets(period, interval, context.run).map((_, index) => index + 1)
        const exact = days.map((day) => counts.get(day) ?? 0)
        results.push({
          data: stickiness.isCumulative ? cumulate(exact.toReversed()).toReversed() : exact,
          days,
          labels: days.map((day) => toIntervalLabel(day, interval)),
          count: sum(exact),
          label: series.customName ?? series.name,
          action: describeSeries(series),
          ...(previous !== null && { compare: true, compare_label: period === range ? "current" : "previous" }),
        })
      }
    return toAnswer(results, answers)
  },
}

/** "1 day", "2 days". */
export const toIntervalLabel = (count: number, interval: Interval): string =>
  `${count} ${interval}${count === 1 ? "" : "s"}`

/** A `StickinessQuery`, read. */
type Stickiness = Awaited<ReturnType<typeof readStickiness>>

/** @throws AppError parse_error naming the field, HogqlError for filters that cannot be read. */
export async function readStickiness(reader: QueryReader, context: KindContext) {
  const items = reader.objects("series", { max: MAX_SERIES })
  if (items.length === 0) throw reader.fault("series", "must have at least one item")
  refuseBreakdown(reader)
  refuseOptions(reader, { intervalCount: 1, aggregation_group_type_index: null })
  checkSampling(reader)
  const interval = readInterval(reader)
  const range = await readRange(reader, interval, context)
  const filter = reader.object("stickinessFilter")
  const scope = await context.hogqlScope()
  return {
    series: items.map((item, index) => readSeries(item, index, scope)),
    interval,
    range,
    previous: readComparedRange(reader, range, context),
    conditions: queryConditions(reader, scope),
    isCumulative: filter.choice("computedAs", ["non_cumulative", "cumulative"], "non_cumulative") === "cumulative",
    /** Whether an actor's events of one interval are enough to count. */
    enough: readCriteria(filter.object("stickinessCriteria")),
  }
}

/** Rows `(actor, intervals in which it was there, events in them)`. */
export const selectSticky = ({ interval, conditions, enough }: Stickiness, series: Series, period: DateRange): Query =>
  template(
    `SELECT actor, count() AS intervals, sum(seen) AS events
     FROM (SELECT {actor} AS actor, {bucket} AS bucket, count() AS seen FROM events
       WHERE {where} AND {actor} IS NOT NULL GROUP BY actor, bucket HAVING {enough})
     GROUP BY actor`,
    {
      bucket: toBucketKey(interval),
      actor: series.actor,
      enough,
      where: joinWithAnd([inRange(period), series.condition, ...conditions]),
    },
  )

const COUNTED = "SELECT intervals, count() AS actors FROM {sticky} GROUP BY intervals ORDER BY intervals"

const COMPARISONS = { gte: ">=", lte: "<=", exact: "==" } as const

/** `operator` of a stickiness and of a query for its persons. @throws AppError parse_error. */
export const readComparison = (reader: QueryReader, fallback: keyof typeof COMPARISONS) =>
  COMPARISONS[reader.choice("operator", ["gte", "lte", "exact"], fallback)]

/** `stickinessCriteria`: how many events in an interval make an actor count for it; one when nothing is said. */
function readCriteria(criteria: QueryReader): Expression {
  const value = criteria.integer("value", { min: 1 }) ?? 1
  return compare(readComparison(criteria, "gte"), call("count"), constant(value))
}
