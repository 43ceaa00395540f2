import { type Expression, nodes, type Query } from "../../../hogql/index.js"
import { refuseBreakdown } from "../insights/breakdown.js"
import { instant, listBuckets, toBucketKey } from "../insights/buckets.js"
import type { Interval } from "../insights/date-range.js"
import { joinWithAnd, queryConditions } from "../insights/property-conditions.js"
import type { QueryReader } from "../insights/query-reader.js"
import { checkSampling, refuseComparison } from "../insights/refusals.js"
import { describeSeries, readActor, readSeries } from "../insights/series.js"
import { template } from "../insights/template.js"
import { toAnswer } from "./answer.js"
import type { KindContext } from "./kind-context.js"
import type { KindDefinition } from "./kind-definition.types.js"
import { readInterval, readRange } from "./read-dates.js"

const { array, call, constant, field } = nodes

export const STATUSES = ["new", "returning", "resurrecting", "dormant"] as const

/**
 * Kind `LifecycleQuery`: actors of each interval who are new, stay, come back, or are gone
 * (`docs/contract/queries.md#lifecyclequery`).
 */
export const lifecycleQuery: KindDefinition = {
  kind: "LifecycleQuery",
  async answer(reader, context) {
    const lifecycle = await readLifecycle(reader, context)
    const { series, shown } = lifecycle
    const found = await context.select(template(COUNTED, { found: selectStatuses(lifecycle) }))
    const counts = new Map(found.rows.map(([status, place, actors]) => [`${status} ${place}`, Number(actors)]))
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
        action: describeSeries(series),
      }
    })
    return toAnswer(results, [found])
  },
}

/** A `LifecycleQuery`, read. */
type Lifecycle = Awaited<ReturnType<typeof readLifecycle>>

/** @throws AppError parse_error naming the field, HogqlError for filters that cannot be read. */
export async function readLifecycle(reader: QueryReader, context: KindContext) {
  const [item] = reader.objects("series", { max: 1 })
  if (item === undefined) throw reader.fault("series", "must have one item")
  refuseBreakdown(reader)
  refuseComparison(reader)
  checkSampling(reader)
  const interval = readInterval(reader)
  // Every interval is looked at as a whole, weeks from Monday on (`docs/contract/queries.md#lifecyclequery`).
  const calendar = { ...context.run, weekStartDay: 1 }
  const range = await readRange(reader, interval, context)
  const shown = listBuckets(range, interval, calendar)
  const firstMs = shown[0]?.startMs ?? range.fromMs
  const toMs = shown.at(-1)?.endMs ?? range.toMs
  return {
    series: readSeries(item, 0, await context.hogqlScope()),
    ...readActor(reader),
    interval,
    range: { ...range, toMs },
    shown,
    /** Those that are shown and the one before them, which decides who returns and who is dormant in the first. */
    buckets: listBuckets({ fromMs: firstMs - 1, toMs }, interval, calendar),
    conditions: queryConditions(reader, await context.hogqlScope()),
  }
}

/** As `toBucketKey`, with weeks that begin on Monday whatever the project says. */
const toKey = (interval: Interval, time: Expression = field(["timestamp"])): Expression =>
  interval === "week" ? call("toStartOfWeek", [time, constant(1)]) : toBucketKey(interval, time)

/** Rows `(actor, found: (status, place), events)`. Places number the intervals from 1, which is the one before the range. */
export const selectStatuses = (lifecycle: Lifecycle): Query => {
  const { series, interval, range, buckets, conditions, actor, bornAt } = lifecycle
  return template(
    `SELECT actor, events, arrayJoin(arrayConcat(
       arrayMap(i -> tuple(if(i = born, 'new', if(has(places, i - 1), 'returning', 'resurrecting')), i), arrayFilter(i -> i > 1, places)),
       arrayMap(i -> tuple('dormant', i + 1), arrayFilter(i -> i < {last} AND not has(places, i + 1), places))
     )) AS found
     FROM (
       SELECT {actor} AS actor, count() AS events, arrayMap(b -> indexOf({keys}, b), groupUniqArray({bucket})) AS places,
         indexOf({keys}, {created}) AS born
       FROM events WHERE timestamp >= {from} AND timestamp < {to} AND {where} AND {actor} IS NOT NULL
       GROUP BY actor
     )`,
    {
      actor,
      keys: array(buckets.map(({ key }) => constant(String(key)))),
      last: constant(buckets.length),
      bucket: call("toString", [toKey(interval)]),
      created: call("toString", [toKey(interval, call("min", [bornAt]))]),
      where: joinWithAnd([series.condition, ...conditions]),
      from: instant(buckets[0]?.startMs ?? range.fromMs),
      to: instant(range.toMs),
    },
  )
}

const COUNTED = "SELECT found.1 AS status, found.2 AS place, count() AS actors FROM {found} GROUP BY status, place"
