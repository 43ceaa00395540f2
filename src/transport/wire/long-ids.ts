/** Where clients write who an event or a decision is about (`docs/contract/capture.md#distinct-ids`). */
const LONG_ID = /(?<!\\)("(?:\$?distinct_id|\$anon_distinct_id|alias|\$group_key)"\s*:\s*)(-?\d{16,200})(?=\s*[,}])/g
/** Where group types and the keys of their groups begin. */
const GROUPS = /(?<!\\)"\$?groups"\s*:\s*\{/g
const LONG_VALUE = /(:\s*)(-?\d{16,200})(?=\s*(?:,|$))/y

/**
 * Puts ids that are written as numbers of 16 digits or more in quotes: a double would change the last of them, and two users
 * would be one. For a text that was found to be JSON; answers the very same text when it has none. Takes time in proportion
 * to the text, whatever that is.
 */
export function quoteLongIds(text: string): string {
  const quoted = text.replace(LONG_ID, '$1"$2"')
  let pieces = ""
  let done = 0
  for (const { 0: opening, index } of quoted.matchAll(GROUPS)) {
    if (index < done) continue
    const start = index + opening.length
    const end = endOfObject(quoted, start)
    pieces += quoted.slice(done, start) + quoteLongValues(quoted.slice(start, end))
    done = end
  }
  return done === 0 ? quoted : pieces + quoted.slice(done)
}

/** `members`: what stands between the braces of an object. */
function quoteLongValues(members: string): string {
  let pieces = ""
  let done = 0
  walk(members, 0, (at, depth) => {
    LONG_VALUE.lastIndex = at
    const found = depth === 0 && members[at] === ":" ? LONG_VALUE.exec(members) : null
    if (found === null) return
    pieces += `${members.slice(done, at)}${found[1]}"${found[2]}"`
    done = LONG_VALUE.lastIndex
  })
  return pieces + members.slice(done)
}

/** The place of the brace that closes an object, whose inside begins at `start`. */
function endOfObject(text: string, start: number): number {
  let end = text.length
  walk(text, start, (at, depth) => {
    if (depth >= 0) return
    end = at
    return "stop"
  })
  return end
}

/** Visits every character that is outside of texts, with the number of brackets that are open there. */
function walk(text: string, start: number, visit: (at: number, depth: number) => "stop" | undefined): void {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = closingQuote(text, at)
    else {
      if (character === "{" || character === "[") depth++
      else if (character === "}" || character === "]") depth--
      if (visit(at, depth) === "stop") return
    }
  }
}

function closingQuote(text: string, openingQuote: number): number {
  for (let at = text.indexOf('"', openingQuote + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text[at - 1 - backslashes] === "\\") backslashes++
    if (backslashes % 2 === 0) return at
  }
  return text.length
}
