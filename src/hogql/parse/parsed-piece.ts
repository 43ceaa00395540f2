import { syntaxError } from "../hogql-error.js"
import type { Span } from "../nodes/nodes.js"
import type { RawNode } from "./grammar.js"
import type { Piece } from "./outline.js"

/** How deep the tree being built is: operators without brackets (`1 + 1 + …`) nest too, and recursion needs stack. */
const MAX_TREE_DEPTH = 400

export class TreeDepth {
  private depth = 0

  /** Runs a step one level deeper. */
  within<Result>(at: Span, step: () => Result): Result {
    if (++this.depth > MAX_TREE_DEPTH) throw syntaxError("The query is too deeply nested.", at)
    try {
      return step()
    } finally {
      this.depth--
    }
  }
}

/** A piece with the grammar's answer to it. Translates places: the grammar counts code points of the piece. */
export class ParsedPiece {
  readonly raw: RawNode
  readonly role: Piece["role"]
  readonly depth: TreeDepth
  private readonly offset: number
  private readonly children: ReadonlyMap<number, ParsedPiece>
  private readonly used = new Set<number>()
  private readonly utf16: Int32Array | null

  constructor(piece: Piece, raw: RawNode, children: ReadonlyMap<number, ParsedPiece>, depth: TreeDepth) {
    this.raw = piece.role === "statement" || piece.role === "query" ? raw : onlyColumn(raw)
    this.depth = depth
    this.role = piece.role
    this.offset = piece.offset
    this.children = children
    this.utf16 = utf16Offsets(piece.text)
  }

  span(raw: RawNode): Span {
    return { start: this.place(raw.start?.offset ?? 0), end: this.place(raw.end?.offset ?? 0) }
  }

  /** The piece that a name in this one stands for; undefined for a name that was written. */
  childAt(raw: RawNode): ParsedPiece | undefined {
    if (this.children.size === 0 || raw.start === undefined || raw.start === null) return undefined
    const place = this.place(raw.start.offset)
    this.used.add(place)
    return this.children.get(place)
  }

  /** Where a piece stands that was cut out and then found no place in the tree; null when all have one. */
  unusedPlace(): number | null {
    for (const [place, child] of this.children) {
      const unused = this.used.has(place) ? child.unusedPlace() : place
      if (unused !== null) return unused
    }
    return null
  }

  private place(offset: number): number {
    return this.offset + (this.utf16 === null ? offset : (this.utf16[offset] ?? offset))
  }
}

/** A part was read as the only column of a SELECT. */
function onlyColumn(raw: RawNode): RawNode {
  const columns = raw.select as RawNode[] | undefined
  const [only] = columns ?? []
  if (only === undefined || columns?.length !== 1 || raw.select_from) throw syntaxError("Syntax error in brackets.")
  return only
}

/** UTF-16 offset of every code point; null when the two are the same. */
function utf16Offsets(text: string): Int32Array | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant.
  if (/^[\u0000-\uD7FF\uE000-\uFFFF]*$/.test(text)) return null
  const offsets: number[] = []
  let at = 0
  for (const character of text) {
    offsets.push(at)
    at += character.length
  }
  offsets.push(at)
  return Int32Array.from(offsets)
}
