import { syntaxError } from "../hogql-error.js"
import * as make from "../nodes/make.js"
import type { Expression } from "../nodes/nodes.js"
import { INTERVAL_FUNCTIONS, KEYWORDS } from "./keywords.js"
import type { TokenReader } from "./token-reader.js"

/** Reads one `[…]`, `.x`, `?.x` or `::type` behind an operand; undefined when none stands there. */
export function readPostfix(reader: TokenReader, operand: Expression, from: number): Expression | undefined {
  const { kind, value } = reader.peek()
  if (kind !== "sign") return undefined
  switch (value) {
    case "[":
      return readElement(reader, operand, from)
    case ".":
    case "?.":
      return readPart(reader, operand, from, value)
    case "::":
      return readCast(reader, operand, from)
    case "(":
      throw syntaxError("Only a name can be called as a function.", reader.peek())
    default:
      return undefined
  }
}

/** `a[i]` and the slices `a[from:to]`, `a[:to]`, `a[from:]`, `a[:]`. */
function readElement(reader: TokenReader, operand: Expression, from: number): Expression {
  reader.expectSign("[")
  const first = reader.isSign(":") ? null : reader.rules.expression(reader)
  if (reader.takeSign(":")) {
    const to = reader.isSign("]") ? null : reader.rules.expression(reader)
    reader.expectSign("]")
    return { kind: "slice", at: reader.span(from), expression: operand, from: first, to }
  }
  if (first === null) throw reader.expected("an index")
  reader.expectSign("]")
  return { kind: "element", at: reader.span(from), expression: operand, index: first }
}

/** `a.1` of a tuple, `a.b` of anything that is not a plain name, `a?.[i]`. */
function readPart(reader: TokenReader, operand: Expression, from: number, sign: string): Expression {
  reader.next()
  const token = reader.peek()
  if (token.kind === "number") return { ...tupleElement(reader, operand), at: reader.span(from) }
  if (sign === "?." && reader.takeSign("[")) {
    const index = reader.rules.expression(reader)
    reader.expectSign("]")
    return { kind: "element", at: reader.span(from), expression: operand, index }
  }
  const place = reader.index
  const name = reader.name("a property's name")
  const index = make.constant(name, reader.span(place))
  return { kind: "element", at: reader.span(from), expression: operand, index }
}

function tupleElement(reader: TokenReader, operand: Expression) {
  const token = reader.next()
  const index = Number(token.value)
  const isDecimal = /^\d+$/.test(token.value) && !/^0[0-7]+$/.test(token.value)
  if (isDecimal && Number.isSafeInteger(index)) return { kind: "tupleAccess", expression: operand, index } as const
  throw syntaxError("An element of a tuple is named by a plain number.", token)
}

const TYPE_KEYWORDS: ReadonlySet<string> = new Set([
  "date",
  "time",
  "timestamp",
  "interval",
  ...INTERVAL_FUNCTIONS.keys(),
])

/** `a::type`; types with brackets are for CAST only. */
function readCast(reader: TokenReader, operand: Expression, from: number): Expression {
  reader.expectSign("::")
  const { kind, value } = reader.peek()
  const isType = kind === "name" || (kind === "word" && (TYPE_KEYWORDS.has(value) || !KEYWORDS.has(value)))
  if (!isType) throw reader.expected("a type")
  const words = [reader.written(reader.next()).toLowerCase()]
  if (reader.takeWords("with", "time", "zone")) words.push("with time zone")
  else if (reader.takeWords("with", "local", "time", "zone")) words.push("with local time zone")
  return { kind: "cast", at: reader.span(from), expression: operand, typeName: words.join(" ") }
}
