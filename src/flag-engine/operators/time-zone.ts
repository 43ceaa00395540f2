/** Calendar fields of a moment in some zone; month counts from 1. */
export interface LocalTime {
  readonly year: number
  readonly month: number
  readonly day: number
  /** Milliseconds since local midnight. */
  readonly timeOfDayMs: number
}

const DAY_MS = 86_400_000
/** No zone changed its clocks before. `Date.UTC` and a format without eras misread years below 100, which some write for "never". */
const BEFORE_ALL_CHANGES_MS = Date.UTC(1700, 0, 1)
const UTC_NAMES = new Set(["UTC", "Etc/UTC", "GMT", "Etc/GMT"])
const formats = new Map<string, Intl.DateTimeFormat>()

/** Whether the runtime knows an IANA zone name. */
export function isTimeZone(name: string): boolean {
  try {
    formatFor(name)
    return true
  } catch {
    return false
  }
}

/** Reads a moment as calendar fields of a zone. */
export function toLocalTime(instantMs: number, timeZone: string): LocalTime {
  const local = new Date(Math.floor(instantMs) + offsetMs(instantMs, timeZone))
  const midnight = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate())
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    timeOfDayMs: local.getTime() - midnight,
  }
}

/** The moment at which a zone's clocks show these fields; inside a gap of daylight saving, the offset before it. */
export function toInstantMs(local: LocalTime, timeZone: string): number {
  const date = new Date(0)
  date.setUTCFullYear(local.year, local.month - 1, local.day)
  const asUtc = date.getTime() + local.timeOfDayMs
  const guess = asUtc - offsetMs(asUtc, timeZone)
  return asUtc - offsetMs(guess, timeZone)
}

/** Days of a month; months count from 1. */
export function daysInMonth(year: number, month: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, 0)
  return date.getUTCDate()
}

/** How far a zone is ahead of UTC at a moment, in milliseconds. */
function offsetMs(instantMs: number, timeZone: string): number {
  if (UTC_NAMES.has(timeZone)) return 0
  const askedMs = Math.max(instantMs, BEFORE_ALL_CHANGES_MS)
  const parts: Record<string, number> = {}
  for (const { type, value } of formatFor(timeZone).formatToParts(askedMs)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  const wholeSecond = Math.floor(askedMs / 1000) * 1000
  return Date.UTC(year, month - 1, day, hour % 24, minute, second) - wholeSecond + (hour === 24 ? DAY_MS : 0)
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    })
    formats.set(timeZone, format)
  }
  return format
}
