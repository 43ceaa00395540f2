import { type Expression, nodes } from "../../../hogql/index.js"
import { toInstantMs, toWallMs } from "../../../kernel/time-zone.js"
import { type Calendar, type DateRange, floorTo, type Interval, nextStart } from "./date-range.js"
import { joinWithAnd } from "./property-conditions.js"

const { call, compare, constant, field } = nodes

/** One interval of a series. */
export interface Bucket {
  /** What `toBucketKey` gives for an event of this interval: a date, or seconds since the epoch for hours and less. */
  readonly key: string | number
  readonly startMs: number
  /** Exclusive. */
  readonly endMs: number
  /** "2024-03-01", or "2024-03-01 10:00:00" for intervals finer than a day. */
  readonly day: string
  /** "1-Mar-2024", or "1-Mar-2024 10:00". */
  readonly label: string
}

/** More points than this are no chart. */
export const MAX_BUCKETS = 10_000

/** How long intervals are that are no matter of the calendar. */
const FINE_MS = { hour: 3_600_000, minute: 60_000, second: 1000 } as const
const isFine = (interval: Interval): interval is keyof typeof FINE_MS => interval in FINE_MS

/** Where an interval begins and ends, and what the wall clock shows at its beginning. */
interface Span extends Pick<Bucket, "startMs" | "endMs"> {
  readonly wallMs: number
}

/** The intervals that a range touches, in order, at most `MAX_BUCKETS` + 1. Hours of a clock set back are two. */
export const listBuckets = (range: DateRange, interval: Interval, calendar: Calendar): Bucket[] =>
  listSpans(range, interval, calendar).map((span) => toBucket(span, interval))

/** As `listBuckets`, for who asks only where they begin and end. */
export function listSpans(range: DateRange, interval: Interval, calendar: Calendar): Span[] {
  const { timezone } = calendar
  const spans: Span[] = []
  let wallMs = floorTo(interval, toWallMs(range.fromMs, timezone), calendar)
  let startMs = toInstantMs(wallMs, timezone)
  while (startMs < range.toMs && spans.length <= MAX_BUCKETS) {
    let endMs: number
    if (isFine(interval)) {
      endMs = startMs + FINE_MS[interval]
      wallMs = toWallMs(startMs, timezone)
    } else endMs = toInstantMs(nextStart(interval, wallMs), timezone)
    spans.push({ wallMs, startMs, endMs })
    wallMs = nextStart(interval, wallMs)
    startMs = endMs
  }
  return spans
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ")

function toBucket({ wallMs, startMs, endMs }: Span, interval: Interval): Bucket {
  const iso = new Date(wallMs).toISOString()
  const date = iso.slice(0, 10)
  const label = `${Number(date.slice(8))}-${MONTHS[Number(date.slice(5, 7)) - 1]}-${date.slice(0, 4)}`
  if (!isFine(interval)) return { key: date, startMs, endMs, day: date, label }
  const [day, shown] = [`${date} ${iso.slice(11, 19)}`, `${label} ${iso.slice(11, interval === "second" ? 19 : 16)}`]
  return { key: startMs / 1000, startMs, endMs, day, label: shown }
}

/** The key of the interval that a time falls in, as an expression. */
export function toBucketKey(interval: Interval, time: Expression = field(["timestamp"])): Expression {
  switch (interval) {
    case "second":
      return call("toUnixTimestamp", [time])
    case "minute":
      return call("toUnixTimestamp", [call("toStartOfMinute", [time])])
    case "hour":
      return call("toUnixTimestamp", [call("toStartOfHour", [time])])
    case "day":
      return call("toDate", [time])
    case "week":
      return call("toStartOfWeek", [time])
    case "month":
      return call("toStartOfMonth", [time])
    case "quarter":
      return call("toStartOfQuarter", [time])
  }
}

/** Whether a time lies in a range; its end is left out. */
export const inRange = ({ fromMs, toMs }: DateRange, time: Expression = field(["timestamp"])): Expression =>
  joinWithAnd([compare(">=", time, instant(fromMs)), compare("<", time, instant(toMs))])

/** An instant as HogQL writes it. */
export const instant = (ms: number): Expression => constant(new Date(ms).toISOString())
