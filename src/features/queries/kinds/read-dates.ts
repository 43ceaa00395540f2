import { nodes } from "../../../hogql/index.js"
import { listSpans, MAX_BUCKETS } from "../insights/buckets.js"
import {
  type DateRange,
  INTERVALS,
  type Interval,
  previousRange,
  toDateRange,
  toFirstMoment,
} from "../insights/date-range.js"
import type { QueryReader } from "../insights/query-reader.js"
import type { KindContext } from "./kind-context.js"

const { alias, call, field, select, source } = nodes

/** The interval of an insight; a day when none is named. @throws AppError parse_error. */
export const readInterval = (reader: QueryReader): Interval => reader.choice("interval", INTERVALS, "day")

/**
 * `dateRange` of an insight (`docs/contract/queries.md#dates-of-an-insight`); from `all` it begins with the project's first
 * event.
 *
 * @param interval of a chart; null for insights whose times are not cut into intervals
 * @param isChart whether its first interval is to be complete
 * @throws AppError parse_error
 */
export async function readRange(
  reader: QueryReader,
  interval: Interval | null,
  context: KindContext,
  isChart = interval !== null,
): Promise<DateRange> {
  const dates = reader.object("dateRange")
  const [from, to] = [dates.text("date_from") || null, dates.text("date_to") || null]
  const written = { from, to, isExplicit: dates.flag("explicitDate") }
  const earliestMs = from === "all" ? await findEarliest(context) : 0
  const range = toDateRange(written, interval ?? "day", context.run, { earliestMs })
  if (range.fromMs >= range.toMs) throw dates.fault("date_from", "must be before date_to")
  if (interval === null || !isChart) return range
  const spans = listSpans(range, interval, context.run)
  if (spans.length > MAX_BUCKETS)
    throw dates.fault("date_from", `must leave at most ${MAX_BUCKETS} intervals of a ${interval}`)
  return { ...range, fromMs: toFirstMoment(range.fromMs, written, interval, context.run) }
}

/** What `compareFilter` compares a range with; null when nothing is compared. @throws AppError parse_error. */
export function readComparedRange(
  reader: QueryReader,
  range: DateRange,
  { run }: KindContext,
  isCompared = reader.object("compareFilter").flag("compare"),
): DateRange | null {
  if (!isCompared) return null
  return previousRange(range, reader.object("compareFilter").text("compare_to") || null, run)
}

/** When the project's first event was, in milliseconds; now without any. */
async function findEarliest(context: KindContext): Promise<number> {
  const first = alias("first", call("toUnixTimestamp64Milli", [call("min", [field(["timestamp"])])]))
  const { rows } = await context.select(select({ columns: [first], from: [source(field(["events"]))] }))
  const found = Number(rows[0]?.[0] ?? 0)
  return found > 0 ? found : context.run.nowMs
}
