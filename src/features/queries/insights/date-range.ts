import { AppError } from "../../../kernel/errors.js"
import { moveTime, parseRelativeDate, type RelativeDate, type RelativeUnit } from "../../../kernel/relative-date.js"
import { toInstantMs, toWallMs } from "../../../kernel/time-zone.js"

/** Lengths of the intervals of a chart. */
export const INTERVALS = ["second", "minute", "hour", "day", "week", "month", "quarter"] as const
export type Interval = (typeof INTERVALS)[number]

/** Whether intervals are told apart by times, not by dates. */
export const isFinerThanDay = (interval: Interval): boolean =>
  interval === "hour" || interval === "minute" || interval === "second"

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

/** `dateRange` as it is written. */
interface WrittenRange {
  readonly from: string | null
  readonly to: string | null
  /** `explicitDate`: whether times mean exactly what they say. */
  readonly isExplicit?: boolean
}

/**
 * Reads `dateRange` of an insight: ISO times and dates in the project's zone, `-7d`, `-3h`, `mStart`, `-1mStart`,
 * `-1mEnd`. Where the range begins and ends: `docs/contract/queries.md#dates-of-an-insight`. `all` as `date_from` is
 * `earliestMs`.
 *
 * @throws AppError parse_error for a text that is not a date
 */
export function toDateRange(
  { from, to, isExplicit = false }: WrittenRange,
  interval: Interval,
  calendar: Calendar,
  { defaultFrom = "-7d", earliestMs = 0 }: { defaultFrom?: string; earliestMs?: number } = {},
): DateRange {
  const { timezone } = calendar
  const fromMs = from === "all" ? earliestMs : readStart(from ?? defaultFrom, interval, calendar)
  const isFine = isFinerThanDay(interval)
  if (to === null && isFine) return { fromMs, toMs: calendar.nowMs + 1 }
  const end = readBound(to ?? "-0d", calendar)
  if (end.isDay || !(isFine || isExplicit))
    return { fromMs, toMs: toInstantMs(floorTo("day", end.wallMs, calendar) + DAY_MS, timezone) }
  if (!end.isDistance || isExplicit) return { fromMs, toMs: toInstantMs(end.wallMs, timezone) + 1 }
  return { fromMs, toMs: toInstantMs(nextStart(interval, floorTo(interval, end.wallMs, calendar)), timezone) }
}

/** A distance in hours begins with a whole hour, unless minutes or seconds are shown. */
function readStart(text: string, interval: Interval, calendar: Calendar): number {
  const { wallMs } = readBound(text, calendar)
  const isWhole = isHourDistance(text) && interval !== "minute" && interval !== "second"
  return toInstantMs(isWhole ? floorTo("hour", wallMs, calendar) : wallMs, calendar.timezone)
}

/** Whether a text is a distance in hours such as `-24h`. */
const isHourDistance = (text: string): boolean => {
  const distance = parseRelativeDate(text, RELATIVE)
  return distance?.unit === "h" && distance.edge === null
}

/**
 * Where the first interval of a chart begins to count: at its own beginning, so that the first point is complete. Weeks
 * count from the day that is named, and days from the hour that `-24h` leads to.
 */
export function toFirstMoment(
  fromMs: number,
  { from, isExplicit }: WrittenRange,
  interval: Interval,
  calendar: Calendar,
) {
  if (isExplicit || (interval === "day" && from !== null && isHourDistance(from))) return fromMs
  const unit = interval === "week" ? "day" : interval
  return toInstantMs(floorTo(unit, toWallMs(fromMs, calendar.timezone), calendar), calendar.timezone)
}

/** A single date of a query (`after`, `before`) as an instant. @throws AppError parse_error. */
export const readInstant = (text: string, calendar: Calendar): number =>
  toInstantMs(readBound(text, calendar).wallMs, calendar.timezone)

interface Bound {
  readonly wallMs: number
  /** Whether it names a day as a whole. */
  readonly isDay?: boolean
  /** Whether it is so many hours, minutes or seconds away from now. */
  readonly isDistance?: boolean
}

/** A year, and a month and a day of one or two digits. */
const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/
const RELATIVE = { units: "sMhdwmqy", maxDigits: 6, hasPlus: true, hasEdges: true }

