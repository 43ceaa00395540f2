import { type Expression, nodes } from "../../../hogql/index.js"
import type { JsonObject } from "../../../kernel/json.js"
import { bucketKey, bucketsOf } from "../insights/buckets.js"
import { previousRange } from "../insights/date-range.js"
import { readInterval } from "../insights/insight-dates.js"
import { allOf, queryConditions } from "../insights/property-conditions.js"
import { orQueryFault } from "../insights/query-fault.js"
import { QueryReader } from "../insights/query-reader.js"
import { describe, readSeries } from "../insights/series.js"
import { template } from "../insights/template.js"
import type { QueryKind } from "../queries.types.js"
import { answerOf } from "./answer.js"
import type { HogqlResult, HogqlRunner } from "./hogql-runner.js"
import { readRange } from "./read-range.js"
import { cumulated } from "./trends/trend-results.js"
import { inRange } from "./trends/trend-select.js"

const MAX_SERIES = 26

/** Kind `StickinessQuery`: in how many intervals actors were there (`reference/management.md` 7.8). */
export function createStickinessQueryKind(runner: HogqlRunner): QueryKind {
  return {
    kind: "StickinessQuery",
    async run(query, run) {
      const reader = new QueryReader(query, "StickinessQuery")
      const items = reader.objects("series", { max: MAX_SERIES })
      if (items.length === 0) throw reader.fault("series", "must have at least one item")
      const interval = readInterval(reader)
      const range = await readRange(reader, interval, runner, run)
      const compare = reader.object("compareFilter")
      const filter = reader.object("stickinessFilter")
      const isCumulative =
        filter.choice("computedAs", ["non_cumulative", "cumulative"], "non_cumulative") === "cumulative"
      const enough = eventsEnough(filter.object("stickinessCriteria"))
      const scope = await runner.scopeOf(run)
      const conditions = await orQueryFault(() => queryConditions(reader, scope))
      const previous = compare.flag("compare") ? previousRange(range, compare.text("compare_to") || null, run) : null
      const answers: HogqlResult[] = []
      const results: JsonObject[] = []
      for (const period of previous === null ? [range] : [range, previous])
        for (const [order, item] of items.entries()) {
          const series = await orQueryFault(() => readSeries(item, order))
          const length = bucketsOf(period, interval, run).length
          const answer = await runner.runNodes(
            await template(TEXT, {
              bucket: bucketKey(interval),
              actor: series.actor,
              enough,
              where: allOf([inRange(period), series.condition, ...conditions]),
            }),
            run,
          )
          answers.push(answer)
          const counts = new Map(answer.rows.map(([intervals, actors]) => [Number(intervals), Number(actors)]))
          const days = Array.from({ length }, (_, index) => index + 1)
          const exact = days.map((day) => counts.get(day) ?? 0)
          const data = isCumulative ? cumulated(exact.toReversed()).toReversed() : exact
          results.push({
            data,
            days,
            labels: days.map((day) => `${day} ${interval}${day === 1 ? "" : "s"}`),
            count: data.reduce((sum, value) => sum + value, 0),
            label: series.customName ?? series.name,
            action: describe(series),
            ...(previous !== null && { compare: true, compare_label: period === range ? "current" : "previous" }),
          })
        }
      return answerOf(results, answers)
    },
  }
}

const TEXT = `
SELECT intervals, count() AS actors
FROM (
  SELECT actor, count() AS intervals
  FROM (SELECT {actor} AS actor, {bucket} AS bucket FROM events WHERE {where} AND {actor} IS NOT NULL GROUP BY actor, bucket HAVING {enough})
  GROUP BY actor)
GROUP BY intervals ORDER BY intervals`

/** `stickinessCriteria`: how many events in an interval make an actor count for it; one when nothing is said. */
function eventsEnough(criteria: QueryReader): Expression {
  const operator = criteria.choice("operator", ["gte", "lte", "exact"], "gte")
  const value = criteria.integer("value", { min: 1 }) ?? 1
  const comparison = ({ gte: ">=", lte: "<=", exact: "==" } as const)[operator]
  return nodes.compare(comparison, nodes.call("count"), nodes.constant(value))
}
