import type { Json } from "../../kernel/json.js"
import { toInstantMs } from "../../kernel/time-zone.js"
import { toNumber } from "./property-value.js"

const ISO_LIKE =
  /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?$/i
const MAIL_DATE = /^(?:[A-Za-z]{3}, )?\d{1,2} [A-Za-z]{3} \d{4} \d{2}:\d{2}(?::\d{2})? (?:GMT|UTC|[+-]\d{4})$/
/** Largest distance from 1970 that a Date holds. */
const MAX_INSTANT_MS = 8.64e15

/**
 * Reads a date as text: ISO 8601 with `T` or a space, date alone, or the date form of e-mail. Without an offset it is
 * local to the project's zone. Returns milliseconds since the epoch, with fractions, or null.
 */
export function parseDateText(text: string, timeZone: string): number | null {
  const trimmed = text.trim()
  const match = ISO_LIKE.exec(trimmed)
  if (match === null) return MAIL_DATE.test(trimmed) ? finite(Date.parse(trimmed)) : null
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone] = match
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  // 30 February is read as 1 March, and is no day.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const timeOfDayMs = (Number(hour) * 3600 + Number(minute) * 60 + Number(`${second}.${fraction}`)) * 1000
  const wallMs = date.getTime() + timeOfDayMs
  return zone === undefined ? toInstantMs(wallMs, timeZone, "two-guesses") : wallMs - zoneOffsetMs(zone)
}

/** Reads a property value as a moment: a number or numeric text is Unix seconds, other text a date; null otherwise. */
export function toInstant(value: Json, timeZone: string): number | null {
  const seconds = toNumber(value)
  if (seconds !== null) return Math.abs(seconds * 1000) <= MAX_INSTANT_MS ? seconds * 1000 : null
  return typeof value === "string" ? parseDateText(value, timeZone) : null
}

function zoneOffsetMs(zone: string): number {
  const sign = zone.startsWith("-") ? -1 : zone.startsWith("+") ? 1 : 0
  if (sign === 0) return 0
  const digits = zone.slice(1).replace(":", "")
  return sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || "0")) * 60_000
}

const finite = (milliseconds: number): number | null => (Number.isNaN(milliseconds) ? null : milliseconds)
