import type { Json, JsonObject } from "./json.js"
import { isJsonSpace, type JsonRun } from "./json-outline.js"
import { YieldBudget, yieldToEventLoop } from "./yield-to-event-loop.js"

type Container = Json[] | JsonObject

/** Parses a text that is an array or an object with the items of a run, or the whole text where that has one run. */
export type ParseRun = (text: string, run: JsonRun) => Json

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const CLOSE_OBJECT = 0x7d

const BYTES_PER_YIELD = 128 * 1024

const parseRunAlone: ParseRun = (text) => JSON.parse(text) as Json

/**
 * `JSON.parse` for a text of any size: one run after the other, with everybody else's turn in between.
 *
 * Runs end at brackets, and at commas with brackets open. Where every run is a list of items once its own brackets are put
 * around it, the whole is one too, and the other way round; so this takes exactly what `JSON.parse` takes.
 * @param bytes UTF-8.
 * @param runs what a `JsonOutline` has found in just these bytes.
 * Rejects with SyntaxError for what is no JSON; its message tells nothing about the place.
 */
export async function parseJsonInTurns(
  bytes: Buffer,
  runs: readonly JsonRun[],
  parse: ParseRun = parseRunAlone,
): Promise<Json> {
  const text = new TextInRuns(bytes, parse)
  const budget = new YieldBudget(BYTES_PER_YIELD)
  for (const [index, run] of runs.entries()) {
    text.add(run, runs[index + 1] ?? null)
    if (budget.spend(run.end - run.start)) await yieldToEventLoop()
  }
  return text.root
}

class TextInRuns {
  root: Json = null
  /** What is open where the next run begins, the outermost first. */
  private readonly open: Container[] = []
  /** Whether the run before ended with the bracket that ends an array or object, and not before a comma. */
  private isAfterBracket = false
  private isFirst = true

  constructor(
    private readonly bytes: Buffer,
    private readonly parse: ParseRun,
  ) {}

  /** @throws SyntaxError */
  add(run: JsonRun, next: JsonRun | null): void {
    const endsContainer = next !== null && next.openers.length < run.openers.length
    if (this.isFirst) this.begin(run, next)
    else if (run.openers.length === 0) this.refuseMore(run)
    else this.addItems(run, next)
    if (endsContainer) this.close(run)
    this.isAfterBracket = endsContainer
    this.isFirst = false
  }

  private begin(run: JsonRun, next: JsonRun | null): void {
    const { start, end } = run
    this.root = this.parse(this.textOf(start, end) + this.closing(run, next), run)
    this.descend(this.root, run, next)
  }

  /** Behind the bracket that ends the whole there is nothing but white space. */
  private refuseMore({ start, end }: JsonRun): void {
    if (!this.isBlank(start, end)) throw notJson()
  }

  private addItems(run: JsonRun, next: JsonRun | null): void {
    const container = this.open.at(-1)
    // The text ends before its brackets do, or what is open is not what was parsed.
    if (next === null || container === undefined) throw notJson()
    const start = this.isAfterBracket ? this.afterComma(run) : run.start
    if (start === null) return
    const [opening, closing] = Array.isArray(container) ? "[]" : "{}"
    const text = `${opening}${this.textOf(start, run.end)}${this.closing(run, next)}${closing}`
    const items = this.parse(text, run) as Container
    if (append(container, items) === 0) throw notJson()
    this.descend(container, run, next)
  }

  /** Behind a bracket stands a comma, or nothing more; null for the latter. */
  private afterComma({ start, end }: JsonRun): number | null {
    const first = this.afterBlanks(start, end)
    if (first === end) return null
    if (this.bytes[first] !== COMMA) throw notJson()
    return first + 1
  }

  private close(run: JsonRun): void {
    const container = this.open.pop()
    if (this.bytes[run.end] !== (Array.isArray(container) ? CLOSE_ARRAY : CLOSE_OBJECT)) throw notJson()
  }

  /** The brackets that the next run finds open and this one did not. */
  private closing(run: JsonRun, next: JsonRun | null): string {
    const opened = next === null ? [] : next.openers.slice(run.openers.length)
    return opened
      .reverse()
      .map((at) => (this.bytes[at] === OPEN_ARRAY ? "]" : "}"))
      .join("")
  }

  /** Finds what this run has opened and not closed: always the last item so far of what it stands in. */
  private descend(outer: Json, run: JsonRun, next: JsonRun | null): void {
    if (next === null) return
    let container = outer
    for (let level = run.openers.length; level < next.openers.length; level++) {
      // The first is the whole itself.
      if (level > 0) container = this.lastOf(container, next.openers[level] as number)
      this.open.push(container as Container)
    }
    // The run ended before a comma, which needs an item in front of it.
    if (next.openers.length > run.openers.length && isEmpty(container as Container)) throw notJson()
  }

  private lastOf(container: Json, openedAt: number): Json {
    if (Array.isArray(container)) return container.at(-1) as Json
    return (container as JsonObject)[this.keyBefore(openedAt)] as Json
  }

  /** The key whose value begins there. That stands in JSON: only what was parsed is asked for it. */
  private keyBefore(at: number): string {
    const { bytes } = this
    let end = at - 1
    while (bytes[end] !== COLON) end--
    while (bytes[end] !== QUOTE) end--
    let start = end - 1
    while (bytes[start] !== QUOTE || this.isEscaped(start)) start--
    return JSON.parse(this.textOf(start, end + 1)) as string
  }

  private isEscaped(at: number): boolean {
    let backslashes = 0
    while (this.bytes[at - 1 - backslashes] === BACKSLASH) backslashes++
    return backslashes % 2 === 1
  }

  private isBlank(start: number, end: number): boolean {
    return this.afterBlanks(start, end) === end
  }

  private afterBlanks(start: number, end: number): number {
    let index = start
    while (index < end && isJsonSpace(this.bytes[index] as number)) index++
    return index
  }

  private textOf(start: number, end: number): string {
    return this.bytes.toString("utf8", start, end)
  }
}

const notJson = (): SyntaxError => new SyntaxError("the text is not JSON")

function isEmpty(container: Container): boolean {
  for (const _ in container) return false
  return true
}

/** Adds items behind those that are there, keys that come again as JSON.parse takes them: the last one counts. Answers how many. */
function append(container: Container, items: Container): number {
  if (Array.isArray(container)) {
    for (const item of items as Json[]) container.push(item)
    return (items as Json[]).length
  }
  let count = 0
  for (const key in items as JsonObject) {
    count++
    const value = (items as JsonObject)[key] as Json
    if (key === "__proto__")
      Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true })
    else container[key] = value
  }
  return count
}
