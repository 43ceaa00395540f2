import { HogqlError, syntaxError } from "../hogql-error.js"
import type { Expression, Query, Span } from "../nodes/nodes.js"
import { matchBrackets } from "./brackets.js"
import { CONTINUING_WORDS, NEVER_NAMES } from "./keywords.js"
import { type Token, tokenize } from "./tokens.js"

/** Rules of the grammar that refer to each other; given to the reader so that their files need no circle of imports. */
export interface Rules {
  /** Everything down to AND, OR, `? :` and AS. */
  expression(reader: TokenReader): Expression
  /** An operand with the operators behind it that bind at least as tight as `minimum`. */
  value(reader: TokenReader, minimum: number): Expression
  /** A SELECT or a set of them. */
  query(reader: TokenReader): Query
}

/** How deep rules may call each other: prefixes and lambdas nest without brackets. */
const MAX_RULE_DEPTH = 800

/** A place in the tokens of one text, with what the rules ask about the next ones. */
export class TokenReader {
  readonly tokens: readonly Token[]
  /** Index of the next token. */
  index = 0
  /** An AS at this index ends an expression instead of naming it, as what stands around needs it. */
  stopAt = -1
  private readonly partners: Int32Array
  private readonly failedForms = new Map<number, HogqlError>()
  private readonly lambdaHeads: Uint8Array
  private depth = 0

  constructor(
    private readonly text: string,
    readonly rules: Rules,
  ) {
    this.tokens = tokenize(text)
    this.partners = matchBrackets(this.tokens)
    this.lambdaHeads = this.findLambdaHeads()
  }

  peek(ahead = 0): Token {
    return this.tokens[Math.min(this.index + ahead, this.tokens.length - 1)] as Token
  }

  next(): Token {
    const token = this.peek()
    if (token.kind !== "end") this.index++
    return token
  }

  isWord(word: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.kind === "word" && token.value === word
  }

  isSign(sign: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.kind === "sign" && token.value === sign
  }

  takeWord(word: string): boolean {
    const found = this.isWord(word)
    if (found) this.index++
    return found
  }

  /** Takes all of these words, or none. */
  takeWords(...words: readonly string[]): boolean {
    const found = words.every((word, ahead) => this.isWord(word, ahead))
    if (found) this.index += words.length
    return found
  }

  takeSign(sign: string): boolean {
    const found = this.isSign(sign)
    if (found) this.index++
    return found
  }

  expectWord(word: string): void {
    if (!this.takeWord(word)) throw this.expected(word.toUpperCase())
  }

  expectSign(sign: string): void {
    if (!this.takeSign(sign)) throw this.expected(sign)
  }

  /** Reads what stands in brackets, which begin here. */
  enclosed<Result>(brackets: "()" | "[]" | "{}", read: () => Result): Result {
    this.expectSign(brackets.charAt(0))
    const result = read()
    this.expectSign(brackets.charAt(1))
    return result
  }

  /** How far ahead the token stands that closes the bracket `ahead` of here. */
  closing(ahead = 0): number {
    return (this.partners[this.index + ahead] ?? 0) - this.index
  }

  /** Whether the token may be a name: any word or quoted name but the few words that never are. */
  isName(ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.kind === "name" || (token.kind === "word" && !NEVER_NAMES.has(token.value))
  }

  name(what = "a name"): string {
    if (!this.isName()) throw this.expected(what)
    return this.written(this.next())
  }

  /** A word as it was written, a quoted name without its quotes. */
  written(token: Token): string {
    return token.kind === "word" ? this.source(token) : token.value
  }

  source(at: Span): string {
    return this.text.slice(at.start, at.end)
  }

  /** Whether an operand can begin `ahead`; words that go on after one only count as the name of a call or of parts. */
  beginsOperand(ahead = 0): boolean {
    const token = this.peek(ahead)
    switch (token.kind) {
      case "end":
      case "templateText":
      case "templateEnd":
        return false
      case "word":
        if (CONTINUING_WORDS.has(token.value)) return this.isSign("(", ahead + 1) || this.isSign(".", ahead + 1)
        return !NEVER_NAMES.has(token.value) || ["null", "nan", "inf", "infinity"].includes(token.value)
      case "sign":
        if (token.value === ".") return this.peek(ahead + 1).kind === "number"
        if (token.value === "(" && this.isSign(")", ahead + 1)) return this.isSign("->", ahead + 2)
        if (token.value === "+") return this.peek(ahead + 1).kind === "number" || this.isSign(".", ahead + 1)
        return "([{-*".includes(token.value)
      default:
        return true
    }
  }

  /** Whether names with commas between them and `->` after them begin here: the head of a lambda without brackets. */
  isLambdaHead(): boolean {
    return this.lambdaHeads[this.index] === 1
  }

  /** From the start of a token, by its index, to the end of the last token taken. */
  span(from: number): Span {
    const start = this.tokens[from]?.start ?? 0
    return { start, end: Math.max(start, this.tokens[this.index - 1]?.end ?? 0) }
  }

  /** Reads what a keyword begins, such as CASE or INTERVAL; undefined when it must be a name. Tried once a place. */
  keywordForm<Result>(read: () => Result): Result | undefined {
    const { index, stopAt, depth } = this
    if (this.failedForms.has(index)) return undefined
    try {
      return read()
    } catch (failure) {
      if (!(failure instanceof HogqlError) || failure.kind === "query" || this.depth > MAX_RULE_DEPTH) throw failure
      this.failedForms.set(index, failure)
      this.index = index
      this.stopAt = stopAt
      this.depth = depth
      return undefined
    }
  }

  /** What to say of a text that cannot be read: the failure that came furthest. */
  furthest(failure: HogqlError): HogqlError {
    const others = failure.kind === "syntax" ? [...this.failedForms.values()] : []
    return others.reduce((best, other) => (other.start >= best.start ? other : best), failure)
  }

  /** Runs a rule one level deeper. */
  nested<Result>(read: () => Result): Result {
    if (++this.depth > MAX_RULE_DEPTH) throw syntaxError("The query is too deeply nested.", this.peek())
    const result = read()
    this.depth--
    return result
  }

  /** The error for the next token, which is none of what could come here. */
  expected(what: string): HogqlError {
    const token = this.peek()
    if (token.kind === "end") return syntaxError(`The query ends too early: expected ${what} at its end.`, token)
    return syntaxError(`Syntax error: did not expect '${this.source(token)}' here, but ${what}.`, token)
  }

  private findLambdaHeads(): Uint8Array {
    const heads = new Uint8Array(this.tokens.length)
    for (this.index = this.tokens.length - 2; this.index >= 0; this.index--) {
      if (!this.isName()) continue
      const afterComma = this.isSign(",", 1) ? 2 : 1
      if (this.isSign("->", afterComma) || (afterComma === 2 && heads[this.index + 2] === 1)) heads[this.index] = 1
    }
    this.index = 0
    return heads
  }
}
