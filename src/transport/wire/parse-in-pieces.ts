import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.js"
import { yieldToEventLoop } from "../../kernel/yield-to-event-loop.js"
import type { JsonCut, OpenContainer } from "./scan-json.js"

const OPEN_ARRAY = 0x5b

/**
 * Parses a large JSON text piece by piece and yields to the event loop in between: as a whole, 20 MiB of objects that all
 * have names of their own would block it for a second (decision 0041).
 *
 * Each piece is made whole by the brackets that are open around it. `{"batch":[1,2,3]}`, cut behind the 2, is parsed as
 * `{"batch":[1,2]}` and `{"batch":[3]}`, and the items of the second go behind those of the first. The result is that of
 * `JSON.parse`, but for a name that comes twice in one object, the first time with a value that was cut: both values are
 * joined if they are of one kind, where `JSON.parse` takes the last.
 * @param bytes UTF-8.
 * @param cuts what `scanJson` has found in just these bytes.
 * @param parse throws SyntaxError for what is not JSON; this then rejects with it.
 */
export async function parseInPieces(
  bytes: Buffer,
  cuts: readonly JsonCut[],
  parse: (text: string) => Json,
): Promise<Json> {
  const text = new CutText(bytes)
  let whole: Json = null
  let start = 0
  let openBefore: readonly OpenContainer[] = []
  for (const { at, open } of [...cuts, { at: bytes.length, open: [] }]) {
    const piece = parse(text.opening(openBefore) + text.between(start, at) + text.closing(open))
    if (openBefore.length === 0) whole = piece
    else append(whole, piece, text.path(openBefore))
    start = at + 1
    openBefore = open
    await yieldToEventLoop()
  }
  return whole
}

class CutText {
  constructor(private readonly bytes: Buffer) {}

  between(start: number, end: number): string {
    return this.bytes.toString("utf8", start, end)
  }

  /** The opening brackets of these containers, each with its name in front where it has one. */
  opening(open: readonly OpenContainer[]): string {
    return open.map((one, level) => this.between(this.nameAt(open, level) ?? one.bracketAt, one.bracketAt + 1)).join("")
  }

  closing(open: readonly OpenContainer[]): string {
    return open.map((one) => (this.isArray(one) ? "]" : "}")).reduce((inner, bracket) => bracket + inner, "")
  }

  /** The names by which the innermost of these containers is found in the outermost; null for the last item of an array. */
  path(open: readonly OpenContainer[]): readonly (string | null)[] {
    return open.slice(1).map(({ bracketAt }, index) => {
      const nameAt = this.nameAt(open, index + 1)
      if (nameAt === null) return null
      const name = this.between(nameAt, bracketAt)
      return JSON.parse(name.slice(0, name.lastIndexOf('"') + 1)) as string
    })
  }

  private nameAt(open: readonly OpenContainer[], level: number): number | null {
    const parent = open[level - 1]
    return parent === undefined || this.isArray(parent) ? null : (open[level]?.nameAt ?? null)
  }

  private isArray({ bracketAt }: OpenContainer): boolean {
    return this.bytes[bracketAt] === OPEN_ARRAY
  }
}

/**
 * Puts the items of `more` behind those of `whole`. What is at `path` was cut: there, `more` has the rest.
 * @throws SyntaxError when there is nothing between the comma and the bracket.
 */
function append(whole: Json, more: Json, [name, ...path]: readonly (string | null)[]): void {
  if (Array.isArray(whole) && Array.isArray(more)) {
    if (name === undefined && more.length === 0) throw new SyntaxError("an item is missing")
    if (name === null) append(whole.at(-1) ?? null, more.shift() ?? null, path)
    for (const item of more) whole.push(item)
  } else if (isJsonObject(whole) && isJsonObject(more)) {
    const names = Object.keys(more)
    if (name === undefined && names.length === 0) throw new SyntaxError("a member is missing")
    for (const key of names) {
      const [cut, rest] = [whole[key] ?? null, more[key] ?? null]
      if (key === name && isSameKind(cut, rest)) append(cut, rest, path)
      else setMember(whole, key, rest)
    }
  }
}

const isSameKind = (one: Json, other: Json): boolean =>
  (Array.isArray(one) && Array.isArray(other)) || (isJsonObject(one) && isJsonObject(other))

/** As `JSON.parse` makes members: a plain assignment would take `__proto__` for something else. */
function setMember(object: JsonObject, name: string, value: Json): void {
  if (name !== "__proto__") object[name] = value
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}
