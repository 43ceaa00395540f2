import { type Expression, nodes } from "../../../hogql/index.js"

import { type Calendar, type DateRange, type Interval, next, startOf } from "./date-range.js"
import { toInstantMs, toWallMs } from "./zoned-time.js"

const { call, constant, field } = nodes

/** One interval of a series. */
export interface Bucket {
  /** What `bucketKey` gives for an event of this interval: a date, or seconds since the epoch for hours and minutes. */
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

const isFine = (interval: Interval): boolean => interval === "hour" || interval === "minute"

/** The intervals that a range touches, in order, at most `MAX_BUCKETS` + 1. Hours of a clock set back are two. */
export function bucketsOf(range: DateRange, interval: Interval, calendar: Calendar): Bucket[] {
  const { timezone } = calendar
  const buckets: Bucket[] = []
  let wallMs = startOf(interval, toWallMs(range.fromMs, timezone), calendar)
  let startMs = toInstantMs(wallMs, timezone)
  while (startMs < range.toMs && buckets.length <= MAX_BUCKETS) {
    let endMs: number
    if (isFine(interval)) {
      endMs = startMs + (interval === "hour" ? 3_600_000 : 60_000)
      wallMs = toWallMs(startMs, timezone)
    } else endMs = toInstantMs(next(interval, wallMs), timezone)
    buckets.push({ ...shown(wallMs, interval), key: keyOf(startMs, wallMs, interval), startMs, endMs })
    wallMs = next(interval, wallMs)
    startMs = endMs
  }
  return buckets
}

const keyOf = (startMs: number, wallMs: number, interval: Interval): string | number =>
  isFine(interval) ? startMs / 1000 : new Date(wallMs).toISOString().slice(0, 10)

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ")

function shown(wallMs: number, interval: Interval): Pick<Bucket, "day" | "label"> {
  const date = new Date(wallMs)
  const iso = date.toISOString()
  const label = `${date.getUTCDate()}-${MONTHS[date.getUTCMonth()]}-${date.getUTCFullYear()}`
  return isFine(interval)
    ? { day: `${iso.slice(0, 10)} ${iso.slice(11, 19)}`, label: `${label} ${iso.slice(11, 16)}` }
    : { day: iso.slice(0, 10), label }
}

/** The key of the interval that a time falls in, as an expression. */
export function bucketKey(interval: Interval, time: Expression = field(["timestamp"])): Expression {
  switch (interval) {
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
  }
}

/** An instant as HogQL writes it. */
export const instant = (ms: number): Expression => constant(new Date(ms).toISOString())
