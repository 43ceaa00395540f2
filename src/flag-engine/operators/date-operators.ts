import type { Json } from "../../kernel/json.js"
import { parseDateText, toInstant } from "./absolute-date.js"
import { readRelativeDate, resolveRelativeDate } from "./relative-date.js"

/**
 * Makes a date operator. The filter is text: a relative date, counted back from now in the project's zone, or an absolute
 * one. Either side that is not a date is no match.
 */
export const dateOperator =
  (compare: (instantMs: number, boundMs: number) => boolean) => (filterValue: Json, timeZone: string) => {
    const boundAt = compileBound(filterValue, timeZone)
    return (value: Json | undefined, nowMs: number): boolean => {
      if (boundAt === null || value === undefined) return false
      const instant = toInstant(value, timeZone)
      return instant !== null && compare(instant, boundAt(nowMs))
    }
  }

/** The moment a filter value names, as a function of now; null when it names none. */
function compileBound(filterValue: Json, timeZone: string): ((nowMs: number) => number) | null {
  if (typeof filterValue !== "string") return null
  const relative = readRelativeDate(filterValue)
  if (relative !== null) return (nowMs) => resolveRelativeDate(relative, nowMs, timeZone)
  const absolute = parseDateText(filterValue, timeZone)
  return absolute === null ? null : () => absolute
}
