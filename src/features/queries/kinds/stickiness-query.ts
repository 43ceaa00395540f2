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
              where: allOf([inRange(period), series.condition, ...conditions]),
            }),
            run,
          )
          answers.push(answer)
          const counts = new Map(answer.rows.map(([intervals, actors]) => [Number(intervals), Number(actors)]))
          const days = Array.from({ length }, (_, index) => index + 1)
          const data = days.map((day) => counts.get(day) ?? 0)
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
FROM (SELECT {actor} AS actor, uniqExact({bucket}) AS intervals FROM events WHERE {where} AND {actor} IS NOT NULL GROUP BY actor)
GROUP BY intervals ORDER BY intervals`
