const formats = new Map<string, Intl.DateTimeFormat>()

/** How far a zone's wall clock is ahead of UTC at an instant, in milliseconds. */
export function offsetAt(instantMs: number, timezone: string): number {
  let format = formats.get(timezone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: timezone,
      hourCycle: "h23",
      ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" },
    })
    formats.set(timezone, format)
  }
  const parts = Object.fromEntries(format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  const wholeSecondMs = Math.floor(instantMs / 1000) * 1000
  return Date.UTC(year, month - 1, day, hour, minute, second) - wholeSecondMs
}

/** The wall clock of a zone at an instant, as if it were UTC. */
export const toWallMs = (instantMs: number, timezone: string): number =>
  timezone === "UTC" ? instantMs : instantMs + offsetAt(instantMs, timezone)

/**
 * The first instant at which a zone's wall clock shows this time; for a time that the clock leaves out, the instant at
 * which it jumps over it.
 */
export function toInstantMs(wallMs: number, timezone: string): number {
  if (timezone === "UTC") return wallMs
  const before = offsetAt(wallMs - 86_400_000, timezone)
  const after = offsetAt(wallMs + 86_400_000, timezone)
  const candidates = [wallMs - before, wallMs - after].sort((a, b) => a - b)
  const exact = candidates.find((instantMs) => toWallMs(instantMs, timezone) === wallMs)
  return exact ?? (candidates[1] as number)
}
