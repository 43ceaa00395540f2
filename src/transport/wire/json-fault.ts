/** Where a text stops being JSON, and why. */
interface JsonFault {
  readonly reason: string
  /** Of the first character that does not fit. */
  readonly index: number
}

class Refused extends Error {
  constructor(readonly fault: JsonFault) {
    super(fault.reason)
  }
}

const BLANKS = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORDS = ["true", "false", "null"]
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y
/** Characters matched at a time: V8 keeps a place to go back to for each one, and has room for a few million. */
const PLAIN = /[^"\\\p{Cc}]{1,4096}|[\u007f-\u009f]+/uy

/**
 * Why a text is not JSON, with line, column and character in the words that clients of this API know
 * (`docs/contract/management.md#exact-answers`). V8 names a place for some faults only. Nothing of the text itself is
 * shown: what was sent has no place in answers and logs. For a text that `JSON.parse` has refused, of a depth that was
 * checked.
 */
export function describeJsonFault(text: string): string {
  const { reason, index } = findFault(text)
  const lineAt = text.lastIndexOf("\n", index - 1) + 1
  const line = countUnits(text, 0, index, isLineEnd) + 1
  const column = countCharacters(text, lineAt, index) + 1
  return `${reason}: line ${line} column ${column} (char ${countCharacters(text, 0, index)})`
}

const isLineEnd = (unit: number): boolean => unit === 0x0a
const isSecondHalf = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** In characters as people count them, not in halves of surrogate pairs. */
const countCharacters = (text: string, from: number, to: number): number =>
  to - from - countUnits(text, from, to, isSecondHalf)

/** Counts without splitting the text, which may have 20 MiB. */
function countUnits(text: string, from: number, to: number, isCounted: (unit: number) => boolean): number {
  let count = 0
  for (let index = from; index < to; index++) if (isCounted(text.charCodeAt(index))) count++
  return count
}

function findFault(text: string): JsonFault {
  try {
    const end = afterBlanks(text, afterValue(text, 0))
    return { reason: "Extra data", index: end }
  } catch (thrown) {
    if (thrown instanceof Refused) return thrown.fault
    throw thrown
  }
}

const refuse = (reason: string, index: number): never => {
  throw new Refused({ reason, index })
}

/** The index after what `pattern`, a sticky one, finds at an index; the index itself when it finds nothing. */
function after(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index
  return pattern.test(text) ? pattern.lastIndex : index
}

const afterBlanks = (text: string, index: number): number => after(BLANKS, text, index)

function afterValue(text: string, from: number): number {
  const index = afterBlanks(text, from)
  const first = text[index]
  if (first === "{") return afterItems(text, index, "}", afterMember)
  if (first === "[") return afterItems(text, index, "]", afterValue)
  if (first === '"') return afterText(text, index)
  const word = WORDS.find((known) => text.startsWith(known, index))
  const end = word === undefined ? after(NUMBER, text, index) : index + word.length
  return end === index ? refuse("Expecting value", index) : end
}

function afterItems(text: string, open: number, close: string, afterItem: typeof afterValue): number {
  let index = afterBlanks(text, open + 1)
  if (text[index] === close) return index + 1
  for (;;) {
    index = afterBlanks(text, afterItem(text, index))
    if (text[index] === close) return index + 1
    if (text[index] !== ",") return refuse("Expecting ',' delimiter", index)
    index = afterBlanks(text, index + 1)
  }
}

function afterMember(text: string, index: number): number {
  if (text[index] !== '"') return refuse("Expecting property name enclosed in double quotes", index)
  const colon = afterBlanks(text, afterText(text, index))
  return text[colon] === ":" ? afterValue(text, colon + 1) : refuse("Expecting ':' delimiter", colon)
}

function afterText(text: string, open: number): number {
  for (let index = open + 1; ; ) {
    const next = after(ESCAPE, text, after(PLAIN, text, index))
    if (text[next] === '"') return next + 1
    if (next >= text.length) return refuse("Unterminated string starting at", open)
    if (next === index) return refuse(text[next] === "\\" ? "Invalid escape" : "Invalid control character at", next)
    index = next
  }
}
