import { isJsonObject } from "../../../kernel/json.js"
import { toInstantMs } from "../../../kernel/time-zone.js"
import type { QueryObject } from "../queries.types.js"

const DAY_MS = 86_400_000
const DATE = /^(\d{4}-\d{2}-\d{2})$/
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/
const WITH_ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/

/**
 * When the dates of an insight end, in milliseconds since the epoch: a date means the end of that day in the project's
 * zone. Null when the end moves (`-1d`) or is open, and for HogQL, whose text may look at any time.
 */
export function findRangeEnd(query: QueryObject, timezone: string): number | null {
  if (query.kind === "HogQLQuery" || !isJsonObject(query.dateRange)) return null
  const written = query.dateRange.date_to
  if (typeof written !== "string") return null
  const text = written.trim()
  if (DATE.test(text)) return finite(() => toInstantMs(Date.parse(`${text}T00:00:00Z`) + DAY_MS, timezone))
  if (LOCAL_TIME.test(text)) return finite(() => toInstantMs(Date.parse(`${text.replace(" ", "T")}Z`), timezone))
  if (WITH_ZONE.test(text) && text.length > 12) return finite(() => Date.parse(text))
  return null
}

function finite(read: () => number): number | null {
  try {
    const instantMs = read()
    return Number.isFinite(instantMs) ? instantMs : null
  } catch {
    return null
  }
}
