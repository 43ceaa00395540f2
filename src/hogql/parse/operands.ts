import { syntaxError } from "../hogql-error.js"
import * as make from "../nodes/make.js"
import type { Expression } from "../nodes/nodes.js"
import { mayHoldQuery, readCall } from "./calls.js"
import { readCase, readCastCall, readInterval, readTrim } from "./forms.js"
import { beginsLambda, readArrowLambda, readColonLambda } from "./lambdas.js"
import { readExpressions, readList } from "./lists.js"
import { opensQuery } from "./lookahead.js"
import { beginsNumber, readNumber } from "./numbers.js"
import { readTemplate } from "./templates.js"
import type { TokenReader } from "./token-reader.js"

const NEGATE_BINDING = 22
const NOT_BINDING = 12

/** Reads an operand: a constant, a name, a call, something in brackets or with a sign or NOT before it. */
export function readOperand(reader: TokenReader): Expression {
  const from = reader.index
  const { kind, value } = reader.peek()
  if (beginsNumber(reader)) return readNumber(reader)
  switch (kind) {
    case "text":
      reader.next()
      return make.constant(value, reader.span(from))
    case "template":
      return readTemplate(reader)
    case "word":
      return readKeyword(reader, value) ?? readNamed(reader)
    case "name":
      return readNamed(reader)
    case "sign":
      return readSign(reader, value)
    default:
      throw reader.expected("an expression")
  }
}

function readSign(reader: TokenReader, sign: string): Expression {
  const from = reader.index
  switch (sign) {
    case "-": {
      reader.next()
      return make.arithmetic("-", make.constant(0), reader.rules.value(reader, NEGATE_BINDING), reader.span(from))
    }
    case "*":
      reader.next()
      return readExclude(reader, from) ?? make.field(["*"], reader.span(from))
    case "(":
      return readBrackets(reader)
    case "[":
      return readArray(reader)
    case "{":
      return readBraces(reader)
    default:
      throw reader.expected("an expression")
  }
}

/** What a keyword begins; undefined when it is a name here. */
function readKeyword(reader: TokenReader, word: string): Expression | undefined {
  const from = reader.index
  switch (word) {
    case "null":
      reader.next()
      return make.constant(null, reader.span(from))
    case "case":
      return reader.keywordForm(() => readCase(reader))
    case "interval":
      return reader.beginsOperand(1) ? reader.keywordForm(() => readInterval(reader)) : undefined
    case "cast":
    case "try_cast":
      return reader.isSign("(", 1) ? reader.keywordForm(() => readCastCall(reader)) : undefined
    case "trim":
      return reader.isSign("(", 1) ? readTrim(reader) : undefined
    case "lambda":
      return reader.keywordForm(() => readColonLambda(reader))
    case "not":
      return readNot(reader)
    case "array": {
      if (!reader.isSign("[", 1)) return undefined
      reader.next()
      return { ...readArray(reader), at: reader.span(from) }
    }
    case "date":
    case "timestamp":
      if (reader.peek(1).kind !== "text") return undefined
      throw syntaxError(`${word.toUpperCase()} before a text is not supported: use toDateTime.`, reader.peek())
    case "columns":
      if (!reader.isSign("(", 1) || reader.isSign(")", 2)) return undefined
      return readColumnsCall(reader)
    default:
      return undefined
  }
}

/** NOT before an operand; `not(a)` and `not(a, b)` are calls, and a lone `not` is a name. */
function readNot(reader: TokenReader): Expression | undefined {
  const isCall = reader.isSign("(", 1) && !mayHoldQuery(reader, 1) && !reader.isSign("->", reader.closing(1) + 1)
  if (isCall || !reader.beginsOperand(1)) return undefined
  const from = reader.index
  reader.next()
  return make.not(reader.rules.value(reader, NOT_BINDING), reader.span(from))
}

function readNamed(reader: TokenReader): Expression {
  const from = reader.index
  if (!reader.isName()) throw reader.expected("an expression")
  if (reader.isSign("(", 1)) return readCall(reader)
  if (beginsLambda(reader)) return readArrowLambda(reader)
  const first = reader.peek()
  const chain = [reader.name()]
  while (reader.isSign(".") && reader.isName(1)) {
    reader.next()
    chain.push(reader.name())
  }
  if (reader.isSign(".") && reader.isSign("*", 1)) {
    reader.index += 2
    if (readExclude(reader, from) !== undefined) {
      throw syntaxError("EXCLUDE is only supported after a * of its own.", reader.span(from))
    }
    return make.field([...chain, "*"], reader.span(from))
  }
  const isBoolean = chain.length === 1 && first.kind === "word" && (first.value === "true" || first.value === "false")
  return isBoolean ? make.constant(first.value === "true", reader.span(from)) : make.field(chain, reader.span(from))
}

/** `EXCLUDE (a, b)` behind a `*`. */
function readExclude(reader: TokenReader, from: number): Expression | undefined {
  if (!reader.isWord("exclude") || !reader.isSign("(", 1)) return undefined
  reader.next()
  const readName = () => {
    const parts = [reader.name()]
    while (reader.takeSign(".")) parts.push(reader.name())
    return parts.join(".")
  }
  const exclude = reader.enclosed("()", () => readList(reader, readName))
  return { kind: "allColumns", at: reader.span(from), exclude, pattern: null }
}

/** `COLUMNS('pattern')` and `COLUMNS(a, b)`. */
function readColumnsCall(reader: TokenReader): Expression {
  const from = reader.index
  const pattern = reader.peek(2)
  if (pattern.kind !== "text" || !reader.isSign(")", 3)) {
    reader.next()
    const items = reader.enclosed("()", () => readExpressions(reader))
    return { kind: "columnList", at: reader.span(from), items }
  }
  reader.index += 4
  return { kind: "allColumns", at: reader.span(from), exclude: [], pattern: pattern.value }
}

/** A lambda with its arguments in brackets, a query, an expression in brackets, or a tuple. */
function readBrackets(reader: TokenReader): Expression {
  if (beginsLambda(reader)) return readArrowLambda(reader)
  const from = reader.index
  if (opensQuery(reader)) return reader.enclosed("()", () => reader.rules.query(reader))
  reader.next()
  const items = readExpressions(reader)
  const [only, ...others] = items
  const hasComma = reader.tokens[reader.index - 1]?.value === "," && reader.tokens[reader.index - 1]?.kind === "sign"
  reader.expectSign(")")
  return only !== undefined && others.length === 0 && !hasComma ? only : make.tuple(items, reader.span(from))
}

function readArray(reader: TokenReader): Expression {
  const from = reader.index
  const items = reader.enclosed("[]", () => (reader.isSign("]") ? [] : readExpressions(reader)))
  return make.array(items, reader.span(from))
}

/** `{a: b, …}` is a dictionary, `{a}` a placeholder. */
function readBraces(reader: TokenReader): Expression {
  const from = reader.index
  reader.expectSign("{")
  if (reader.takeSign("}")) return { kind: "dictionary", at: reader.span(from), items: [] }
  const first = reader.rules.expression(reader)
  if (reader.takeSign("}")) return { kind: "placeholder", at: reader.span(from), expression: first }
  if (!reader.isSign(":")) throw reader.expected("} or :")
  let key: Expression | undefined = first
  const items = readList(reader, () => {
    const name = key ?? reader.rules.expression(reader)
    key = undefined
    reader.expectSign(":")
    return [name, reader.rules.expression(reader)] as const
  })
  reader.expectSign("}")
  return { kind: "dictionary", at: reader.span(from), items }
}
