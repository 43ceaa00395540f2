/** Where clients write who an event or a decision is about (`capture.md` 1.5, 4.5 and 5). */
const LONG_ID = /(?<!\\)("(?:\$?distinct_id|\$anon_distinct_id|alias|\$group_key)"\s*:\s*)(-?\d{16,200})(?=\s*[,}])/g
/** Where group types and the keys of their groups begin. */
const GROUPS = /(?<!\\)"\$?groups"\s*:\s*\{/g
const GROUPS_KEYS = ['"groups"', '"$groups"']
const SPACE = 0x20
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
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

/**
 * `quoteLongIds` for a stretch of a text: an array or object with items of that one whose bracket is the last of `openers`, which
 * say where in `bytes` the brackets stand that it is within. Whether something is the key of a group may be told there alone.
 */
export function quoteLongIdsWithin(text: string, bytes: Buffer, openers: readonly number[]): string {
  const level = openers.findIndex((at) => opensGroups(bytes, at))
  if (level < 0) return quoteLongIds(text)
  const [before, after] = level === openers.length - 1 ? ['{"groups":', "}"] : ['{"groups":{"":', "}}"]
  return quoteLongIds(`${before}${text}${after}`).slice(before.length, -after.length)
}

function opensGroups(bytes: Buffer, at: number): boolean {
  if (bytes[at] !== OPEN_OBJECT) return false
  const colon = beforeBlanks(bytes, at)
  if (bytes[colon] !== COLON) return false
  const end = beforeBlanks(bytes, colon) + 1
  return GROUPS_KEYS.some(
    (key) =>
      bytes.toString("latin1", Math.max(0, end - key.length), end) === key && bytes[end - key.length - 1] !== BACKSLASH,
  )
}

/** The place of the last byte before `at` that is not white space. */
function beforeBlanks(bytes: Buffer, at: number): number {
  let index = at - 1
  while (index >= 0 && (bytes[index] as number) <= SPACE) index--
  return index
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
