import { type HogqlError, syntaxError } from "../hogql-error.js"
import type { Query } from "../nodes/nodes.js"
import { buildQuery } from "./build-nodes.js"
import { type RawNode, readWithGrammar } from "./grammar.js"
import { outline, type Piece } from "./outline.js"
import { ParsedPiece, TreeDepth } from "./parsed-piece.js"

const MAX_CACHED_TEXTS = 500
const MAX_CACHED_LENGTH = 20_000
const cache = new Map<string, Query>()

/**
 * Reads a query text into nodes. Work is cut into pieces of a few milliseconds with turns for other work between them;
 * recent texts are answered from memory.
 *
 * @throws HogqlError of kind `syntax`, with the place in the text
 */
export async function parse(text: string): Promise<Query> {
  const known = cache.get(text)
  if (known !== undefined) {
    cache.delete(text)
    cache.set(text, known)
    return known
  }
  const query = buildQuery(await readPieces(text))
  if (text.length <= MAX_CACHED_LENGTH) {
    cache.set(text, query)
    if (cache.size > MAX_CACHED_TEXTS) cache.delete(cache.keys().next().value as string)
  }
  return query
}

async function readPieces(text: string): Promise<ParsedPiece> {
  const root = outline(text)
  const depth = new TreeDepth()
  const visit = async (piece: Piece): Promise<ParsedPiece> => {
    await new Promise<void>((resume) => setImmediate(resume))
    const raw = await readWithGrammar(piece.text)
    if (raw === null) throw syntaxError("The query is too deeply nested.")
    if (raw.error) throw toError(raw, piece, text)
    const children = new Map<number, ParsedPiece>()
    for (const [offset, child] of piece.children) children.set(offset, await visit(child))
    return new ParsedPiece(piece, raw, children, depth)
  }
  return visit(root)
}

/** The grammar counts an error's place in bytes of UTF-8. */
function toError(raw: RawNode, piece: Piece, text: string): HogqlError {
  const bytes = Buffer.from(piece.text, "utf8")
  const place = (offset: number | undefined) =>
    Math.min(text.length, Math.max(0, piece.offset + bytes.subarray(0, offset ?? 0).toString("utf8").length))
  const start = place(raw.start?.offset)
  if (raw.type !== "SyntaxError" || raw.message?.includes("reserved keyword")) {
    return syntaxError(raw.message ?? "This is not supported.", { start, end: text.length })
  }
  const found = /^\s*(?:\w+|.)?/u.exec(text.slice(start))?.[0].trim() ?? ""
  return found === ""
    ? syntaxError("The query ends too early: something is missing at its end.", {
        start: text.length,
        end: text.length,
      })
    : syntaxError(`Syntax error: did not expect '${found}' here.`, { start, end: start + found.length })
}
