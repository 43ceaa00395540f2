const ISO =
  /^([+-]\d{4,6}|\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i
/** Length of `2026-11-21T10:00:00.000Z`. */
const CANONICAL_LENGTH = 24
const RFC_2822 = /^(?:[a-z]{3},? )?\d{1,2} [a-z]{3} \d{4} \d{2}:\d{2}(?::\d{2})? (?:GMT|UTC?|Z|[ECMP][SD]T|[+-]\d{4})$/i
const EPOCH = /^-?\d{9,14}(?:\.\d+)?$/
/** Smaller numbers are seconds: as milliseconds they would lie before March 1973, as seconds before the year 5138. */
const FIRST_MILLISECONDS = 100_000_000_000
const DIGIT_ZERO = 0x30
/** Stays below 0 in a number of four digits. */
const NO_DIGIT = -100_000
const MINUTE_MS = 60_000
const CALENDAR_CYCLE_MS = 146_097 * 86_400_000
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
/** Group of `ISO` that holds the zone. */
const ZONE = 9

/**
 * Reads a time as clients write it (`docs/contract/capture.md#time-formats`): ISO 8601 with any zone spelling, without
 * a zone (then UTC), with a space or slashes, date only; RFC 2822; seconds or milliseconds since the epoch as text or
 * number. A leap second is the first moment after it.
 * @returns milliseconds since the epoch, or null for what is not a time (the 30th of February, month 13).
 */
export function parseTime(value: unknown): number | null {
  if (typeof value === "number") return fromEpoch(value)
  if (typeof value !== "string") return null
  const canonicalMs = readCanonicalTime(value)
  if (canonicalMs !== null) return canonicalMs
  const text = value.trim()
  const parts = ISO.exec(text)
  if (parts !== null) return fromParts(parts)
  if (EPOCH.test(text)) return fromEpoch(Number(text))
  return RFC_2822.test(text) ? finite(Date.parse(text)) : null
}

/**
 * Reads a moment as `toISOString` writes it, which is what most clients send. Digit by digit, and the day is remembered: a
 * pattern and `Date.parse` take ten times as long.
 * @returns milliseconds since the epoch; null for every other text and for the years before 1000, which `Date.UTC` may read otherwise.
 */
export function readCanonicalTime(text: string): number | null {
  if (text.length !== CANONICAL_LENGTH || !hasCanonicalMarks(text)) return null
  const hour = twoDigits(text, 11)
  const minute = twoDigits(text, 14)
  const second = twoDigits(text, 17)
  const millisecond = twoDigits(text, 20) * 10 + digit(text, 22)
  if ((hour | minute | second | millisecond) < 0 || hour > 23 || minute > 59 || second > 59) return null
  const midnightMs = readDay(text)
  return midnightMs === null ? null : midnightMs + ((hour * 60 + minute) * 60 + second) * 1000 + millisecond
}

/** The last day that was read, such as 20261121: what comes together is mostly of one. */
let lastDay = 0
let lastMidnightMs = 0

function readDay(text: string): number | null {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  if ((year | month | day) < 0) return null
  const date = (year * 100 + month) * 100 + day
  if (date === lastDay) return lastMidnightMs
  if (year < 1000 || day < 1 || day > daysIn(year, month)) return null
  lastDay = date
  lastMidnightMs = Date.UTC(year, month - 1, day)
  return lastMidnightMs
}

/** Whether everything but the digits is in its place. */
const hasCanonicalMarks = (text: string): boolean =>
  text[4] === "-" &&
  text[7] === "-" &&
  text[10] === "T" &&
  text[13] === ":" &&
  text[16] === ":" &&
  text[19] === "." &&
  text[23] === "Z"

/** `NO_DIGIT` where there is none. */
function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - DIGIT_ZERO
  return value >= 0 && value <= 9 ? value : NO_DIGIT
}

const twoDigits = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1)

/** Whether a text is ISO 8601 with at least a date, as a historical migration must write it. */
export const isIsoTime = (value: unknown): boolean => typeof value === "string" && ISO.test(value.trim())

/** Whether a text is ISO 8601 that names its zone, as RFC 3339 demands. */
export const isZonedTime = (value: unknown): boolean =>
  typeof value === "string" && ISO.exec(value.trim())?.[ZONE] !== undefined

const fromEpoch = (value: number): number | null =>
  finite(Math.abs(value) < FIRST_MILLISECONDS ? value * 1000 : Math.trunc(value))

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

function fromParts(parts: RegExpExecArray): number | null {
  const [, year, , month, day, hour = "0", minute = "0", second = "0", fraction = "", zone] = parts
  const timeMs = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null
  if (Number(day) < 1 || Number(day) > daysIn(Number(year), Number(month))) return null
  const offsetMs = zoneOffsetMs(zone)
  if (offsetMs === null) return null
  // Date.UTC takes the years 0 to 99 for 1900 to 1999; the calendar is the same 400 years later.
  const midnightMs = Date.UTC(Number(year) + 400, Number(month) - 1, Number(day)) - CALENDAR_CYCLE_MS
  const fractionMs = fraction === "" ? 0 : Number(fraction.slice(0, 3).padEnd(3, "0"))
  return finite(midnightMs + timeMs + fractionMs - offsetMs)
}

/** Days of a month counted from 1; 0 when there is no such month. */
function daysIn(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && isLeapYear ? 29 : (MONTH_DAYS[month - 1] ?? 0)
}

function zoneOffsetMs(zone: string | undefined): number | null {
  if (zone === undefined || zone === "Z" || zone === "z") return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(":", ""))
  if (hours > 23 || minutes > 59) return null
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS
}
