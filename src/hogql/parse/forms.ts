import { syntaxError } from "../hogql-error.js"
import * as make from "../nodes/make.js"
import type { Expression } from "../nodes/nodes.js"
import { INTERVAL_FUNCTIONS } from "./keywords.js"
import { readTemplate } from "./templates.js"
import type { TokenReader } from "./token-reader.js"
import { readTypeName } from "./type-names.js"

/** CASE, read as a call: `if`, `multiIf`, or `_caseWithExpression` with the compared value first. */
export function readCase(reader: TokenReader): Expression {
  const from = reader.index
  reader.expectWord("case")
  const compared = reader.isWord("when") ? [] : [reader.rules.expression(reader)]
  const branches: Expression[] = []
  do {
    reader.expectWord("when")
    branches.push(reader.rules.expression(reader))
    reader.expectWord("then")
    branches.push(reader.rules.expression(reader))
  } while (reader.isWord("when"))
  const otherwise = reader.takeWord("else") ? reader.rules.expression(reader) : make.constant(null)
  if (!reader.isWord("end")) throw reader.expected("WHEN, ELSE or END")
  reader.next()
  const name = compared.length > 0 ? "_caseWithExpression" : branches.length === 2 ? "if" : "multiIf"
  return make.call(name, [...compared, ...branches, otherwise], {}, reader.span(from))
}

const INTERVAL_TEXT = /^(\d+) (second|minute|hour|day|week|month|quarter|year)s?$/

/** `INTERVAL n DAY` or `INTERVAL '5 days'`, read as a call of toIntervalDay. */
export function readInterval(reader: TokenReader): Expression {
  const from = reader.index
  reader.expectWord("interval")
  const text = reader.peek()
  const [, count, textUnit = ""] = (text.kind === "text" && INTERVAL_TEXT.exec(text.value)) || []
  const textFunction = INTERVAL_FUNCTIONS.get(textUnit)
  if (textFunction !== undefined && findUnit(reader, 1) === undefined) {
    reader.next()
    if (Number(count) > 0x7fffffff) throw syntaxError("This INTERVAL is too long.", text)
    return make.call(textFunction, [make.constant(Number(count), text)], {}, reader.span(from))
  }
  const amount = reader.rules.expression(reader)
  const name = findUnit(reader, 0)
  if (name === undefined) throw reader.expected("a unit such as DAY")
  reader.next()
  return make.call(name, [amount], {}, reader.span(from))
}

function findUnit(reader: TokenReader, ahead: number): string | undefined {
  const { kind, value } = reader.peek(ahead)
  return kind === "word" ? INTERVAL_FUNCTIONS.get(value) : undefined
}

/** `CAST(a AS type)` and `TRY_CAST(a AS type)`. The last AS before the bracket closes is the one before the type. */
export function readCastCall(reader: TokenReader): Expression {
  const from = reader.index
  const stopAround = reader.stopAt
  reader.stopAt = lastAs(reader, from + 2, from + reader.closing(1))
  reader.index += 2
  const expression = reader.rules.expression(reader)
  reader.expectWord("as")
  reader.stopAt = stopAround
  const typeName = readTypeName(reader)
  reader.expectSign(")")
  return { kind: "cast", at: reader.span(from), expression, typeName }
}

/** Index of the last AS between two tokens, outside of inner brackets; -1 for none. */
function lastAs(reader: TokenReader, first: number, last: number): number {
  let found = -1
  for (let index = first; index < last; index++) {
    const closing = reader.closing(index - reader.index) + reader.index
    if (closing > index) index = closing
    else if (reader.isWord("as", index - reader.index)) found = index
  }
  return found
}

const TRIMS: ReadonlyMap<string, string> = new Map([
  ["both", "trim"],
  ["leading", "trimLeft"],
  ["trailing", "trimRight"],
])

/** `TRIM(BOTH 'x' FROM a)`; undefined for a plain call of trim. */
export function readTrim(reader: TokenReader): Expression | undefined {
  const side = reader.peek(2)
  const characters = reader.peek(3).kind
  const name = side.kind === "word" ? TRIMS.get(side.value) : undefined
  if (name === undefined || (characters !== "text" && characters !== "template")) return undefined
  const from = reader.index
  reader.index += 3
  const place = reader.index
  const trimmed = characters === "text" ? make.constant(reader.next().value, reader.span(place)) : readTemplate(reader)
  reader.expectWord("from")
  const text = reader.rules.expression(reader)
  reader.expectSign(")")
  return make.call(name, [text, trimmed], {}, reader.span(from))
}
