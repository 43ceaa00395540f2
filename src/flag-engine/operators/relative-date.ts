import { moveTime, parseRelativeDate, type RelativeDate } from "../../kernel/relative-date.js"
import { toInstantMs, toWallMs } from "../../kernel/time-zone.js"

/** Larger counts are not relative dates (`docs/contract/flags.md#dates-in-filters`). */
const COUNT_LIMIT = 10_000

/** Reads `6h`, `-7d`, `2w`, `3m`, `1y`; the sign is ignored, it is always the past. Null for any other text. */
export function readRelativeDate(text: string): RelativeDate | null {
  const date = parseRelativeDate(text, { units: "hdwmy" })
  return date !== null && (date.count ?? 0) < COUNT_LIMIT ? date : null
}

/**
 * The moment a relative date names, counted back from `nowMs`. Months and years go back one calendar step at a time in
 * the project's zone, each step clamping the day (31 March minus 2 months is 28 January:
 * `docs/contract/flags.md#dates-in-filters`).
 */
export function resolveRelativeDate(date: RelativeDate, nowMs: number, timeZone: string): number {
  if (date.unit !== "m" && date.unit !== "y") return moveTime(nowMs, date, "clamp-each-step")
  const wallMs = moveTime(toWallMs(nowMs, timeZone), date, "clamp-each-step")
  return toInstantMs(wallMs, timeZone, "two-guesses")
}
