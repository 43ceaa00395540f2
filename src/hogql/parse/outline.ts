import { syntaxError } from "../hogql-error.js"
import { type Token, tokenize } from "./tokens.js"

/**
 * The published grammar needs time that grows exponentially with the depth of brackets (eight nested calls: 8 s,
 * measured on 1.3.87), so no text is handed to it whole. A text is cut into pieces whose brackets are at most a few
 * deep: every call or bracket group that holds further brackets becomes a piece of its own, and in the piece around
 * it a name of the same length stands in its place. Offsets stay true, and the trees are put together afterwards.
 */
export interface Piece {
  /** What the grammar reads, always a SELECT: parts of a statement get one put before them. */
  readonly text: string
  /** Where the first character of `text` would stand in the whole text; negative when one was put before it. */
  readonly offset: number
  /** `query` is the inside of `(SELECT …)`, `list` a run of list items, written as an array. */
  readonly role: "statement" | "query" | "expression" | "list"
  /** Pieces that were cut out, by their offset in the whole text. */
  readonly children: ReadonlyMap<number, Piece>
}

const MAX_BRACKET_DEPTH = 100
/** Brackets that stay in a piece although they hold others (`WITH x AS (…)`). */
const MAX_KEPT_DEPTH = 5
/** Work that one piece may be for the grammar, in plain tokens of about 0.3 ms. */
const MAX_PIECE_WORK = 500
/** Longer names and rows of NOT cost the grammar more than their length. */
const MAX_NAME_PARTS = 12
const MAX_NOTS = 8
/** Items of a long list that are read together; those of a SELECT cost more than those of an IN. */
const LIST_RUN = 50
const COLUMN_RUN = 12
/** A query in brackets that is shorter stays where it is. */
const MIN_QUERY_TOKENS = 12
/** Before a part, because the grammar tells the place of an error better inside a statement. */
const BEFORE_PART = "select "

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "))

/** Words after which an expression may begin. */
const LEADS = words(
  "select distinct where prewhere having qualify and or not in like ilike between case when then else by on from join interval",
)
/** Words that are no function name before a bracket; `not`, `and` and `or` may be. */
const NO_CALLEE = words(
  "select distinct where prewhere having qualify in like ilike between case when then else by on from join interval " +
    "as over using filter group all union intersect except with end is array limit offset window values",
)
const LIST_ENDS = words(
  "from where prewhere group having order limit offset window qualify union intersect except array",
)
const SET_WORDS = new Set(["union", "intersect", "except"])

/** Cuts a query text into pieces; the answer is the outermost one. Throws HogqlError when brackets do not match. */
export function outline(text: string): Piece {
  const tokens = tokenize(text)
  if (tokens.length === 0) throw syntaxError("Empty query")
  checkRows(tokens)
  return new Outliner(text, tokens).piece("statement", 0, tokens.length)
}

class Outliner {
  private readonly text: string
  private readonly tokens: readonly Token[]
  private readonly partners: Int32Array
  /** 1 for a bracket that holds no other. */
  private readonly heights: Int32Array

  constructor(text: string, tokens: readonly Token[]) {
    this.text = text
    this.tokens = tokens
    this.partners = new Int32Array(tokens.length)
    this.heights = new Int32Array(tokens.length)
    this.matchBrackets()
  }

