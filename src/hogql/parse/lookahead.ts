import type { TokenReader } from "./token-reader.js"

/** Words that a query in brackets may go on with. */
const AFTER_QUERY: ReadonlySet<string> = new Set(["union", "except", "intersect", "order", "limit", "offset"])

/** Whether the `(` that stands `ahead` holds a query. */
export function opensQuery(reader: TokenReader, ahead = 0): boolean {
  const inner = ahead + 1
  if (beginsQuery(reader, inner)) return true
  if (!reader.isSign("(", inner) || !opensQuery(reader, inner)) return false
  const after = reader.peek(reader.closing(inner) + 1)
  return after.value === ")" || (after.kind === "word" && AFTER_QUERY.has(after.value))
}

/** Whether SELECT or WITH stands `ahead` and is no name there. */
export function beginsQuery(reader: TokenReader, ahead: number): boolean {
  if (!reader.isWord("select", ahead) && !reader.isWord("with", ahead)) return false
  const after = reader.peek(ahead + 1)
  return after.kind === "sign" || after.kind === "end" ? reader.beginsOperand(ahead + 1) : true
}

/** Whether a list ends here although a comma was read: at a bracket, at the end, or where a clause begins. */
export function endsList(reader: TokenReader): boolean {
  const { kind, value } = reader.peek()
  if (kind === "end") return true
  if (kind === "sign") return [")", "]", "}", ";"].includes(value)
  return kind === "word" && startsClause(reader, value)
}

function startsClause(reader: TokenReader, word: string): boolean {
  switch (word) {
    case "from":
      return reader.isName(1) || reader.isSign("(", 1) || reader.isSign("{", 1)
    case "prewhere":
    case "where":
    case "having":
    case "qualify":
    case "limit":
    case "offset":
      return reader.beginsOperand(1)
    case "group":
    case "order":
      return reader.isWord("by", 1)
    case "window":
      return reader.isName(1) && reader.isWord("as", 2) && reader.isSign("(", 3)
    case "except":
    case "intersect":
      return true
    case "union":
      return (
        ["all", "distinct", "select", "with"].some((next) => reader.isWord(next, 1)) ||
        (reader.isSign("(", 1) && opensQuery(reader, 1))
      )
    case "array":
      return reader.isWord("join", 1)
    case "left":
    case "inner":
      return reader.isWord("array", 1) && reader.isWord("join", 2)
    case "with":
      return ["cube", "rollup", "totals"].some((next) => reader.isWord(next, 1))
    case "rows":
    case "range":
      return ["between", "unbounded", "current"].some((next) => reader.isWord(next, 1))
    default:
      return false
  }
}
