import { type Expression, type HogqlScope, nodes, type Query } from "../../../hogql/index.js"
import type { JsonObject } from "../../../kernel/json.js"
import { refuseBreakdown } from "../insights/breakdown.js"
import { type Bucket, bucketKey, bucketsOf, instant } from "../insights/buckets.js"
import { type Interval, toDateRange } from "../insights/date-range.js"
import { allOf, filterCondition, queryConditions } from "../insights/property-conditions.js"
import { orQueryFault } from "../insights/query-fault.js"
import { QueryReader } from "../insights/query-reader.js"
import { checkSampling, refuseComparison, refuseOptions } from "../insights/refusals.js"
import { groupKey, NO_ACTIONS } from "../insights/series.js"
import { template } from "../insights/template.js"
import { showTime } from "../insights/wire-value.js"
import { toInstantMs, toWallMs } from "../insights/zoned-time.js"
import type { QueryKind, RunScope } from "../queries.types.js"
import { answerOf } from "./answer.js"
import type { HogqlRunner } from "./hogql-runner.js"
import { cumulated } from "./trends/trend-results.js"

const { compare, constant, field } = nodes

const PERIODS = ["Hour", "Day", "Week", "Month"] as const
const TYPES = ["retention_first_time", "retention_recurring", "recurring"] as const
const DEFAULT_INTERVALS = 11
const MAX_INTERVALS = 100
const MAX_OCCURRENCES = 1000
/** Options of other servers that change the numbers, and the value with which they change nothing. */
const UNSUPPORTED = { timeWindowMode: "strict_calendar_dates", aggregationType: "count", retentionCustomBrackets: null }

/** A `RetentionQuery`, read. */
interface Retention {
  readonly period: (typeof PERIODS)[number]
  readonly buckets: readonly Bucket[]
  readonly isFirstTime: boolean
  /** Whether whoever came back later counts as there in every interval before. */
  readonly isCumulative: boolean
  /** How often in an interval an actor must come back to be there. */
  readonly minimumOccurrences: number
  readonly target: Expression
  readonly returning: Expression
  readonly actor: Expression
  readonly conditions: readonly Expression[]
}

/** Kind `RetentionQuery`: who came back, by the interval in which they came (`reference/management.md` 7.8). */
export function createRetentionQueryKind(runner: HogqlRunner): QueryKind {
  return {
    kind: "RetentionQuery",
    async run(query, run) {
      const reader = new QueryReader(query, "RetentionQuery")
      const scope = await runner.scopeOf(run)
      const retention = await orQueryFault(() => readRetention(reader, scope, run))
      const answer = await runner.runNodes(await retentionSelect(retention), run)
      const counts = new Map(answer.rows.map(([start, back, count]) => [`${start} ${back}`, Number(count)]))
      return answerOf(toRows(retention, counts, run.timezone), [answer])
    },
  }
}

/** @throws AppError parse_error naming the field, HogqlError for filters that cannot be read. */
export async function readRetention(reader: QueryReader, scope: HogqlScope, run: RunScope): Promise<Retention> {
  refuseBreakdown(reader)
  refuseComparison(reader)
  checkSampling(reader)
  const filter = reader.object("retentionFilter")
  refuseOptions(filter, UNSUPPORTED)
  const period = filter.choice("period", PERIODS, "Day")
  const count = filter.integer("totalIntervals", { min: 1, max: MAX_INTERVALS }) ?? DEFAULT_INTERVALS
  const group = reader.integer("aggregation_group_type_index", { min: 0, max: 4 })
  return {
    period,
    buckets: lastBuckets(reader, period.toLowerCase() as Interval, count, run),
    isFirstTime: filter.choice("retentionType", TYPES, "retention_recurring") === "retention_first_time",
    isCumulative: filter.flag("cumulative"),
    minimumOccurrences: filter.integer("minimumOccurrences", { min: 1, max: MAX_OCCURRENCES }) ?? 1,
    target: await entityCondition(filter.object("targetEntity")),
    returning: await entityCondition(filter.object("returningEntity")),
    actor: group === null ? field(["person_id"]) : groupKey(group),
    conditions: await queryConditions(reader, scope),
  }
}

