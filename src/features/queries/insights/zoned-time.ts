const DAY_MS = 86_400_000
/** Of one zone; rows of an answer rarely lie in more than some hundred days. */
const MAX_REMEMBERED_DAYS = 10_000

interface Zone {
  readonly format: Intl.DateTimeFormat
  /** Offsets at midnights of UTC, by days since the epoch. */
  readonly midnights: Map<number, number>
}
const zones = new Map<string, Zone>()

/**
 * How far a zone's wall clock is ahead of UTC at an instant, in milliseconds. What the platform knows of zones costs some
 * microseconds to ask, for every point of a chart and every time in an answer, so midnights are remembered: between two that
 * agree no clock was set.
 */
export function offsetAt(instantMs: number, timezone: string): number {
  const zone = zoneOf(timezone)
  const day = Math.floor(instantMs / DAY_MS)
  const atMidnight = offsetAtMidnight(zone, day)
  return atMidnight === offsetAtMidnight(zone, day + 1) ? atMidnight : readOffset(zone, instantMs)
}

function zoneOf(timezone: string): Zone {
  let zone = zones.get(timezone)
  if (zone === undefined) {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: timezone,
      hourCycle: "h23",
      ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" },
    })
    zone = { format, midnights: new Map() }
    zones.set(timezone, zone)
  }
  return zone
}

function offsetAtMidnight(zone: Zone, day: number): number {
  const { midnights } = zone
  let offsetMs = midnights.get(day)
  if (offsetMs === undefined) {
    offsetMs = readOffset(zone, day * DAY_MS)
    if (midnights.size >= MAX_REMEMBERED_DAYS) midnights.clear()
    midnights.set(day, offsetMs)
  }
  return offsetMs
}

function readOffset({ format }: Zone, instantMs: number): number {
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
  const before = offsetAt(wallMs - DAY_MS, timezone)
  const after = offsetAt(wallMs + DAY_MS, timezone)
  const candidates = [wallMs - before, wallMs - after].sort((a, b) => a - b)
  const exact = candidates.find((instantMs) => toWallMs(instantMs, timezone) === wallMs)
  return exact ?? (candidates[1] as number)
}
