import { type HogqlError, syntaxError } from "../hogql-error.js"
import type { Span } from "../nodes/nodes.js"
import { unquoteName, unquoteTemplate, unquoteText } from "./quoted.js"

/** `template` is the opening of `f'…'`, `templateText` a literal run of it, `templateEnd` its last quote. */
export type TokenKind =
  | "word"
  | "name"
  | "text"
  | "number"
  | "sign"
  | "template"
  | "templateText"
  | "templateEnd"
  | "end"

export interface Token extends Span {
  readonly kind: TokenKind
  /** Words in lower case, names and texts without their quotes, everything else as written. */
  readonly value: string
}

/** Longest text that is read, in UTF-16 units. */
const MAX_TEXT_LENGTH = 100_000
const MAX_TOKENS = 20_000

const SPACE = /[\s\u0085\uFEFF]+/y
const LINE_COMMENT = /(?:--|\/\/)[^\n\r]*/y
const BLOCK_COMMENT = /\/\*[\s\S]*?\*\//y
const WORD = /[A-Za-z_$][A-Za-z0-9_$]*/y
const ESCAPE = String.raw`\\(?:[bfrntavBFRNTAV0\\]|[xX][0-9a-fA-F]{2})`
/** What stands between quotes, with the opening one. */
const QUOTED: Readonly<Record<string, string>> = {
  // Before anything else a backslash stays, as in a regular expression.
  "'": String.raw`'(?:[^'\\]|''|\\[\s\S])*`,
  '"': String.raw`"(?:[^"\\]|""|\\"|${ESCAPE})*`,
  "`": `\`(?:[^\`\\\\]|\`\`|\\\\'|${ESCAPE})*`,
}
interface QuotedPattern {
  readonly whole: RegExp
  /** Without the closing quote. */
  readonly body: RegExp
}
const quotedPatterns = new Map<string, QuotedPattern>(
  Object.entries(QUOTED).map(([quote, body]) => [
    quote,
    { whole: new RegExp(`${body}${quote}`, "y"), body: new RegExp(body, "y") },
  ]),
)
const TEMPLATE_TEXT = /(?:[^'\\{]|''|\\[\s\S])+/y
/** Longest form first. A fraction without exponent is no token, so that `a.1.2` are elements of tuples. */
const NUMBER = new RegExp(
  [
    String.raw`0x[0-9a-f]+(?:\.[0-9a-f]*)?p[+-]?\d+`,
    String.raw`\d+\.\d*e[+-]?\d+`,
    String.raw`\.?\d+e[+-]?\d+`,
    "0x[0-9a-f]+",
    String.raw`0[bo]\d+`,
    String.raw`\d+`,
  ].join("|"),
  "iy",
)
const SIGN = /->|::|:=|\|\||==|=~\*?|<=>|<=|<>|<\/|>=|!=|!~\*?|~\*|\?\.|\?\?|\/>|[=<>~?:;,.+\-*/%()[\]{}]/y

/**
 * Cuts a text into tokens; the last one is of kind `end`. Throws HogqlError for a text that is too long, holds a
 * character that means nothing or a quote that is never closed.
 */
export function tokenize(text: string): Token[] {
  if (text.length > MAX_TEXT_LENGTH) throw syntaxError(`The query is longer than ${MAX_TEXT_LENGTH} characters.`)
  return new Tokenizer(text).tokens()
}

class Tokenizer {
  private readonly found: Token[] = []
  /** What the next quote or brace ends: a template's text, or code in braces. */
  private readonly modes: ("template" | "code")[] = []
  private at = 0

  constructor(private readonly text: string) {}

  tokens(): Token[] {
    while (this.at < this.text.length) {
      if (this.modes[this.modes.length - 1] === "template") this.readTemplate()
      else if (!this.skipSpace()) this.readCode()
      if (this.found.length > MAX_TOKENS) throw syntaxError(`The query has more than ${MAX_TOKENS} words and signs.`)
    }
    if (this.modes.includes("template")) {
      const opening = this.found.findLast((token) => token.kind === "template")
      throw syntaxError("This template text is never closed.", opening)
    }
    this.found.push({ kind: "end", value: "", start: this.text.length, end: this.text.length })
    return this.found
  }

  private readTemplate(): void {
    const written = this.match(TEMPLATE_TEXT)
    if (written !== null) {
      this.add("templateText", written, unquoteTemplate(written))
      return
    }
    const sign = this.text.charAt(this.at)
    if (sign === "\\") throw syntaxError("This template text is never closed.", this.here(1))
    if (sign === "{") this.modes.push("code")
    else this.modes.pop()
    this.add(sign === "{" ? "sign" : "templateEnd", sign)
  }

  private skipSpace(): boolean {
    const skipped = this.match(SPACE) ?? this.match(LINE_COMMENT) ?? this.match(BLOCK_COMMENT)
    if (skipped === null) return false
    // A line separator that ends a comment for some readers only could hide a statement.
    const hidden = skipped.search(/[\u0085\u2028\u2029]/)
    this.at += Math.max(hidden, 0)
    if (hidden >= 0) throw syntaxError("Lines must end with a line feed.", this.here(1))
    this.at += skipped.length
    return true
  }

  private readCode(): void {
    const first = this.text.charAt(this.at)
    if (first === "f" && this.text[this.at + 1] === "'") {
      this.modes.push("template")
      this.add("template", "f'")
      return
    }
    const quoted = quotedPatterns.get(first)
    const word = this.match(WORD)
    const number = this.match(NUMBER)
    if (quoted !== undefined) this.readQuoted(first, quoted)
    else if (word !== null) this.add("word", word, word.toLowerCase())
    else if (number !== null) this.add("number", number)
    else this.readSign(first)
  }

  private readQuoted(quote: string, { whole, body }: QuotedPattern): void {
    const written = this.match(whole)
    if (written === null) throw this.unclosed(quote, body)
    if (quote === "'") this.add("text", written, unquoteText(written))
    else this.add("name", written, unquoteName(written))
  }

  /** What is wrong with a text or a name in quotes. */
  private unclosed(quote: string, body: RegExp): HogqlError {
    const end = this.at + (this.match(body)?.length ?? 1)
    if (quote === "'" || this.text[end] !== "\\") return syntaxError(`This ${quote} is never closed.`, this.here(1))
    const written = this.text.slice(end, end + 2)
    const at = { start: end, end: end + written.length }
    return syntaxError(`The escape ${written} means nothing in a name: a backslash itself is written \\\\.`, at)
  }

  private readSign(first: string): void {
    if (this.text.startsWith("/*", this.at)) throw syntaxError("This comment is never closed.", this.here(2))
    if (first === "#") throw syntaxError("Comments begin with -- or /*.", this.here(1))
    const sign = this.match(SIGN)
    if (sign === null) {
      const [character = ""] = this.text.slice(this.at, this.at + 2)
      throw syntaxError(`Syntax error: did not expect '${character}', which is no sign.`, this.here(character.length))
    }
    if (sign === "{" && this.modes.length > 0) this.modes.push("code")
    else if (sign === "}" && this.modes.length > 0) this.modes.pop()
    this.add("sign", sign)
  }

  private add(kind: TokenKind, written: string, value = written): void {
    this.found.push({ kind, value, start: this.at, end: this.at + written.length })
    this.at += written.length
  }

  private here(length: number): Span {
    return { start: this.at, end: this.at + length }
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at
    return pattern.exec(this.text)?.[0] ?? null
  }
}