/** As many intervals as are wanted, the last one that of `date_to`. */
function lastBuckets(reader: QueryReader, interval: Interval, count: number, run: RunScope): Bucket[] {
  const to = reader.object("dateRange").text("date_to") || null
  const { toMs } = toDateRange({ from: "-0d", to }, interval, run)
  const longestMs = { minute: 60_000, hour: 3_600_000, day: 90_000_000, week: 608_400_000, month: 2_678_400_000 }[
    interval
  ]
  const fromWallMs = toWallMs(toMs, run.timezone) - (count + 1) * longestMs
  return bucketsOf({ fromMs: toInstantMs(fromWallMs, run.timezone), toMs }, interval, run).slice(-count)
}

/** `{id, type: "events", properties}`; page views when nothing is named, every event for an id of null. */
async function entityCondition(entity: QueryReader): Promise<Expression> {
  if (entity.text("type") === "actions") throw entity.fault("type", NO_ACTIONS)
  entity.choice("type", ["events"], "events")
  const isNamed = Object.keys(entity.json).length > 0
  const event = isNamed ? (entity.text("id") ?? entity.text("event")) : "$pageview"
  const properties = await filterCondition(entity.value("properties"))
  return allOf([event === null ? null : compare("==", field(["event"]), constant(event)), properties])
}

/** Rows `(start, back, actors)`; when returns cumulate, each actor only at the last interval in which it came back. */
async function retentionSelect(retention: Retention): Promise<Query> {
  const back = retention.isCumulative
    ? "arrayMax(arrayPushFront(returns, start))"
    : "arrayJoin(arrayConcat([start], arrayFilter(b -> b > start, returns)))"
  return template(`SELECT start, ${back} AS back, count() AS actors FROM {returns} GROUP BY start, back`, {
    returns: await returnsSelect(retention),
  })
}

/** Rows `(actor, start, returns)`: an interval in which the actor began, and all those in which it came back or was there. */
export function returnsSelect({
  period,
  buckets,
  isFirstTime,
  minimumOccurrences,
  target,
  returning,
  actor,
  conditions,
}: Retention): Promise<Query> {
  const interval = period.toLowerCase() as Interval
  const fromMs = buckets[0]?.startMs ?? 0
  // Most ask who came back to what they came for: one list of intervals is both then.
  const isSame = !isFirstTime && minimumOccurrences === 1 && textOf(target) === textOf(returning)
  const starts = isFirstTime
    ? `if(countIf({target}) > 0 AND minIf(timestamp, {target}) >= {from}, [{first}], arrayFilter(b -> 0, [{first}]))`
    : isSame
      ? "groupUniqArray({bucket})"
      : "groupUniqArrayIf({bucket}, {target})"
  const returned = `{returning}${isFirstTime ? " AND timestamp >= {from}" : ""}`
  const each = `groupArrayIf({bucket}, ${returned})`
  const often = `arrayDistinct(arrayFilter((b, n) -> n >= ${minimumOccurrences}, ${each}, arrayEnumerateUniq(${each})))`
  const distinct = minimumOccurrences === 1 ? `groupUniqArrayIf({bucket}, ${returned})` : often
  const returns = isSame ? "starts" : distinct
  const either = isSame ? "{target}" : "({target} OR {returning})"
  const earlier = isFirstTime ? "" : "AND timestamp >= {from}"
  return template(
    `SELECT actor, arrayJoin(starts) AS start, returns
     FROM (
       SELECT {actor} AS actor, ${starts} AS starts, ${returns} AS returns
       FROM events WHERE timestamp < {to} ${earlier} AND ${either} AND {conditions} AND {actor} IS NOT NULL
       GROUP BY actor
     )`,
    {
      actor,
      target,
      returning,
      conditions: allOf(conditions),
      bucket: bucketKey(interval),
      first: bucketKey(interval, nodes.call("minIf", [field(["timestamp"]), target])),
      from: instant(fromMs),
      to: instant(buckets.at(-1)?.endMs ?? fromMs),
    },
  )
}

const textOf = (node: Expression): string =>
  JSON.stringify(node, (_key, value) => (typeof value === "bigint" ? String(value) : value))

/** One row per interval, each one value shorter than the one before. */
function toRows(retention: Retention, counts: ReadonlyMap<string, number>, timezone: string): JsonObject[] {
  const { period, buckets, isCumulative } = retention
  return buckets.map((start, index) => {
    const exact = buckets.slice(index).map((back) => counts.get(`${start.key} ${back.key}`) ?? 0)
    const shown = isCumulative ? cumulated(exact.toReversed()).toReversed() : exact
    return {
      label: `${period} ${index}`,
      date: showTime(new Date(start.startMs).toISOString(), timezone),
      values: shown.map((count, distance) => ({ label: `${period} ${distance}`, count })),
    }
  })
}
