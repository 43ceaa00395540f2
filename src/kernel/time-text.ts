import { moveTime, parseRelativeDate } from "./relative-date.js"

const ISO = /^\d{4}-\d{2}(-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?)?$/i
const HAS_ZONE = /(Z|[+-]\d{2}:?\d{2})$/i
const MAX_TIME_MS = 8.64e15

/**
 * Reads an ISO 8601 time (UTC where it names no zone) or a distance before `nowMs` such as `-7d`: hours, days, weeks, months
 * of 730 h, years of 8,766 h. Null for anything else.
 */
export function toTimeMs(text: string, nowMs: number): number | null {
  const relative = parseRelativeDate(text, { units: "hdwmy", maxDigits: 5 })
  const timeMs = relative === null ? parseIso(text) : moveTime(nowMs, relative, "mean-length")
  return Number.isNaN(timeMs) || Math.abs(timeMs) > MAX_TIME_MS ? null : timeMs
}

function parseIso(text: string): number {
  if (!ISO.test(text)) return Number.NaN
  const written = text.replace(" ", "T").replace(/([+-]\d{2})(\d{2})$/, "$1:$2")
  return Date.parse(written.includes("T") && !HAS_ZONE.test(written) ? `${written}Z` : written)
}

/** A moment in UTC as the columns of ClickHouse take it: `2026-11-21 10:00:00.000`. */
export const toDateTimeText = (ms: number): string => new Date(ms).toISOString().slice(0, -1).replace("T", " ")