  /** `from` and `to` are token indexes; an expression's own first bracket is never cut out of itself. */
  piece(role: Piece["role"], from: number, to: number): Piece {
    const isStatement = role === "statement"
    const start = isStatement ? 0 : this.token(from).start
    const end = isStatement ? this.text.length : this.token(to - 1).end
    const children = new Map<number, Piece>()
    const parts: string[] = []
    let copied = start
    let work = 0
    let keptDepth = 0
    const cutQuery = (first: number, last: number) => {
      const { start: cutStart } = this.token(first)
      const { end: cutEnd } = this.token(last - 1)
      parts.push(this.text.slice(copied, cutStart), BEFORE_PART, "x".repeat(cutEnd - cutStart - BEFORE_PART.length))
      children.set(cutStart + BEFORE_PART.length, this.piece("query", first, last))
      copied = cutEnd
    }
    const cut = (child: Piece, first: number, last: number) => {
      const { start: cutStart, kind: firstKind } = this.token(first)
      const { end: cutEnd, kind: lastKind } = this.token(last - 1)
      // A bracket may touch a word (`in(1)and x`), a name may not.
      const before = firstKind === "open" ? " " : ""
      const after = lastKind === "close" ? " " : ""
      const name = "x".repeat(cutEnd - cutStart - before.length - after.length)
      parts.push(this.text.slice(copied, cutStart), before, name, after)
      children.set(cutStart + before.length, child)
      copied = cutEnd
    }
    for (let index = from; index < to; ) {
      const token = this.token(index)
      const isOwnBracket = index === from + 1 && this.token(from).kind === "word"
      const isOwn = role === "expression" && (index === from || isOwnBracket)
      const unitEnd = isOwn ? null : this.unitEnd(index)
      if (unitEnd !== null) {
        cut(this.piece("expression", index, unitEnd), index, unitEnd)
        index = unitEnd
        continue
      }
      if (token.kind === "open") keptDepth++
      else if (token.kind === "close") keptDepth--
      if (this.holdsLongQuery(index)) {
        cutQuery(index + 1, this.partner(index))
        index = this.partner(index)
        continue
      }
      const runs = this.listRuns(index)
      for (const [first, last] of runs) cut(this.piece("list", first, last), first, last)
      const lastRun = runs[runs.length - 1]
      if (lastRun !== undefined) index = lastRun[1] - 1
      if (keptDepth > MAX_KEPT_DEPTH) throw tooDeep(token)
      work += workOf(token, this.tokens[index - 1])
      if (work > MAX_PIECE_WORK) {
        throw syntaxError("This part of the query is too long: move some of it into subqueries.", token)
      }
      index++
    }
    parts.push(this.text.slice(copied, end))
    const body = parts.join("")
    if (isStatement || role === "query") return { text: body, offset: start, role, children }
    const text = role === "list" ? `${BEFORE_PART}[${body}]` : `${BEFORE_PART}${body}`
    return { text, offset: start - text.indexOf(body, BEFORE_PART.length), role, children }
  }

  /** Index after the call or bracket group that begins here, when it is one to cut out. */
  private unitEnd(index: number): number | null {
    const token = this.token(index)
    const next = this.tokens[index + 1]
    const isCall = token.kind === "word" && next?.value === "(" && next.kind === "open" && !NO_CALLEE.has(token.value)
    const isGroup = token.kind === "open" && token.value !== "{"
    if ((!isCall && !isGroup) || !this.mayBegin(index)) return null
    const open = isCall ? index + 1 : index
    const close = this.partner(open)
    if (isGroup && token.value === "(" && !this.isPlainGroup(index, close)) return null
    let end = close + 1
    let height = this.heights[open] as number
    for (let group = this.groupAfter(end); group !== null; group = this.groupAfter(end)) {
      height = Math.max(height, this.heights[group] as number)
      end = this.partner(group) + 1
    }
    return height >= 2 ? this.withTail(end) : null
  }

  private mayBegin(index: number): boolean {
    const before = this.tokens[index - 1]
    if (before === undefined) return false
    if (before.kind === "open") return true
    if (before.kind === "word") return LEADS.has(before.value)
    return before.kind === "sign" && before.value !== "."
  }

  /** A bracket group that is an expression: not lambda arguments, not an operand of UNION, not a bracketed join. */
  private isPlainGroup(open: number, close: number): boolean {
    const after = this.tokens[close + 1]
    if (after?.value === "-" && this.tokens[close + 2]?.value === ">") return false
    let inner = open + 1
    while (this.tokens[inner]?.value === "(" && this.tokens[inner]?.kind === "open") inner++
    const first = this.tokens[inner]?.value
    const isQuery = first === "select" || first === "with"
    if (isQuery && after !== undefined && SET_WORDS.has(after.value)) return false
    const before = this.tokens[open - 1]?.value
    return isQuery || (before !== "from" && before !== "join")
  }

  /** A further bracket group of the same call: `f(a)(b)`, `FILTER (…)`, `WITHIN GROUP (…)`, `OVER (…)`, `[…]`. */
  private groupAfter(end: number): number | null {
    let at = end
    while (["filter", "within", "group", "over", "ignore", "respect", "nulls"].includes(this.tokens[at]?.value ?? ""))
      at++
    while (this.tokens[at]?.value === "." && this.tokens[at + 1] !== undefined) at += 2
    const token = this.tokens[at]
    return token?.kind === "open" && token.value !== "{" ? at : null
  }

  /** Takes in what belongs to the unit but has no bracket: `.name`, `IGNORE NULLS`, `OVER window`. */
  private withTail(end: number): number {
    let at = end
    for (;;) {
      const value = this.tokens[at]?.value
      if (value === "." || value === "over") at += 2
      else if (value === "ignore" || value === "respect") at += 2
      else return Math.min(at, this.tokens.length)
    }
  }

