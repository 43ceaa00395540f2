import { syntaxError } from "../hogql-error.js"

export type TokenKind = "word" | "name" | "text" | "template" | "number" | "open" | "close" | "sign"

/** A piece of the query text; only fine enough to find brackets, the published grammar does the reading. */
export interface Token {
  readonly kind: TokenKind
  /** As written; words in lower case. */
  readonly value: string
  readonly start: number
  readonly end: number
}

/** Longest text that is read, in UTF-16 units. */
export const MAX_TEXT_LENGTH = 100_000
export const MAX_TOKENS = 20_000

const WORD = /[A-Za-z_$][A-Za-z0-9_$]*/y
const NUMBER = /(?:0x[0-9a-f]+|\d+(?:\.\d*)?(?:e[+-]?\d+)?)/iy
const SPACE = /(?:\s|\uFEFF)+/y
const LINE_COMMENT = /(?:--|\/\/)[^\n\r]*/y
const BLOCK_COMMENT = /\/\*[\s\S]*?\*\//y
const QUOTED: Readonly<Record<string, RegExp>> = {
  "'": /'(?:[^'\\]|\\[\s\S]|'')*'/y,
  '"': /"(?:[^"\\]|\\[\s\S]|"")*"/y,
  "`": /`(?:[^`\\]|\\[\s\S]|``)*`/y,
}

/** Cuts a text into tokens. Throws HogqlError for a text that is too long or has a quote that is never closed. */
export function tokenize(text: string): Token[] {
  if (text.length > MAX_TEXT_LENGTH) {
    throw syntaxError(`The query is longer than ${MAX_TEXT_LENGTH} characters.`)
  }
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const skipped = match(SPACE, text, at) ?? match(LINE_COMMENT, text, at) ?? match(BLOCK_COMMENT, text, at)
    if (skipped !== null) {
      refuseHiddenLines(skipped, at)
      at += skipped.length
      continue
    }
    if (tokens.length >= MAX_TOKENS) throw syntaxError(`The query has more than ${MAX_TOKENS} words and signs.`)
    const token = tokenAt(text, at)
    tokens.push(token)
    at = token.end
  }
  return tokens
}

/** A line separator that ends a comment for some readers only could hide a statement. */
function refuseHiddenLines(skipped: string, at: number): void {
  const hidden = skipped.search(/[\u0085\u2028\u2029]/)
  if (hidden >= 0) throw syntaxError("Lines must end with a line feed.", { start: at + hidden, end: at + hidden + 1 })
}

function tokenAt(text: string, at: number): Token {
  const first = text[at] as string
  const make = (kind: TokenKind, value: string): Token => ({ kind, value, start: at, end: at + value.length })
  if (first === "f" && text[at + 1] === "'") return make("template", templateAt(text, at))
  const quoted = QUOTED[first]
  if (quoted !== undefined) {
    const value = match(quoted, text, at)
    if (value === null) throw syntaxError(`This ${first} is never closed.`, { start: at, end: at + 1 })
    return make(first === "'" ? "text" : "name", value)
  }
  if ("([{".includes(first)) return make("open", first)
  if (")]}".includes(first)) return make("close", first)
  if (first === "#") throw syntaxError("Comments begin with -- or /*.", { start: at, end: at + 1 })
  const word = match(WORD, text, at)
  if (word !== null) return { ...make("word", word), value: word.toLowerCase() }
  const number = match(NUMBER, text, at)
  return number !== null ? make("number", number) : make("sign", String.fromCodePoint(text.codePointAt(at) as number))
}

const MAX_TEMPLATE_DEPTH = 4
/** Brackets inside a template reach the grammar as they are. */
const MAX_TEMPLATE_BRACKETS = 3

/** The whole of `f'… {expression} …'`; quotes inside braces do not end it. */
function templateAt(text: string, start: number): string {
  const modes: ("text" | "code")[] = ["text"]
  let brackets = 0
  for (let at = start + 2; at < text.length; at++) {
    const sign = text[at]
    const mode = modes[modes.length - 1]
    if (sign === "\\") at++
    else if (mode === "text" && sign === "'") modes.pop()
    else if (mode === "text" && sign === "{") modes.push("code")
    else if (mode === "code" && sign === "}") modes.pop()
    else if (mode === "code" && sign === "'") modes.push("text")
    else if (mode === "code" && sign === "{") modes.push("code")
    if (mode === "code" && (sign === "(" || sign === "[")) brackets++
    else if (mode === "code" && (sign === ")" || sign === "]")) brackets--
    if (modes.length === 0) return text.slice(start, at + 1)
    if (modes.length > MAX_TEMPLATE_DEPTH || brackets > MAX_TEMPLATE_BRACKETS) {
      throw syntaxError("The template text is too deeply nested.", { start: at, end: at + 1 })
    }
  }
  throw syntaxError("This template text is never closed.", { start, end: start + 2 })
}

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? null
}
