import { type Json, toStorableText } from "../../../kernel/json.js"
import { type RrwebItem, readConsoleCall } from "./rrweb-item.js"

/** Levels that lines of the console are kept with. */
export type ConsoleLevel = "info" | "warn" | "error"

/** A line of the recorded page's console. */
export interface ConsoleLog {
  readonly level: ConsoleLevel
  readonly message: string
  readonly timestampMs: number
}

const MAX_VALUE_LENGTH = 2999

/** `assert` is the console's own word for an error, `countReset` for a warning; all that is neither counts as a log. */
const LEVELS: ReadonlyMap<Json, ConsoleLevel> = new Map([
  ["error", "error"],
  ["assert", "error"],
  ["warn", "warn"],
  ["countReset", "warn"],
])

/** Reads a line of the console: its strings, each cut to 2999 characters, joined by a blank. Null for any other item. */
export function readConsoleLog(item: RrwebItem): ConsoleLog | null {
  const call = readConsoleCall(item)
  if (call === null) return null
  const strings = call.values.filter((value): value is string => typeof value === "string")
  return {
    level: LEVELS.get(call.level) ?? "info",
    message: toStorableText(strings.map((text) => text.slice(0, MAX_VALUE_LENGTH)).join(" ")),
    timestampMs: item.timestamp,
  }
}

/** The first line of each level and text: a page that logs in a loop fills no table. */
export function withoutRepetitions(logs: readonly ConsoleLog[]): ConsoleLog[] {
  const seen = new Set<string>()
  return logs.filter(({ level, message }) => {
    const key = `${level} ${message}`
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}
