import { type Expression, type HogqlScope, nodes } from "../../../../hogql/index.js"
import { toInstantMs, toWallMs } from "../../../../kernel/time-zone.js"
import { type Breakdown, readBreakdown } from "../../insights/breakdown.js"
import { type Bucket, bucketsOf } from "../../insights/buckets.js"
import { type Interval, toDateRange } from "../../insights/date-range.js"
import { allOf, filterCondition, queryConditions } from "../../insights/property-conditions.js"
import type { QueryReader } from "../../insights/query-reader.js"
import { checkSampling, refuseComparison, refuseOptions } from "../../insights/refusals.js"
import { groupKey, NO_ACTIONS } from "../../insights/series.js"
import type { RunScope } from "../../queries.types.js"

const { compare, constant, field } = nodes

const PERIODS = ["Hour", "Day", "Week", "Month"] as const
const TYPES = ["retention_first_time", "retention_recurring", "recurring"] as const
const WINDOWS = ["strict_calendar_dates", "24_hour_windows"] as const
const DEFAULT_INTERVALS = 11
const MAX_INTERVALS = 100
const MAX_OCCURRENCES = 1000
/** Options of other servers that change the numbers, and the value with which they change nothing. */
const UNSUPPORTED = { aggregationType: "count" }

/** A `RetentionQuery`, read. */
export interface Retention {
  readonly period: (typeof PERIODS)[number]
  readonly buckets: readonly Bucket[]
  readonly isFirstTime: boolean
  /** Whether later intervals are counted from the event that began, in whole hours, days of 24 hours and so on. */
  readonly isRolling: boolean
  /** How many intervals each column after the first one holds; null for one each. */
  readonly brackets: readonly number[] | null
  /** Whether whoever came back later counts as there in every interval before. */
  readonly isCumulative: boolean
  /** How often in an interval an actor must come back to be there. */
  readonly minimumOccurrences: number
  readonly target: Expression
  readonly returning: Expression
  readonly actor: Expression
  /** Whether actors are persons: every event has one, but not every event is of a group. */
  readonly isPerson: boolean
  readonly conditions: readonly Expression[]
  /** What is told apart by the event that began; null for everybody together. */
  readonly breakdown: Breakdown | null
  readonly timezone: string
}

/** @throws AppError parse_error naming the field, HogqlError for filters that cannot be read. */
export async function readRetention(reader: QueryReader, scope: HogqlScope, run: RunScope): Promise<Retention> {
  refuseComparison(reader)
  checkSampling(reader)
  const filter = reader.object("retentionFilter")
  refuseOptions(filter, UNSUPPORTED)
  const period = filter.choice("period", PERIODS, "Day")
  const brackets = readBrackets(filter)
  const wanted = brackets === null ? DEFAULT_INTERVALS : brackets.reduce((sum, size) => sum + size, 1)
  const count = filter.integer("totalIntervals", { min: 1, max: MAX_INTERVALS }) ?? Math.min(wanted, MAX_INTERVALS)
  const group = reader.integer("aggregation_group_type_index", { min: 0, max: 4 })
  return {
    period,
    buckets: lastBuckets(reader, period.toLowerCase() as Interval, count, run),
    isFirstTime: filter.choice("retentionType", TYPES, "retention_recurring") === "retention_first_time",
    isRolling: filter.choice("timeWindowMode", WINDOWS, "strict_calendar_dates") === "24_hour_windows",
    brackets,
    isCumulative: filter.flag("cumulative"),
    minimumOccurrences: filter.integer("minimumOccurrences", { min: 1, max: MAX_OCCURRENCES }) ?? 1,
    target: await entityCondition(filter.object("targetEntity")),
    returning: await entityCondition(filter.object("returningEntity")),
    actor: group === null ? field(["person_id"]) : groupKey(group),
    isPerson: group === null,
    conditions: await queryConditions(reader, scope),
    breakdown: await readBreakdown(reader),
    timezone: run.timezone,
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
