import { daysInMonth, type LocalTime, toInstantMs, toLocalTime } from "./time-zone.js"

/** Hours, days, weeks, months or years. */
export type RelativeUnit = "h" | "d" | "w" | "m" | "y"

/** A distance into the past, such as `7d` or `-2m`. */
export interface RelativeDate {
  readonly count: number
  readonly unit: RelativeUnit
}

const RELATIVE = /^-?(\d+)([hdwmy])$/
const HOUR_MS = 3_600_000
const FIXED_UNIT_MS = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS } as const
/** Larger counts are not relative dates (`reference/flags.md` 4.7). */
const COUNT_LIMIT = 10_000

/** Reads `6h`, `-7d`, `2w`, `3m`, `1y`; the sign is ignored, it is always the past. Null for any other text. */
export function parseRelativeDate(text: string): RelativeDate | null {
  const match = RELATIVE.exec(text)
  if (match === null) return null
  const count = Number(match[1])
  return count < COUNT_LIMIT ? { count, unit: match[2] as RelativeUnit } : null
}

/**
 * The moment a relative date names, counted back from `nowMs`. Months and years go back one calendar step at a time in
 * the project's zone, each step clamping the day (31 March minus 2 months is 28 January: `reference/flags.md` 4.7).
 */
export function resolveRelativeDate(date: RelativeDate, nowMs: number, timeZone: string): number {
  if (date.unit !== "m" && date.unit !== "y") return nowMs - date.count * FIXED_UNIT_MS[date.unit]
  let local = toLocalTime(nowMs, timeZone)
  for (let step = 0; step < date.count; step++) local = date.unit === "m" ? monthBefore(local) : yearBefore(local)
  return toInstantMs(local, timeZone)
}

const monthBefore = (local: LocalTime): LocalTime =>
  local.month === 1 ? clamp({ ...local, year: local.year - 1, month: 12 }) : clamp({ ...local, month: local.month - 1 })

const yearBefore = (local: LocalTime): LocalTime => clamp({ ...local, year: local.year - 1 })

const clamp = (local: LocalTime): LocalTime => ({
  ...local,
  day: Math.min(local.day, daysInMonth(local.year, local.month)),
})
