import { type Expression, nodes, type Query } from "../../../hogql/index.js"
import type { JsonObject } from "../../../kernel/json.js"
import { refuseBreakdown } from "../insights/breakdown.js"
import { bucketKey, bucketsOf } from "../insights/buckets.js"
import { type DateRange, type Interval, previousRange } from "../insights/date-range.js"
import { readInterval } from "../insights/insight-dates.js"
import { allOf, queryConditions } from "../insights/property-conditions.js"
import { orQueryFault } from "../insights/query-fault.js"
import { QueryReader } from "../insights/query-reader.js"
import { checkSampling, refuseOptions } from "../insights/refusals.js"
import { describe, readSeries, type Series } from "../insights/series.js"
import { template } from "../insights/template.js"
import type { QueryKind, RunScope } from "../queries.types.js"
import { answerOf } from "./answer.js"
import type { HogqlResult, HogqlRunner } from "./hogql-runner.js"
import { readRange } from "./read-range.js"
import { cumulated } from "./trends/trend-results.js"
import { inRange } from "./trends/trend-select.js"

const MAX_SERIES = 26

/** A `StickinessQuery`, read. */
interface Stickiness {
  readonly series: readonly Series[]
  readonly interval: Interval
  readonly range: DateRange
  readonly previous: DateRange | null
  readonly conditions: readonly Expression[]
  readonly isCumulative: boolean
  /** Whether an actor's events of one interval are enough to count. */
  readonly enough: Expression
}

/** Kind `StickinessQuery`: in how many intervals actors were there (`reference/management.md` 7.8). */
export function createStickinessQueryKind(runner: HogqlRunner): QueryKind {
  return {
    kind: "StickinessQuery",
    async run(query, run) {
      const reader = new QueryReader(query, "StickinessQuery")
      const stickiness = await orQueryFault(() => readStickiness(reader, runner, run))
      const { range, previous, interval } = stickiness
      const answers: HogqlResult[] = []
      const results: JsonObject[] = []
      for (const period of previous === null ? [range] : [range, previous])
        for (const series of stickiness.series) {
          const sticky = await stickySelect(stickiness, series, period)
          const answer = await runner.runNodes(await template(COUNTED, { sticky }), run)
          answers.push(answer)
          const counts = new Map(answer.rows.map(([intervals, actors]) => [Number(intervals), Number(actors)]))
          const days = bucketsOf(period, interval, run).map((_, index) => index + 1)
          const exact = days.map((day) => counts.get(day) ?? 0)
          const data = stickiness.isCumulative ? cumulated(exact.toReversed()).toReversed() : exact
          results.push({
            data,
            days,
            labels: days.map((day) => intervalLabel(day, interval)),
            count: exact.reduce((sum, value) => sum + value, 0),
            label: series.customName ?? series.name,
            action: describe(series),
            ...(previous !== null && { compare: true, compare_label: period === range ? "current" : "previous" }),
          })
        }
      return answerOf(results, answers)
    },
  }
}

/** "1 day", "2 days". */
export const intervalLabel = (count: number, interval: Interval): string =>
  `${count} ${interval}${count === 1 ? "" : "s"}`

/** @throws AppError parse_error naming the field, HogqlError for filters that cannot be read. */
export async function readStickiness(reader: QueryReader, runner: HogqlRunner, run: RunScope): Promise<Stickiness> {
  const items = reader.objects("series", { max: MAX_SERIES })
  if (items.length === 0) throw reader.fault("series", "must have at least one item")
  refuseBreakdown(reader)
  refuseOptions(reader, { intervalCount: 1, aggregation_group_type_index: null })
  checkSampling(reader)
  const interval = readInterval(reader)
  const range = await readRange(reader, interval, runner, run)
  const compare = reader.object("compareFilter")
  const filter = reader.object("stickinessFilter")
  return {
    series: await Promise.all(items.map(readSeries)),
    ...{ interval, range },
    previous: compare.flag("compare") ? previousRange(range, compare.text("compare_to") || null, run) : null,
    conditions: await queryConditions(reader, await runner.scopeOf(run)),
    isCumulative: filter.choice("computedAs", ["non_cumulative", "cumulative"], "non_cumulative") === "cumulative",
    enough: eventsEnough(filter.object("stickinessCriteria")),
  }
}

/** Rows `(actor, intervals in which it was there, events in them)`. */
export const stickySelect = (
  { interval, conditions, enough }: Stickiness,
  series: Series,
  period: DateRange,
): Promise<Query> =>
  template(
    `SELECT actor, count() AS intervals, sum(seen) AS events
     FROM (SELECT {actor} AS actor, {bucket} AS bucket, count() AS seen FROM events
       WHERE {where} AND {actor} IS NOT NULL GROUP BY actor, bucket HAVING {enough})
     GROUP BY actor`,
    {
      bucket: bucketKey(interval),
      actor: series.actor,
      enough,
      where: allOf([inRange(period), series.condition, ...conditions]),
    },
  )

const COUNTED = "SELECT intervals, count() AS actors FROM {sticky} GROUP BY intervals ORDER BY intervals"

/** `stickinessCriteria`: how many events in an interval make an actor count for it; one when nothing is said. */
function eventsEnough(criteria: QueryReader): Expression {
  const operator = criteria.choice("operator", ["gte", "lte", "exact"], "gte")
  const value = criteria.integer("value", { min: 1 }) ?? 1
  const comparison = ({ gte: ">=", lte: "<=", exact: "==" } as const)[operator]
  return nodes.compare(comparison, nodes.call("count"), nodes.constant(value))
}
