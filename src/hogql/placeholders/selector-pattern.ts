import { queryError } from "../hogql-error.js"
import type { Span } from "../nodes/nodes.js"

/** What one element must be like. */
interface ElementTest {
  readonly tag: string | null
  readonly classes: readonly string[]
  /** Patterns of values, by the attribute's name in a chain. */
  readonly attributes: ReadonlyMap<string, string>
  /** Whether it is the parent of the element before it, not just somewhere around it. */
  readonly isParent: boolean
}

/** A quote in a value is escaped. */
const ANY_TEXT = '(?:\\\\"|[^"])*'
const ANY_ATTRIBUTES = `(?:[^;"=]+="${ANY_TEXT}")*`
const ANY_CLASSES = '(?:\\.[^;".]*)*'
/** `;` separates elements, unless it stands in a value. */
const ANY_ELEMENTS = `(?:(?:[^;"]|"${ANY_TEXT}")*;)*?`

const TAG = /\*|(?:\\.|[\w-]|[^\0-\x7f])+/y
const CLASS_OR_ID = /([.#])((?:\\.|[\w-]|[^\0-\x7f])+)/y
const ATTRIBUTE =
  /\[\s*((?:\\.|[^\s=^$*~|\]"'\\])+)\s*(?:([\^$*~]?=)\s*("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\s\]"']+)\s*)?\]/y
const PLACE = /:(nth-child|nth-of-type)\(\s*(\d{1,9})\s*\)/y
const COMBINATOR = /\s*>\s*|\s+/y

/**
 * A regular expression for the chains of elements that hold one which a CSS selector describes: tag, `.class`, `#id`,
 * `[attribute]` with `=`, `^=`, `$=`, `*=` and `~=`, `:nth-child(n)`, `:nth-of-type(n)`, inside one another with a space or
 * `>` (`docs/contract/queries.md#actions`). A chain is `tag.class.class:name="value"name="value"` for each element, joined
 * by `;`, the innermost first, with classes and names in order.
 *
 * @throws HogqlError for a selector that cannot be read
 */
export function toChainPattern(selector: string, at: Span): string {
  const tests = readSelector(selector.trim(), at).toReversed()
  const patterns = tests.map((test, index) => {
    const before = index === 0 ? "^" : ";"
    const between = index > 0 && tests[index - 1]?.isParent === true ? "" : ANY_ELEMENTS
    return before + between + toElementPattern(test)
  })
  return `${patterns.join("")}(?:;|$)`
}

function toElementPattern({ tag, classes, attributes }: ElementTest): string {
  const named = classes.toSorted().map((name) => `${ANY_CLASSES}?\\.${toLiteral(name)}`)
  const head = `${tag === null ? '[^;".:]*' : toLiteral(tag)}${named.join("")}${ANY_CLASSES}`
  if (attributes.size === 0) return `${head}(?::${ANY_ATTRIBUTES})?`
  const valued = [...attributes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${ANY_ATTRIBUTES}?${toLiteral(name)}="${value}"`)
  return `${head}:${valued.join("")}${ANY_ATTRIBUTES}`
}

/** The elements from the outermost to the innermost; `isParent` of one is about the next. */
function readSelector(selector: string, at: Span): ElementTest[] {
  const tests: ElementTest[] = []
  let position = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position
    const found = pattern.exec(selector)
    if (found !== null) position = pattern.lastIndex
    return found
  }
  do {
    const start = position
    const tag = take(TAG)?.[0] ?? "*"
    const classes = new Set<string>()
    const attributes = new Map<string, string>()
    const add = (name: string, value: string): void => {
      if (attributes.has(name)) throw unreadable(selector, "it asks for one attribute twice", at)
      attributes.set(name, value)
    }
    for (;;) {
      const word = take(CLASS_OR_ID)
      const attribute = word === null ? take(ATTRIBUTE) : null
      const place = word === null && attribute === null ? take(PLACE) : null
      if (word?.[1] === ".") classes.add(withoutEscapes(word[2] ?? ""))
      else if (word !== null) add("attr_id", toValue(withoutEscapes(word[2] ?? "")))
      else if (attribute !== null) add(toChainName(withoutEscapes(attribute[1] ?? "")), toValuePattern(attribute))
      else if (place !== null) add(place[1] ?? "", String(Number(place[2])))
      else break
    }
    if (position === start) throw unreadable(selector, `nothing is known of '${selector.slice(start, start + 40)}'`, at)
    const isParent = take(COMBINATOR)?.[0].includes(">") === true
    tests.push({ tag: tag === "*" ? null : withoutEscapes(tag), classes: [...classes], attributes, isParent })
  } while (position < selector.length)
  if (tests.at(-1)?.isParent === true) throw unreadable(selector, "an element is missing behind '>'", at)
  return tests
}

/** An id has a name of its own in a chain. */
const toChainName = (attribute: string): string => (attribute === "id" ? "attr_id" : `attr__${attribute}`)

function toValuePattern([, , operator, written = ""]: RegExpExecArray): string {
  if (operator === undefined) return ANY_TEXT
  const value = toValue(withoutEscapes(written.replace(/^["']|["']$/g, "")))
  switch (operator) {
    case "^=":
      return value + ANY_TEXT
    case "$=":
      return ANY_TEXT + value
    case "*=":
      return ANY_TEXT + value + ANY_TEXT
    case "~=":
      return `(?:${ANY_TEXT}\\s)?${value}(?:\\s${ANY_TEXT})?`
    default:
      return value
  }
}

const toValue = (text: string): string => toLiteral(text.replaceAll('"', '\\"'))
const toLiteral = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
const withoutEscapes = (text: string): string => text.replace(/\\(.)/g, "$1")

const unreadable = (selector: string, reason: string, at: Span) =>
  queryError(`The selector '${selector.slice(0, 100)}' cannot be read: ${reason}.`, at)
