import { isJsonObject } from "../../../kernel/json.js"
import { toInstantMs, toWallMs } from "../../../kernel/time-zone.js"
import type { QueryObject } from "../queries.types.js"

const DAY_MS = 86_400_000
const DATE = /^(\d{4}-\d{2}-\d{2})$/
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/
const WITH_ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/

const OPEN_KINDS = new Set(["HogQLQuery", "LifecycleQuery", "WebVitalsQuery"])

/**
 * When the dates of an insight end, in milliseconds since the epoch: a date means the end of that day in the project's
 * zone, and so does a time, whose whole day may count (`docs/contract/queries.md#dates-of-an-insight`). Null when the end
 * moves (`-1d`) or is open, for HogQL, whose text may look at any time, for lifecycles, which look beyond the end, and
 * where the dates of a `source` or of a funnel count.
 */
export function findRangeEnd(query: QueryObject, timezone: string): number | null {
  if (OPEN_KINDS.has(query.kind) || !isJsonObject(query.dateRange) || query.funnelPathsFilter != null) return null
  const written = query.dateRange.date_to
  if (typeof written !== "string") return null
  const text = written.trim()
  if (DATE.test(text)) return finite(() => endOfDay(Date.parse(`${text}T00:00:00Z`), timezone))
  if (LOCAL_TIME.test(text)) return finite(() => endOfDay(Date.parse(`${text.replace(" ", "T")}Z`), timezone))
  if (WITH_ZONE.test(text) && text.length > 12)
    return finite(() => endOfDay(toWallMs(Date.parse(text), timezone), timezone))
  return null
}

/** When the day of a wall-clock time ends. */
const endOfDay = (wallMs: number, timezone: string): number =>
  toInstantMs((Math.floor(wallMs / DAY_MS) + 1) * DAY_MS, timezone)

function finite(read: () => number): number | null {
  try {
    const instantMs = read()
    return Number.isFinite(instantMs) ? instantMs : null
  } catch {
    return null
  }
}
