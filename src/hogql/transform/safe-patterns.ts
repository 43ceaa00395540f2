import type { SqlCall, SqlExpression } from "../sql/sql.js"

const LIKES: ReadonlySet<string> = new Set(["like", "notLike", "ilike", "notILike"])

/** Whether a call compares text with a pattern. */
export const isPatternMatch = ({ name }: SqlCall): boolean => name === "match" || LIKES.has(name)

/**
 * Whether the pattern of a call is written out and one that the engine can certainly read. It reads a pattern when it
 * meets the first row with a text: a pattern that it refuses, or one that is in a column, would fail because of that
 * row.
 */
export function hasSafePattern({ name, args }: SqlCall): boolean {
  const pattern = args[1] && readText(args[1])
  if (typeof pattern !== "string" || pattern.length > MAX_LENGTH) return false
  return name === "match" ? isSafeExpression(pattern) : !pattern.endsWith("\\")
}

/** Longer ones are left where they are; what an engine makes of a regular expression grows with it. */
const MAX_LENGTH = 300

/** A text, or a few of them one after the other. */
function readText(item: SqlExpression): string | null {
  if (item.kind === "text") return item.value
  if (item.kind !== "call" || item.name !== "concat") return null
  const parts = item.args.map(readText)
  return parts.includes(null) ? null : parts.join("")
}

const ANY_CASE = "(?i)"
/** What RE2 and JavaScript read alike: no counts, which RE2 bounds, no classes in classes, no groups with options. */
const COMMON = /^(?:[^\\[\]{}(\0]|\\[.*+?^$|()/\\dDwWsSb]|\((?!\?)|\(\?:|\[\^?(?:[^\\[\]^]|\\[dws.\\])+\])*$/

/** Whether a regular expression uses what RE2 and JavaScript have in common, and JavaScript can read it. */
function isSafeExpression(pattern: string): boolean {
  const body = pattern.startsWith(ANY_CASE) ? pattern.slice(ANY_CASE.length) : pattern
  if (!COMMON.test(body)) return false
  try {
    new RegExp(body, "u")
    return true
  } catch {
    return false
  }
}