  /** A query in brackets that had to stay (`WITH x AS (…)`, an operand of UNION): its inside is read apart. */
  private holdsLongQuery(open: number): boolean {
    const first = this.tokens[open + 1]?.value
    const isQuery =
      this.token(open).value === "(" && this.token(open).kind === "open" && (first === "select" || first === "with")
    return isQuery && this.partner(open) - open > MIN_QUERY_TOKENS
  }

  /** Runs of items of the long list that begins here (`IN (1, 2, …)`, `[…]`, SELECT …), as token ranges. */
  private listRuns(index: number): (readonly [number, number])[] {
    const token = this.token(index)
    const isColumns = token.kind === "word" && token.value === "select"
    const isList = token.kind === "open" && (token.value === "[" || this.tokens[index - 1]?.value === "in")
    if (!isColumns && !isList) return []
    const size = isColumns ? COLUMN_RUN : LIST_RUN
    const commas = this.commasAfter(index)
    if (commas.length < 2 * size) return []
    const runs: (readonly [number, number])[] = []
    // The first item stays: DISTINCT may stand before it.
    for (let first = 0; first + size < commas.length; first += size) {
      const run = [(commas[first] as number) + 1, commas[first + size] as number] as const
      if (!this.holdsStar(...run)) runs.push(run)
    }
    return runs
  }

  /** Commas of the list that begins here, up to the end of the list. */
  private commasAfter(index: number): number[] {
    const commas: number[] = []
    for (let at = index + 1; at < this.tokens.length; at++) {
      const token = this.token(at)
      if (token.kind === "open") at = this.partner(at)
      else if (token.kind === "close" || (token.kind === "word" && LIST_ENDS.has(token.value))) break
      else if (token.kind === "sign" && token.value === ",") commas.push(at)
    }
    return commas
  }

  /** `*` and `e.*` mean nothing in an array. */
  private holdsStar(from: number, to: number): boolean {
    for (let at = from; at < to; at++) {
      const before = this.tokens[at - 1]?.value
      if (this.token(at).value === "*" && (before === "," || before === ".")) return true
    }
    return false
  }

  private matchBrackets(): void {
    const open: number[] = []
    this.tokens.forEach((token, index) => {
      if (token.kind === "open") {
        open.push(index)
        if (open.length > MAX_BRACKET_DEPTH) throw tooDeep(token)
        return
      }
      if (token.kind !== "close") return
      const partner = open.pop()
      if (partner === undefined) throw syntaxError(`This ${token.value} closes nothing.`, token)
      const opening = this.token(partner)
      if ("([{".indexOf(opening.value) !== ")]}".indexOf(token.value)) {
        throw syntaxError(`This ${token.value} does not close the ${opening.value} before it.`, token)
      }
      this.partners[partner] = index
      this.heights[partner] = Math.max(1, this.heights[partner] as number)
      const around = open[open.length - 1]
      if (around !== undefined) {
        this.heights[around] = Math.max(this.heights[around] as number, 1 + (this.heights[partner] as number))
      }
    })
    const unclosed = open.pop()
    if (unclosed !== undefined) {
      throw syntaxError(`This ${this.token(unclosed).value} is never closed.`, this.token(unclosed))
    }
  }

  private token(index: number): Token {
    return this.tokens[index] as Token
  }

  private partner(open: number): number {
    return this.partners[open] as number
  }
}

function checkRows(tokens: readonly Token[]): void {
  let dots = 0
  let nots = 0
  tokens.forEach((token, index) => {
    if (token.value === "." && token.kind === "sign") dots++
    else if (tokens[index - 1]?.value !== ".") dots = 0
    nots = token.value === "not" ? nots + 1 : 0
    if (dots >= MAX_NAME_PARTS) throw syntaxError(`A name may have at most ${MAX_NAME_PARTS} parts.`, token)
    if (nots > MAX_NOTS) throw syntaxError("Too many NOT in a row.", token)
  })
}

/** Measured: names with many parts, NOT, CASE, lambdas and templates make the grammar look far ahead. */
function workOf(token: Token, before: Token | undefined): number {
  if (token.kind === "template") return Math.ceil((token.end - token.start) / 4)
  if (token.kind === "word") return token.value === "case" ? 12 : token.value === "not" ? 3 : 1
  if (token.kind !== "sign") return 1
  return token.value === "." ? 3 : token.value === ">" && before?.value === "-" ? 8 : 1
}

const tooDeep = (token: Token) => syntaxError("The query is too deeply nested.", token)
