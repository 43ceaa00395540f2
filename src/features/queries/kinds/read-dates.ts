import { nodes } from "../../../hogql/index.js"
import { listSpans, MAX_BUCKETS } from "../insights/buckets.js"
import { type DateRange, INTERVALS, type Interval, previousRange, toDateRange } from "../insights/date-range.js"
import type { QueryReader } from "../insights/query-reader.js"
import type { KindContext } from "./kind-context.js"

const { alias, call, field, select, source } = nodes

/** The interval of an insight; a day when none is named. @throws AppError parse_error. */
export const readInterval = (reader: QueryReader): Interval => reader.choice("interval", INTERVALS, "day")

/**
 * `dateRange` of an insight; from `all` it begins with the project's first event. With an interval the range begins at the start
 * of its first interval, so that the first point of a chart is complete.
 * @throws AppError parse_error
 */
export async function readRange(
  reader: QueryReader,
  interval: Interval | null,
  context: KindContext,
): Promise<DateRange> {
  const written = reader.object("dateRange")
  const [from, to] = [written.text("date_from") || null, written.text("date_to") || null]
  const earliestMs = from === "all" ? await findEarliest(context) : 0
  const range = toDateRange({ from, to }, interval ?? "day", context.run, { earliestMs })
  if (range.fromMs >= range.toMs) throw written.fault("date_from", "must be before date_to")
  if (interval === null) return range
  const spans = listSpans(range, interval, context.run)
  if (spans.length > MAX_BUCKETS)
    throw written.fault("date_from", `must leave at most ${MAX_BUCKETS} intervals of a ${interval}`)
  return { ...range, fromMs: written.flag("explicitDate") ? range.fromMs : (spans[0]?.startMs ?? range.fromMs) }
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