function readBound(text: string, calendar: Calendar): Bound {
  const iso = ISO.exec(text)
  if (iso !== null) {
    const [, year, month = "", day = "", time, zone] = iso
    const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
    const wallMs = Date.parse(`${date}T${time ?? "00:00"}Z`)
    // 30 February is read as 1 March, and is no day.
    if (Number.isNaN(wallMs) || !new Date(wallMs).toISOString().startsWith(`${date}T`)) throw unreadable(text)
    if (time === undefined) return { wallMs: withinTimes(wallMs), isDay: true }
    if (zone === undefined) return { wallMs: withinTimes(wallMs) }
    const instantMs = Date.parse(`${date}T${time}${zone.replace(/^([+-]\d\d)(\d\d)$/, "$1:$2")}`)
    if (Number.isNaN(instantMs)) throw unreadable(text)
    return { wallMs: toWallMs(withinTimes(instantMs), calendar.timezone) }
  }
  const relative = readDistance(text)
  const { unit, edge } = relative
  const moved = moveWithinTimes(toWallMs(calendar.nowMs, calendar.timezone), relative)
  if (edge !== null) {
    const interval = EDGES[unit]
    if (interval === undefined) throw unreadable(text)
    const start = floorTo(interval, moved, calendar)
    return edge === "Start" ? { wallMs: start, isDay: interval !== "hour" } : { wallMs: nextStart(interval, start) - 1 }
  }
  if (unit === "h" || unit === "M" || unit === "s") return { wallMs: moved, isDistance: true }
  return { wallMs: floorTo("day", moved, calendar), isDay: true }
}

function readDistance(text: string): RelativeDate {
  const relative = parseRelativeDate(text, RELATIVE)
  if (relative === null) throw unreadable(text)
  return relative
}

const unreadable = (text: string): AppError =>
  new AppError("parse_error", {
    attr: "query__dateRange",
    detail: `JSON parse error - 1 validation error(s) for QueryRequest: dateRange cannot hold '${text.slice(0, 40)}': write a date, a time, or a distance such as -7d.`,
  })

/** Units whose beginning and end can be named. */
const EDGES: Readonly<Partial<Record<RelativeUnit, CalendarUnit>>> = {
  h: "hour",
  d: "day",
  w: "week",
  m: "month",
  q: "quarter",
  y: "year",
}

/** The engine's times begin and end about here: no event lies beyond, and what calendars say of it is no help. */
const [EARLIEST_MS, LATEST_MS] = [Date.UTC(1900, 0, 1), Date.UTC(2299, 0, 1)]
const withinTimes = (wallMs: number): number => Math.min(LATEST_MS, Math.max(EARLIEST_MS, wallMs))

/** The time that a distance leads to, or the nearest one that there can be an event at. */
function moveWithinTimes(wallMs: number, distance: RelativeDate): number {
  const moved = moveTime(wallMs, distance, "clamp")
  if (Number.isNaN(moved)) return distance.sign === "+" ? LATEST_MS : EARLIEST_MS
  return withinTimes(moved)
}

/** Units of the calendar that have a beginning. */
export type CalendarUnit = Interval | "year"

/** The beginning of the interval that a wall-clock time falls in. */
export function floorTo(unit: CalendarUnit, wallMs: number, { weekStartDay }: Pick<Calendar, "weekStartDay">): number {
  const date = new Date(wallMs)
  const dayMs = Math.floor(wallMs / DAY_MS) * DAY_MS
  switch (unit) {
    case "second":
      return Math.floor(wallMs / 1000) * 1000
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

const LETTERS = {
  second: "s",
  minute: "M",
  hour: "h",
  day: "d",
  week: "w",
  month: "m",
  quarter: "q",
  year: "y",
} as const satisfies Record<CalendarUnit, RelativeUnit>

/** The beginning of the interval after the one that begins at `startWallMs`. */
export function nextStart(unit: CalendarUnit, startWallMs: number): number {
  return moveTime(startWallMs, { sign: "+", count: 1, unit: LETTERS[unit], edge: null }, "clamp")
}

/** The range moved back by a distance such as `-1m`, or by its own length in whole days. */
export function previousRange(range: DateRange, compareTo: string | null, calendar: Calendar): DateRange {
  const move = (instantMs: number): number => {
    const wallMs = toWallMs(instantMs, calendar.timezone)
    if (compareTo === null) return wallMs - lengthMs
    return moveWithinTimes(wallMs, readDistance(compareTo))
  }
  const { timezone } = calendar
  const wallLength = toWallMs(range.toMs, timezone) - toWallMs(range.fromMs, timezone)
  const lengthMs = wallLength > DAY_MS ? Math.ceil(wallLength / DAY_MS) * DAY_MS : wallLength
  return { fromMs: toInstantMs(move(range.fromMs), timezone), toMs: toInstantMs(move(range.toMs), timezone) }
}
