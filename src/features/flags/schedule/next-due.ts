import { toInstantMs, toWallMs } from "../../../kernel/time-zone.js"

/** How often a change is made again. */
export type Recurrence = "daily" | "weekly" | "monthly"

const DAY_MS = 86_400_000
/** Never less than there are, so that no occurrence is stepped over. */
const MOST_DAYS: Readonly<Record<Recurrence, number>> = { daily: 1, weekly: 7, monthly: 31 }

/**
 * The first occurrence after an instant, all in milliseconds since the epoch: at the same time of the zone's clock as the
 * first one, whether that was set forward or back since. A month without the day has it on its last one.
 */
export function findNextDue(startMs: number, recurrence: Recurrence, timezone: string, afterMs: number): number {
  const start = toWallMs(startMs, timezone)
  const passed = (toWallMs(afterMs, timezone) - start) / (MOST_DAYS[recurrence] * DAY_MS)
  for (let count = Math.max(0, Math.floor(passed)); ; count++) {
    const instant = toInstantMs(toOccurrence(start, recurrence, count), timezone)
    if (instant > afterMs) return instant
  }
}

/** Wall clocks as if they were UTC. */
function toOccurrence(start: number, recurrence: Recurrence, count: number): number {
  if (recurrence !== "monthly") return start + count * MOST_DAYS[recurrence] * DAY_MS
  const first = new Date(start)
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + count]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const midnight = Date.UTC(year, month, Math.min(first.getUTCDate(), lastDay))
  return midnight + (start - Math.floor(start / DAY_MS) * DAY_MS)
}
