const HOUR_MS = 3_600_000
const DAY_TEXT_LENGTH = 10
/** The first zone to reach a day is 14 hours ahead of UTC, the last one to leave it 12 hours behind. */
const MAX_AHEAD_MS = 14 * HOUR_MS
const MAX_BEHIND_MS = 12 * HOUR_MS
/**
 * How late an event may arrive after its day has ended everywhere
 * (`docs/contract/capture.md#visitors-without-cookies`).
 */
const MAX_LATE_MS = 72 * HOUR_MS
/** No zone has a longer name; without this bound, made-up ones of a mebibyte would be kept. */
const MAX_ZONE_LENGTH = 64
/** Zone names come from clients, who may write each in many ways; making a formatter is dear, and one has some 50 KiB. */
const MAX_FORMATTERS = 1_000

const formatters = new Map<string, Intl.DateTimeFormat | null>()

/** Day of a moment in a zone, as `YYYY-MM-DD`; in UTC when there is no such zone. Offsets are no zones. */
export function dayIn(zone: unknown, timeMs: number): string {
  const formatter = typeof zone === "string" && zone !== "UTC" ? getFormatter(zone) : null
  return formatter === null ? utcDay(timeMs) : formatter.format(timeMs)
}

/** Whether an event of this day may come at this time: the day has begun somewhere, and has not ended everywhere for long. */
export const isDayInRange = (day: string, receivedAtMs: number): boolean =>
  day >= oldestDay(receivedAtMs) && day <= utcDay(receivedAtMs + MAX_AHEAD_MS)

/** The oldest day of which events may still come; what was kept of the days before can go. */
export const oldestDay = (nowMs: number): string => utcDay(nowMs - MAX_BEHIND_MS - MAX_LATE_MS)

const utcDay = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, DAY_TEXT_LENGTH)

function getFormatter(zone: string): Intl.DateTimeFormat | null {
  if (zone.length > MAX_ZONE_LENGTH || !/^[A-Za-z]/.test(zone)) return null
  let formatter = formatters.get(zone)
  if (formatter === undefined) {
    formatter = createFormatter(zone)
    if (formatters.size >= MAX_FORMATTERS) formatters.clear()
    formatters.set(zone, formatter)
  }
  return formatter
}

function createFormatter(zone: string): Intl.DateTimeFormat | null {
  try {
    // Sweden writes days as ISO 8601 does.
    const parts = { year: "numeric", month: "2-digit", day: "2-digit" } as const
    return new Intl.DateTimeFormat("sv-SE", { timeZone: zone, calendar: "gregory", numberingSystem: "latn", ...parts })
  } catch {
    return null
  }
}
