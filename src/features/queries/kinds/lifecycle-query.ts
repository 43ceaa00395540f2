import { type Expression, nodes, type Query } from "../../../hogql/index.js"
import { refuseBreakdown } from "../insights/breakdown.js"
import { type Bucket, bucketKey, bucketsOf, instant } from "../insights/buckets.js"
import type { DateRange, Interval } from "../insights/date-range.js"
import { readInterval } from "../insights/insight-dates.js"
import { allOf, queryConditions } from "../insights/property-conditions.js"
import { orQueryFault } from "../insights/query-fault.js"
import { QueryReader } from "../insights/query-reader.js"
import { checkSampling, refuseComparison } from "../insights/refusals.js"
import { describe, groupKey, readSeries, type Series } from "../insights/series.js"
import { template } from "../insights/template.js"
import type { QueryKind, RunScope } from "../queries.types.js"
import { answerOf } from "./answer.js"
import type { HogqlRunner } from "./hogql-runner.js"
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

/** Kind `LifecycleQuery`: actors of each interval who are new, stay, come back, or are gone (`reference/management.md` 7.8). */
export function createLifecycleQueryKind(runner: HogqlRunner): QueryKind {
  return {
    kind: "LifecycleQuery",
    async run(query, run) {
      const reader = new QueryReader(query, "LifecycleQuery")
      const lifecycle = await orQueryFault(() => readLifecycle(reader, runner, run))
      const { series, shown } = lifecycle
      const answer = await runner.runNodes(await template(COUNTED, { found: await statusSelect(lifecycle) }), run)
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

/** @throws AppError parse_error naming the field, HogqlError for filters that cannot be read. */
export async function readLifecycle(reader: QueryReader, runner: HogqlRunner, run: RunScope): Promise<Lifecycle> {
  const [item] = reader.objects("series", { max: 1 })
  if (item === undefined) throw reader.fault("series", "must have one item")
  refuseBreakdown(reader)
  refuseComparison(reader)
  checkSampling(reader)
  const group = reader.integer("aggregation_group_type_index", { min: 0, max: 4 })
  const interval = readInterval(reader)
  const range = await readRange(reader, interval, runner, run)
  const shown = bucketsOf(range, interval, run)
  return {
    series: await readSeries(item, 0),
    actor: group === null ? field(["person_id"]) : groupKey(group),
    bornAt: field([group === null ? "person" : `group_${group}`, "created_at"]),
    ...{ interval, range, shown },
    // Whoever was there in the interval before the first one returns in it, or is dormant in it.
    buckets: bucketsOf({ fromMs: (shown[0] as Bucket).startMs - 1, toMs: range.toMs }, interval, run),
    conditions: await queryConditions(reader, await runner.scopeOf(run)),
  }
}

/** Rows `(actor, found: (status, place), events)`. Places are those of the intervals, from 1, the one before the range first. */
export const statusSelect = (lifecycle: Lifecycle): Promise<Query> => {
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
      bucket: call("toString", [bucketKey(interval)]),
      created: call("toString", [bucketKey(interval, call("min", [bornAt]))]),
      where: allOf([series.condition, ...conditions]),
      from: instant((buckets[0] as Bucket).startMs),
      to: instant(range.toMs),
    },
  )
}

const COUNTED = "SELECT found.1 AS status, found.2 AS place, count() AS actors FROM {found} GROUP BY status, place"
