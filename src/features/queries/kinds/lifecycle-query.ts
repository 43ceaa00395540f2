import { type Expression, nodes, type Query } from "../../../hogql/index.js"
import { refuseBreakdown } from "../insights/breakdown.js"
import { type Bucket, instant, listBuckets, toBucketKey } from "../insights/buckets.js"
import type { DateRange, Interval } from "../insights/date-range.js"
import { readInterval } from "../insights/insight-dates.js"
import { joinWithAnd, queryConditions } from "../insights/property-conditions.js"
import type { QueryReader } from "../insights/query-reader.js"
import { checkSampling, refuseComparison } from "../insights/refusals.js"
import { describeSeries, groupKey, readSeries, type Series } from "../insights/series.js"
import { template } from "../insights/template.js"
import { toAnswer } from "./answer.js"
import type { KindContext } from "./kind-context.js"
import type { KindDefinition } from "./kind-definition.types.js"
import { readRange } from "./read-range.js"

const { array, call, constant, field } = nodes

export const STATUSES = ["new", "returning", "resurrecting", "dormant"] as const

/** A `LifecycleQuery`, read. */
interface Lifecycle {
  readonly series: Series
  readonly interval: Interval
  readonly range: DateRange
  readonly shown: readonly Bucket[]
  /** The interval before the first one that is shown, and all of those. */
  readonly buckets: readonly Bucket[]
  readonly conditions: readonly Expression[]
  /** Persons, or groups of a type. */
  readonly actor: Expression
  readonly bornAt: Expression
}

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

/** @throws AppError parse_error naming the field, HogqlError for filters that cannot be read. */
export async function readLifecycle(reader: QueryReader, context: KindContext): Promise<Lifecycle> {
  const [item] = reader.objects("series", { max: 1 })
  if (item === undefined) throw reader.fault("series", "must have one item")
  refuseBreakdown(reader)
  refuseComparison(reader)
  checkSampling(reader)
  const group = reader.integer("aggregation_group_type_index", { min: 0, max: 4 })
  const interval = readInterval(reader)
  const range = await readRange(reader, interval, context)
  const shown = listBuckets(range, interval, context.run)
  const firstMs = shown[0]?.startMs ?? range.fromMs
  return {
    series: readSeries(item, 0),
    actor: group === null ? field(["person_id"]) : groupKey(group),
    bornAt: field([group === null ? "person" : `group_${group}`, "created_at"]),
    interval,
    range,
    shown,
    // Whoever was there in the interval before the first one returns in it, or is dormant in it.
    buckets: listBuckets({ fromMs: firstMs - 1, toMs: range.toMs }, interval, context.run),
    conditions: queryConditions(reader, await context.hogqlScope()),
  }
}

/** Rows `(actor, found: (status, place), events)`. Places are those of the intervals, from 1, the one before the range first. */
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
      bucket: call("toString", [toBucketKey(interval)]),
      created: call("toString", [toBucketKey(interval, call("min", [bornAt]))]),
      where: joinWithAnd([series.condition, ...conditions]),
      from: instant(buckets[0]?.startMs ?? range.fromMs),
      to: instant(range.toMs),
    },
  )
}

const COUNTED = "SELECT found.1 AS status, found.2 AS place, count() AS actors FROM {found} GROUP BY status, place"
