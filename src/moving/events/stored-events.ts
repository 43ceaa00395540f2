import type { Waymark } from "../wire/waymark.js"
import type { SortedEvent } from "./sorted-events.js"

/**
 * Which events a project has already. The server recognises a uuid for a week; what is imported may have been stored long
 * before that, by an earlier import of a file that overlaps this one.
 */
export interface StoredEvents {
  /** The uuids of those events that the project has. They come in order of time. */
  find(events: readonly SortedEvent[]): Promise<ReadonlySet<string>>
}

const NONE: ReadonlySet<string> = new Set()
const DAY_LENGTH = "2026-11-28".length
const TIME_LENGTH = "2026-11-28 10:00:00.000".length

/** Looks once which days have events: only within these is asked for uuids, so that a first import asks nothing more. */
export async function createStoredEvents(target: Waymark): Promise<StoredEvents> {
  const rows = await target.query(
    "SELECT toString(toDate(toTimeZone(timestamp, 'UTC'))) FROM events GROUP BY 1 LIMIT 50000",
  )
  const days = rows.map(([day]) => String(day)).sort()
  return {
    find: async (events) => {
      const from = events[0]?.time
      const to = events.at(-1)?.time
      if (from === undefined || to === undefined || !hasDayBetween(days, from, to)) return NONE
      const uuids = events.map(({ uuid }) => `'${uuid}'`).join(",")
      const found = await target.query(
        `SELECT toString(uuid) FROM events WHERE timestamp >= ${toHogql(from)} AND timestamp <= ${toHogql(to)}
          AND uuid IN (${uuids}) LIMIT 50000`,
      )
      return new Set(found.map(([uuid]) => String(uuid)))
    },
  }
}

const hasDayBetween = (days: readonly string[], from: string, to: string): boolean =>
  days.some((day) => day >= from.slice(0, DAY_LENGTH) && day <= to.slice(0, DAY_LENGTH))

/** With milliseconds, as events are stored. */
const toHogql = (time: string): string => `toDateTime64('${time.replace("T", " ").slice(0, TIME_LENGTH)}', 3, 'UTC')`
