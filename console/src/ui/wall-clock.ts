const MINUTE_MS = 60_000

/** How far a zone's clock is ahead of UTC at an instant, in milliseconds. */
function offsetAt(instantMs: number, timezone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  }).formatToParts(instantMs)
  const {
    year = 0,
    month = 1,
    day = 1,
    hour = 0,
    minute = 0,
  } = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]))
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(instantMs / MINUTE_MS) * MINUTE_MS
}

/**
 * The instant at which a zone's clock shows a time, as fields for times have it: `2026-11-28T08:00`. Null for no such time.
 * Where the clock is set back or forward, one of the two that may be meant.
 */
export function readWallClock(text: string, timezone: string): string | null {
  const wallMs = Date.parse(`${text}Z`)
  if (Number.isNaN(wallMs)) return null
  const guess = wallMs - offsetAt(wallMs, timezone)
  return new Date(wallMs - offsetAt(guess, timezone)).toISOString()
}

/** What a zone's clock shows at an instant, to the minute, as such fields take it. */
export const writeWallClock = (instantMs: number, timezone: string): string =>
  new Date(instantMs + offsetAt(instantMs, timezone)).toISOString().slice(0, 16)
