import { parseDateText } from "./absolute-date.js"
import { compileLinearRegex, RegexFault } from "./linear-regex.js"
import { readRelativeDate, resolveRelativeDate } from "./relative-date.js"

/** What flags and lists of persons understand alike by the value of a filter. */
export const personFilterRules = {
  /** The moment that the value of a date operator names, in milliseconds; null when it names none. */
  dateBoundMs(text: string, timeZone: string, nowMs: number): number | null {
    const relative = readRelativeDate(text)
    return relative === null ? parseDateText(text, timeZone) : resolveRelativeDate(relative, nowMs, timeZone)
  },

  /** Why a regular expression is refused; null for one that can be used. */
  findPatternFault(pattern: string): string | null {
    try {
      compileLinearRegex(pattern)
      return null
    } catch (fault) {
      if (fault instanceof RegexFault) return fault.message
      throw fault
    }
  },
}
