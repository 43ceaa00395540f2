import { nodes, type Query } from "../../../hogql/index.js"
import { listSpans, MAX_BUCKETS } from "./buckets.js"
import { type Calendar, type DateRange, INTERVALS, type Interval, previousRange, toDateRange } from "./date-range.js"
import type { QueryReader } from "./query-reader.js"

const { alias, call, field, select, source } = nodes

/** The interval of an insight; a day when none is named. @throws AppError parse_error. */
export const readInterval = (reader: QueryReader): Interval => reader.choice("interval", INTERVALS, "day")

/**
 * `dateRange` of an insight. With an interval the range begins where the first one does, so that no point of a chart
 * holds less than its label says.
 *
 * @param findEarliest when the first event was, in milliseconds; asked for `all` only
 * @throws AppError parse_error
 */
export async function toInsightRange(
  reader: QueryReader,
  interval: Interval | null,
  calendar: Calendar,
  findEarliest: () => Promise<number>,
): Promise<DateRange> {
  const written = reader.object("dateRange")
  const [from, to] = [written.text("date_from") || null, written.text("date_to") || null]
  const earliestMs = from === "all" ? await findEarliest() : 0
  const range = toDateRange({ from, to }, interval ?? "day", calendar, { earliestMs })
  if (range.fromMs >= range.toMs) throw written.fault("date_from", "must be before date_to")
  if (interval === null) return range
  const spans = listSpans(range, interval, calendar)
  if (spans.length > MAX_BUCKETS)
    throw written.fault("date_from", `must leave at most ${MAX_BUCKETS} intervals of a ${interval}`)
  return { ...range, fromMs: written.flag("explicitDate") ? range.fromMs : (spans[0]?.startMs ?? range.fromMs) }
}

/** What `compareFilter` compares a range with; null when nothing is compared. @throws AppError parse_error. */
export function readComparedRange(
  reader: QueryReader,
  range: DateRange,
  calendar: Calendar,
  isCompared = reader.object("compareFilter").flag("compare"),
): DateRange | null {
  if (!isCompared) return null
  return previousRange(range, reader.object("compareFilter").text("compare_to") || null, calendar)
}

/** When the project's first event was, in milliseconds. */
export const earliestEvent = (): Query =>
  select({
    columns: [alias("first", call("toUnixTimestamp64Milli", [call("min", [field(["timestamp"])])]))],
    from: [source(field(["events"]))],
  })
