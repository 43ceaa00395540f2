import { type Expression, type HogqlScope, nodes } from "../../../../hogql/index.js"
import { toInstantMs, toWallMs } from "../../../../kernel/time-zone.js"
import { readBreakdown } from "../../insights/breakdown.js"
import { type Bucket, listBuckets } from "../../insights/buckets.js"
import { toDateRange } from "../../insights/date-range.js"
import { filterCondition, joinWithAnd, propertyField, queryConditions } from "../../insights/property-conditions.js"
import type { QueryReader } from "../../insights/query-reader.js"
import { checkSampling, refuseComparison } from "../../insights/refusals.js"
import { matchesAction, readAction, readActor } from "../../insights/series.js"
import type { RunScope } from "../../queries.types.js"
import type { KindContext } from "../kind-context.js"

const { call, compare, constant, field } = nodes

const INTERVALS = { Hour: "hour", Day: "day", Week: "week", Month: "month" } as const
const PERIODS = ["Hour", "Day", "Week", "Month"] as const
type RetentionInterval = (typeof INTERVALS)[keyof typeof INTERVALS]
/** None is longer, whatever the clocks do. */
const LONGEST_MS: Readonly<Record<RetentionInterval, number>> = {
  hour: 3_600_000,
  day: 90_000_000,
  week: 608_400_000,
  month: 2_678_400_000,
}
const FIRST_EVER = "retention_first_ever_occurrence"
const TYPES = ["retention_first_time", FIRST_EVER, "retention_recurring", "recurring"] as const
const AGGREGATIONS = ["count", "sum", "avg"] as const
const WINDOWS = ["strict_calendar_dates", "24_hour_windows"] as const
const DEFAULT_INTERVALS = 11
const MAX_INTERVALS = 100
const MAX_OCCURRENCES = 1000
/** Options that cells of sums do not have, and the value with which they change nothing. */
const NOT_AGGREGATED = {
  cumulative: false,
  minimumOccurrences: 1,
  retentionCustomBrackets: null,
  timeWindowMode: "strict_calendar_dates",
}

/** A `RetentionQuery`, read. */
export type Retention = Awaited<ReturnType<typeof readRetention>>

/** @throws AppError parse_error naming the field, HogqlError for filters that cannot be read. */
export async function readRetention(reader: QueryReader, context: KindContext) {
  refuseComparison(reader)
  checkSampling(reader)
  const filter = reader.object("retentionFilter")
  const period = filter.choice("period", PERIODS, "Day")
  const brackets = readBrackets(filter)
  const wanted = brackets === null ? DEFAULT_INTERVALS : brackets.reduce((sum, size) => sum + size, 1)
  const scope = await context.hogqlScope()
  const count = filter.integer("totalIntervals", { min: 1, max: MAX_INTERVALS }) ?? Math.min(wanted, MAX_INTERVALS)
  const type = filter.choice("retentionType", TYPES, "retention_recurring")
  const target = readEntity(filter.object("targetEntity"), scope)
  return {
    period,
    /** The same as other insights name it. */
    interval: INTERVALS[period],
    buckets: listLastBuckets(reader, INTERVALS[period], count, context.run),
    isFirstTime: type === "retention_first_time" || type === FIRST_EVER,
    /** Whether later intervals are counted from the event that began, in whole hours, days of 24 hours and so on. */
    isRolling: filter.choice("timeWindowMode", WINDOWS, "strict_calendar_dates") === "24_hour_windows",
    /** How many intervals each column after the first one holds; null for one each. */
    brackets,
    /** Whether whoever came back later counts as there in every interval before. */
    isCumulative: filter.flag("cumulative"),
    /** How often in an interval an actor must come back to be there. */
    minimumOccurrences: filter.integer("minimumOccurrences", { min: 1, max: MAX_OCCURRENCES }) ?? 1,
    target: target.condition,
    /** The events of which an actor's first one ever begins, if it is one of `target`. */
    firsts: type === FIRST_EVER ? target.named : target.condition,
    returning: readEntity(filter.object("returningEntity"), scope).condition,
    ...readAggregation(filter),
    ...readActor(reader),
    conditions: queryConditions(reader, scope),
    /** The value of the event that began; null for everybody together. */
    breakdown: await readBreakdown(reader, context.run.pathCleaning ?? []),
    timezone: context.run.timezone,
  }
}

/** `retentionCustomBrackets`: `[1, 3]` puts interval 1 into a column and intervals 2 to 4 into another. */
function readBrackets(filter: QueryReader): number[] | null {
  const sizes = filter.list("retentionCustomBrackets", { max: MAX_INTERVALS })
  if (sizes === null || sizes.length === 0) return null
  const isSize = (size: unknown): size is number => Number.isSafeInteger(size) && Number(size) >= 1
  if (sizes.every(isSize) && sizes.reduce((sum, size) => sum + size, 0) <= MAX_INTERVALS) return sizes
  throw filter.fault(
    "retentionCustomBrackets",
    `must be whole numbers from 1 that make at most ${MAX_INTERVALS} together`,
  )
}

/** As many intervals as are wanted, the last one that of `date_to`. */
function listLastBuckets(reader: QueryReader, interval: RetentionInterval, count: number, run: RunScope): Bucket[] {
  const to = reader.object("dateRange").text("date_to") || null
  const { toMs } = toDateRange({ from: "-0d", to }, interval, run)
  const fromWallMs = toWallMs(toMs, run.timezone) - (count + 1) * LONGEST_MS[interval]
  return listBuckets({ fromMs: toInstantMs(fromWallMs, run.timezone), toMs }, interval, run).slice(-count)
}

/** What is added up or averaged beside the actors; null for their number alone. */
function readAggregation(filter: QueryReader) {
  const aggregation = filter.choice("aggregationType", AGGREGATIONS, "count")
  const type = filter.choice("aggregationPropertyType", ["event", "person"], "event")
  if (aggregation === "count") {
    if (filter.value("aggregationProperty") !== null)
      throw filter.fault("aggregationProperty", "has no effect without aggregationType sum or avg")
    return { aggregation, value: null }
  }
  for (const [option, nothing] of Object.entries(NOT_AGGREGATED)) {
    const value = filter.value(option)
    if (value !== null && value !== nothing && !(Array.isArray(value) && value.length === 0))
      throw filter.fault(option, `cannot be used with aggregationType ${aggregation}`)
  }
  const name = filter.requiredText("aggregationProperty")
  return { aggregation, value: call("toFloat", [propertyField(name, type, null)]) }
}

/** `{id, type: "events" | "actions", properties}`; page views when nothing is named, every event for an id of null. */
function readEntity(
  entity: QueryReader,
  scope: HogqlScope,
): { readonly named: Expression; readonly condition: Expression } {
  const properties = filterCondition(entity.value("properties"))
  const named = readNamed(entity, scope)
  return { named: joinWithAnd([named]), condition: joinWithAnd([named, properties]) }
}

function readNamed(entity: QueryReader, scope: HogqlScope): Expression | null {
  if (entity.choice("type", ["events", "actions"], "events") === "actions")
    return matchesAction(readAction(entity, "id", scope).id)
  const isNamed = Object.keys(entity.json).length > 0
  const event = isNamed ? (entity.text("id") ?? entity.text("event")) : "$pageview"
  return event === null ? null : compare("==", field(["event"]), constant(event))
}
