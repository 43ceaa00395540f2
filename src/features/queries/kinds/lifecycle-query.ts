import { nodes } from "../../../hogql/index.js"
import { type Bucket, bucketKey, bucketsOf, instant } from "../insights/buckets.js"
import { readInterval } from "../insights/insight-dates.js"
import { allOf, queryConditions } from "../insights/property-conditions.js"
import { orQueryFault } from "../insights/query-fault.js"
import { QueryReader } from "../insights/query-reader.js"
import { describe, readSeries } from "../insights/series.js"
import { template } from "../insights/template.js"
import type { QueryKind } from "../queries.types.js"
import { answerOf } from "./answer.js"
import type { HogqlRunner } from "./hogql-runner.js"
import { readRange } from "./read-range.js"

const { array, call, constant, field } = nodes

const STATUSES = ["new", "returning", "resurrecting", "dormant"] as const

/** Kind `LifecycleQuery`: actors of each interval who are new, stay, come back, or are gone (`reference/management.md` 7.8). */
export function createLifecycleQueryKind(runner: HogqlRunner): QueryKind {
  return {
    kind: "LifecycleQuery",
    async run(query, run) {
      const reader = new QueryReader(query, "LifecycleQuery")
      const items = reader.objects("series", { max: 1 })
      const [item] = items
      if (item === undefined) throw reader.fault("series", "must have one item")
      const interval = readInterval(reader)
      const range = await readRange(reader, interval, runner, run)
      const shown = bucketsOf(range, interval, run)
      // Whoever was there in the interval before the first one returns in it, or is dormant in it.
      const before = bucketsOf({ fromMs: (shown[0] as Bucket).startMs - 1, toMs: range.toMs }, interval, run)
      const scope = await runner.scopeOf(run)
      const series = await orQueryFault(() => readSeries(item, 0))
      const conditions = await orQueryFault(() => queryConditions(reader, scope))
      const answer = await runner.runNodes(
        await template(TEXT, {
          keys: array(before.map(({ key }) => constant(String(key)))),
          last: constant(before.length),
          bucket: call("toString", [bucketKey(interval)]),
          created: call("toString", [bucketKey(interval, call("min", [field(["person", "created_at"])]))]),
          where: allOf([series.condition, ...conditions]),
          from: instant((before[0] as Bucket).startMs),
          to: instant(range.toMs),
        }),
        run,
      )
      const counts = new Map(answer.rows.map(([status, place, actors]) => [`${status} ${place}`, Number(actors)]))
      const results = STATUSES.map((status) => {
        const sign = status === "dormant" ? -1 : 1
        const data = shown.map((_, index) => sign * (counts.get(`${status} ${index + 2}`) ?? 0) || 0)
        return {
          data,
          days: shown.map(({ day }) => day),
          labels: shown.map(({ label }) => label),
          count: data.reduce((sum, value) => sum + value, 0),
          label: `${series.name} - ${status}`,
          status,
          action: describe(series),
        }
      })
      return answerOf(results, [answer])
    },
  }
}

/** Places are those of the intervals, from 1, the one before the range first. */
const TEXT = `
SELECT found.1 AS status, found.2 AS place, count() AS actors
FROM (
  SELECT arrayJoin(arrayConcat(
    arrayMap(i -> tuple(if(i = born, 'new', if(has(places, i - 1), 'returning', 'resurrecting')), i), arrayFilter(i -> i > 1, places)),
    arrayMap(i -> tuple('dormant', i + 1), arrayFilter(i -> i < {last} AND not has(places, i + 1), places))
  )) AS found
  FROM (
    SELECT arrayMap(b -> indexOf({keys}, b), groupUniqArray({bucket})) AS places, indexOf({keys}, {created}) AS born
    FROM events WHERE timestamp >= {from} AND timestamp < {to} AND {where}
    GROUP BY person_id
  )
)
GROUP BY status, place`
