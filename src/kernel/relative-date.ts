const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Seconds, minutes (M), hours, days and weeks always last as long. */
const FIXED_MS = { s: 1000, M: 60_000, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS } as const
const MONTHS = { m: 1, q: 3, y: 12 } as const
const MEAN_MONTH_MS = 730 * HOUR_MS
/** A quarter of a day more than 365 days, which twelve months of 730 hours do not have. */
const MEAN_YEAR_MS = 8_766 * HOUR_MS

/** Seconds, minutes (M), hours, days, weeks, months (m), quarters, years. */
export type RelativeUnit = keyof typeof FIXED_MS | keyof typeof MONTHS

/** A distance from now, as people write it: `-7d`, `3h`, `+1w`, `mStart`, `-1mEnd`. */
export interface RelativeDate {
  /** As it is written; "" where nothing is. */
  readonly sign: "" | "+" | "-"
  /** Null where none is written: `mStart`. */
  readonly count: number | null
  readonly unit: RelativeUnit
  /** Of the unit that the distance leads to its beginning or its end. */
  readonly edge: "Start" | "End" | null
}

/** What a place where relative dates are written understands. */
export interface RelativeDateForm {
  /** Letters of the units. */
  readonly units: string
  readonly maxDigits?: number
  /** Whether a distance may lie ahead. */
  readonly hasPlus?: boolean
  /** Whether `Start` and `End` may follow, and the count be missing. */
  readonly hasEdges?: boolean
}

const RELATIVE = /^(?:([+-]?)(\d+))?([sMhdwmqy])(Start|End)?$/

/** Null for a text that is no relative date of this form. */
export function parseRelativeDate(text: string, form: RelativeDateForm): RelativeDate | null {
  const { units, maxDigits = Number.POSITIVE_INFINITY, hasPlus = false, hasEdges = false } = form
  const [, sign = "", digits, unit, edge = null] = RELATIVE.exec(text) ?? []
  if (unit === undefined || !units.includes(unit)) return null
  if (digits === undefined ? !hasEdges : digits.length > maxDigits) return null
  if ((sign === "+" && !hasPlus) || (edge !== null && !hasEdges)) return null
  return { sign, count: digits === undefined ? null : Number(digits), unit, edge } as RelativeDate
}

/**
 * How long months, quarters and years are.
 * - `clamp`: the same day of the month that they lead to, or its last one: 31 March less two months is 31 January.
 * - `clamp-each-step`: as `clamp`, month by month (or year by year): 31 March less two months is 29 January.
 * - `mean-length`: a month has 730 hours, a year 8,766.
 */
export type MonthPolicy = "clamp" | "clamp-each-step" | "mean-length"

/**
 * Moves a time by a relative date, back unless it has a plus; its edge is not looked at. With calendar months the time is
 * that of a wall clock, as if it were UTC. Not a number beyond what a Date can hold.
 */
export function moveTime(timeMs: number, { sign, count, unit }: RelativeDate, policy: MonthPolicy): number {
  const steps = (sign === "+" ? 1 : -1) * (count ?? 0)
  if (unit in FIXED_MS) return timeMs + steps * FIXED_MS[unit as keyof typeof FIXED_MS]
  const months = MONTHS[unit as keyof typeof MONTHS]
  if (policy === "mean-length") return timeMs + steps * (unit === "y" ? MEAN_YEAR_MS : months * MEAN_MONTH_MS)
  if (policy === "clamp") return addMonths(timeMs, steps * months)
  let movedMs = timeMs
  for (let step = 0; step < Math.abs(steps); step++) movedMs = addMonths(movedMs, Math.sign(steps) * months)
  return movedMs
}

/** The same day and time of another month, or its last day where the month is shorter. */
export function addMonths(wallMs: number, months: number): number {
  const dayMs = Math.floor(wallMs / DAY_MS) * DAY_MS
  const date = new Date(dayMs)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + months, 1)
  const lastDay = new Date(date)
  lastDay.setUTCMonth(lastDay.getUTCMonth() + 1, 0)
  return date.getTime() + (Math.min(day, lastDay.getUTCDate()) - 1) * DAY_MS + (wallMs - dayMs)
}
