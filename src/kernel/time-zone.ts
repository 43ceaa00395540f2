const DAY_MS = 86_400_000
/** Of one zone; the times of an answer rarely lie in more than some hundred days. */
const MAX_CACHED_DAYS = 10_000
/** No zone changed its clocks before, and formats without eras misread years below 100, which some write for "never". */
const BEFORE_ALL_CHANGES_MS = Date.UTC(1700, 0, 1)
const UTC_NAMES: ReadonlySet<string> = new Set(["UTC", "Etc/UTC", "GMT", "Etc/GMT"])

interface Zone {
  readonly format: Intl.DateTimeFormat
  /** Offsets at midnights of UTC, by days since the epoch. */
  readonly midnights: Map<number, number>
}
const zones = new Map<string, Zone>()

/** Whether the runtime knows an IANA zone name. */
export function isTimeZone(name: string): boolean {
  try {
    findZone(name)
    return true
  } catch {
    return false
  }
}

/**
 * How far a zone's wall clock is ahead of UTC at an instant, in milliseconds. Asking the platform costs some microseconds,
 * for every point of a chart and every time in an answer, so the offsets at midnights are cached: between two midnights
 * that agree no clock was changed.
 */
export function offsetAt(instantMs: number, timezone: string): number {
  if (UTC_NAMES.has(timezone)) return 0
  const zone = findZone(timezone)
  const askedMs = Math.max(instantMs, BEFORE_ALL_CHANGES_MS)
  const day = Math.floor(askedMs / DAY_MS)
  const atMidnight = offsetAtMidnight(zone, day)
  return atMidnight === offsetAtMidnight(zone, day + 1) ? atMidnight : readOffset(zone, askedMs)
}

/** The wall clock of a zone at an instant, as if it were UTC. */
export const toWallMs = (instantMs: number, timezone: string): number => instantMs + offsetAt(instantMs, timezone)

/**
 * Which instant a wall clock means by a time that it shows twice, because it was set back, or never, because it was set
 * forward.
 * - `compatible`: the first of the two; for one that it leaves out, as if it had not been set forward yet (as Temporal's
 *   "compatible" and calendars do).
 * - `two-guesses`: the offset is first guessed as if the wall clock showed UTC, then read where that guess leads. East of
 *   Greenwich this is the later instant, west of it the earlier one; flags have always been decided so.
 */
export type Disambiguation = "compatible" | "two-guesses"

/** The instant at which a zone's wall clock shows this time. */
export function toInstantMs(wallMs: number, timezone: string, disambiguation: Disambiguation = "compatible"): number {
  if (disambiguation === "two-guesses") return wallMs - offsetAt(wallMs - offsetAt(wallMs, timezone), timezone)
  const before = offsetAt(wallMs - DAY_MS, timezone)
  const after = offsetAt(wallMs + DAY_MS, timezone)
  const [earlier, later] = [wallMs - Math.max(before, after), wallMs - Math.min(before, after)]
  return toWallMs(earlier, timezone) === wallMs ? earlier : later
}

function findZone(timezone: string): Zone {
  let zone = zones.get(timezone)
  if (zone === undefined) {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
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
    if (midnights.size >= MAX_CACHED_DAYS) midnights.clear()
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
