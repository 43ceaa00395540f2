import { AppError } from "../../../kernel/errors.js"
import { toInstantMs, toWallMs } from "./zoned-time.js"

/** Lengths of the intervals of a chart. */
export const INTERVALS = ["minute", "hour", "day", "week", "month"] as const
export type Interval = (typeof INTERVALS)[number]

/** The days that a query is about, as instants. */
export interface DateRange {
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
}

/** What decides where days and weeks begin. */
export interface Calendar {
  readonly timezone: string
  /** 0 is Sunday; weeks begin on Monday when it is 1, else on Sunday. */
  readonly weekStartDay: number
  readonly nowMs: number
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/**
 * Reads `dateRange` of an insight: ISO times and dates in the project's zone, `-7d`, `-3h`, `mStart`, `-1mStart`,
 * `-1mEnd`. A `date_to` that names a day holds the whole day; without one the range ends with today, or now when the
 * interval is finer than a day. `all` as `date_from` is `earliestMs`.
 *
 * @throws AppError parse_error for a text that is not a date
 */
export function toDateRange(
  written: { readonly from: string | null; readonly to: string | null },
  interval: Interval,
  calendar: Calendar,
  { defaultFrom = "-7d", earliestMs = 0 }: { defaultFrom?: string; earliestMs?: number } = {},
): DateRange {
  const from = written.from ?? defaultFrom
  const start = from === "all" ? { wallMs: toWallMs(earliestMs, calendar.timezone) } : readBound(from, calendar)
  const isFine = interval === "hour" || interval === "minute"
  const fromMs = toInstantMs(start.wallMs, calendar.timezone)
  if (written.to === null && isFine) return { fromMs, toMs: calendar.nowMs + 1 }
  const end = readBound(written.to ?? "-0d", calendar)
  const toMs = end.isDay
    ? toInstantMs(startOf("day", end.wallMs, calendar) + DAY_MS, calendar.timezone)
    : toInstantMs(end.wallMs, calendar.timezone) + 1
  return { fromMs, toMs }
}

/** A single date of a query (`after`, `before`) as an instant. @throws AppError parse_error. */
export const toInstantOf = (text: string, calendar: Calendar): number =>
  toInstantMs(readBound(text, calendar).wallMs, calendar.timezone)

interface Bound {
  readonly wallMs: number
  /** Whether it names a day as a whole. */
  readonly isDay?: boolean
}

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/
const RELATIVE = /^([+-]?\d{1,6})?([smhdwqyM])(Start|End)?$/

function readBound(text: string, calendar: Calendar): Bound {
  const iso = ISO.exec(text)
  if (iso !== null) {
    const [, date, time, zone] = iso
    const wallMs = Date.parse(`${date}T${time ?? "00:00"}Z`)
    // 30 February is read as 1 March, and is no day.
    if (Number.isNaN(wallMs) || !new Date(wallMs).toISOString().startsWith(`${date}T`)) throw unreadable(text)
    if (time === undefined) return { wallMs: withinTimes(wallMs), isDay: true }
    if (zone === undefined) return { wallMs: withinTimes(wallMs) }
    const instantMs = Date.parse(`${date}T${time}${zone.replace(/^([+-]\d\d)(\d\d)$/, "$1:$2")}`)
    if (Number.isNaN(instantMs)) throw unreadable(text)
    return { wallMs: toWallMs(withinTimes(instantMs), calendar.timezone) }
  }
  const relative = RELATIVE.exec(text)
  if (relative === null) throw unreadable(text)
  const [, amount = "0", unit = "d", edge] = relative
  const nowWallMs = toWallMs(calendar.nowMs, calendar.timezone)
  const moved = movedBy(nowWallMs, signed(amount), unit)
  if (edge !== undefined) {
    const interval = EDGES[unit]
    if (interval === undefined) throw unreadable(text)
    const start = startOf(interval, moved, calendar)
    return edge === "Start" ? { wallMs: start, isDay: interval !== "hour" } : { wallMs: next(interval, start) - 1 }
  }
  if (unit === "h" || unit === "M" || unit === "s") return { wallMs: moved }
  return { wallMs: startOf("day", moved, calendar), isDay: true }
}

/** `7d` is `-7d`, as in filters: only what is written with a plus lies ahead. */
const signed = (amount: string): number => (amount.startsWith("+") ? 1 : -1) * Math.abs(Number(amount))

const unreadable = (text: string): AppError =>
  new AppError("parse_error", {
    attr: "query__dateRange",
    detail: `JSON parse error - 1 validation error(s) for QueryRequest: dateRange cannot hold '${text.slice(0, 40)}': write a date, a time, or a distance such as -7d.`,
  })

const EDGES: Readonly<Record<string, CalendarUnit>> = {
  ...{ h: "hour", d: "day", w: "week", m: "month", q: "quarter", y: "year" },
}
const FIXED_MS: Readonly<Record<string, number>> = { s: 1000, M: 60_000, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS }
const MONTHS: Readonly<Record<string, number>> = { m: 1, q: 3, y: 12 }

/** The engine's times begin and end about here: no event lies beyond, and what calendars say of it is no help. */
const [EARLIEST_MS, LATEST_MS] = [Date.UTC(1900, 0, 1), Date.UTC(2299, 0, 1)]
const withinTimes = (wallMs: number): number => Math.min(LATEST_MS, Math.max(EARLIEST_MS, wallMs))

/** A distance as people write it, from some time to the next one that there can be an event at. */
function movedBy(wallMs: number, amount: number, unit: string): number {
  const moved = moveBy(wallMs, amount, unit)
  return withinTimes(Number.isNaN(moved) ? amount * Number.POSITIVE_INFINITY : moved)
}

/** Not a number for a distance that JavaScript's dates do not reach. */
function moveBy(wallMs: number, amount: number, unit: string): number {
  const fixed = FIXED_MS[unit]
  return fixed === undefined ? addMonths(wallMs, amount * (MONTHS[unit] ?? 1)) : wallMs + amount * fixed
}

/** The same day of another month, or its last one where the month is shorter. */
function addMonths(wallMs: number, months: number): number {
  const date = new Date(wallMs)
  const firstOfMonth = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
  const first = new Date(firstOfMonth)
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const day = Math.min(date.getUTCDate(), lastDay)
  return firstOfMonth + (day - 1) * DAY_MS + (wallMs - Math.floor(wallMs / DAY_MS) * DAY_MS)
}

/** Units of the calendar that have a beginning. */
export type CalendarUnit = Interval | "quarter" | "year"

/** The beginning of the interval that a wall-clock time falls in. */
export function startOf(unit: CalendarUnit, wallMs: number, { weekStartDay }: Pick<Calendar, "weekStartDay">): number {
  const date = new Date(wallMs)
  const dayMs = Math.floor(wallMs / DAY_MS) * DAY_MS
  switch (unit) {
    case "minute":
      return Math.floor(wallMs / 60_000) * 60_000
    case "hour":
      return Math.floor(wallMs / HOUR_MS) * HOUR_MS
    case "day":
      return dayMs
    case "week":
      return dayMs - ((date.getUTCDay() - (weekStartDay === 1 ? 1 : 0) + 7) % 7) * DAY_MS
    case "month":
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
    case "quarter":
      return Date.UTC(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / 3) * 3, 1)
    case "year":
      return Date.UTC(date.getUTCFullYear(), 0, 1)
  }
}

/** The beginning of the interval after the one that begins at `startWallMs`. */
export function next(unit: CalendarUnit, startWallMs: number): number {
  const letter = { minute: "M", hour: "h", day: "d", week: "w", month: "m", quarter: "q", year: "y" }[unit]
  return moveBy(startWallMs, 1, letter)
}

/** The range moved back by a distance such as `-1m`, or by its own length in whole days. */
export function previousRange(range: DateRange, compareTo: string | null, calendar: Calendar): DateRange {
  const move = (instantMs: number): number => {
    const wallMs = toWallMs(instantMs, calendar.timezone)
    if (compareTo === null) return wallMs - lengthMs
    const relative = RELATIVE.exec(compareTo)
    if (relative === null) throw unreadable(compareTo)
    return movedBy(wallMs, signed(relative[1] ?? "0"), relative[2] ?? "d")
  }
  const { timezone } = calendar
  const wallLength = toWallMs(range.toMs, timezone) - toWallMs(range.fromMs, timezone)
  const lengthMs = wallLength > DAY_MS ? Math.ceil(wallLength / DAY_MS) * DAY_MS : wallLength
  return { fromMs: toInstantMs(move(range.fromMs), timezone), toMs: toInstantMs(move(range.toMs), timezone) }
}
