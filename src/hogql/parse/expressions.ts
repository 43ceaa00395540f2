import * as make from "../nodes/make.js"
import type { CompareOperator, Expression } from "../nodes/nodes.js"
import { readAlias } from "./names.js"
import { readOperand } from "./operands.js"
import { readPostfix } from "./postfix.js"
import type { TokenReader } from "./token-reader.js"

/** How tight operators bind, the tighter the higher; a left-leaning one wants one more on its right. */
const BINDING = {
  multiply: 21,
  add: 20,
  compare: 19,
  isNull: 17,
  isDistinct: 16,
  sameOrNull: 15,
  ifNull: 14,
  between: 13,
} as const

/** Reads an expression down to AND, OR, `? :` (leans right) and AS, all of which stand outside of NOT and `??`. */
export function readExpression(reader: TokenReader): Expression {
  return reader.nested(() => readLoose(reader, 0))
}

const LOOSE = { and: 5, or: 4, condition: 3, alias: 2 } as const

function readLoose(reader: TokenReader, minimum: number): Expression {
  const from = reader.index
  let left = readValue(reader, 0)
  for (;;) {
    if (LOOSE.and >= minimum && reader.isWord("and")) {
      left = make.and(readChain(reader, "and", left), reader.span(from))
    } else if (LOOSE.or >= minimum && reader.isWord("or")) {
      left = make.or(readChain(reader, "or", left), reader.span(from))
    } else if (LOOSE.condition >= minimum && reader.takeSign("?")) {
      const yes = readExpression(reader)
      reader.expectSign(":")
      const no = reader.nested(() => readLoose(reader, LOOSE.condition))
      left = make.call("if", [left, yes, no], {}, reader.span(from))
    } else if (LOOSE.alias >= minimum && reader.isWord("as") && reader.index !== reader.stopAt) {
      reader.next()
      left = make.alias(readAlias(reader, from), left, reader.span(from))
    } else return left
  }
}

/** `a AND b AND c` is one node, in brackets or not. */
function readChain(reader: TokenReader, kind: "and" | "or", first: Expression): Expression[] {
  const parts = (side: Expression) => (side.kind === kind ? side.expressions : [side])
  const expressions = [...parts(first)]
  while (reader.takeWord(kind)) expressions.push(...parts(readLoose(reader, LOOSE[kind] + 1)))
  return expressions
}

/** Reads an operand and the operators behind it that bind at least as tight as `minimum`. */
export function readValue(reader: TokenReader, minimum: number): Expression {
  return reader.nested(() => {
    const from = reader.index
    let left = readOperand(reader)
    for (;;) {
      const more = readPostfix(reader, left, from) ?? readInfix(reader, left, from, minimum)
      if (more === undefined) return left
      left = more
    }
  })
}

const COMPARE_SIGNS: ReadonlyMap<string, CompareOperator> = new Map<string, CompareOperator>([
  ["=", "=="],
  ["==", "=="],
  ["!=", "!="],
  ["<>", "!="],
  ["<", "<"],
  ["<=", "<="],
  [">", ">"],
  [">=", ">="],
  ["~", "=~"],
  ["=~", "=~"],
  ["!~", "!~"],
  ["~*", "=~*"],
  ["=~*", "=~*"],
  ["!~*", "!~*"],
])

function readInfix(reader: TokenReader, left: Expression, from: number, minimum: number): Expression | undefined {
  const { kind, value } = reader.peek()
  if (kind === "word") return readWordOperator(reader, left, from, minimum)
  if (kind !== "sign") return undefined
  const right = (binding: number): Expression => {
    reader.next()
    return readValue(reader, binding + 1)
  }
  const isMultiply = value === "*" || value === "/" || value === "%"
  if (isMultiply && BINDING.multiply >= minimum)
    return make.arithmetic(value, left, right(BINDING.multiply), reader.span(from))
  if ((value === "+" || value === "-") && BINDING.add >= minimum)
    return make.arithmetic(value, left, right(BINDING.add), reader.span(from))
  if (value === "||" && BINDING.add >= minimum)
    return make.call("concat", readConcat(reader, left), {}, reader.span(from))
  const compare = COMPARE_SIGNS.get(value)
  if (compare !== undefined && BINDING.compare >= minimum)
    return make.compare(compare, left, right(BINDING.compare), reader.span(from))
  if (value === "<=>" && BINDING.sameOrNull >= minimum)
    return make.compare("==", left, right(BINDING.sameOrNull), reader.span(from))
  if (value === "??" && BINDING.ifNull >= minimum)
    return make.call("ifNull", [left, right(BINDING.ifNull)], {}, reader.span(from))
  return undefined
}

/** `a || b || c` is one call of concat. */
function readConcat(reader: TokenReader, first: Expression): Expression[] {
  const parts = (side: Expression) => (side.kind === "call" && side.name === "concat" ? side.args : [side])
  const args = [...parts(first)]
  while (reader.takeSign("||")) args.push(...parts(readValue(reader, BINDING.add + 1)))
  return args
}

function readWordOperator(
  reader: TokenReader,
  left: Expression,
  from: number,
  minimum: number,
): Expression | undefined {
  const negated = reader.isWord("not")
  const ahead = negated ? 1 : 0
  if (reader.isWord("between", ahead) && BINDING.between >= minimum) {
    reader.index += ahead + 1
    const low = readValue(reader, 0)
    reader.expectWord("and")
    const high = readValue(reader, BINDING.between + 1)
    return { kind: "between", at: reader.span(from), expression: left, low, high, negated }
  }
  const operator = (["in", "like", "ilike"] as const).find((word) => reader.isWord(word, ahead))
  if (operator !== undefined && BINDING.compare >= minimum) {
    reader.index += ahead + 1
    const isCohort = operator === "in" && reader.isWord("cohort") && reader.beginsOperand(1)
    if (isCohort) reader.next()
    const words = `${negated ? "not " : ""}${isCohort ? "in cohort" : operator}` as const
    return make.compare(words, left, readValue(reader, BINDING.compare + 1), reader.span(from))
  }
  return reader.isWord("is") ? readIs(reader, left, from, minimum) : undefined
}

/** `IS [NOT] NULL` and `IS [NOT] DISTINCT FROM`, read as comparisons, which are never null in HogQL. */
function readIs(reader: TokenReader, left: Expression, from: number, minimum: number): Expression | undefined {
  const negated = reader.isWord("not", 1)
  const ahead = negated ? 2 : 1
  if (reader.isWord("null", ahead) && BINDING.isNull >= minimum) {
    reader.index += ahead + 1
    return make.compare(negated ? "!=" : "==", left, make.constant(null), reader.span(from))
  }
  if (reader.isWord("distinct", ahead) && reader.isWord("from", ahead + 1) && BINDING.isDistinct >= minimum) {
    reader.index += ahead + 2
    return make.compare(negated ? "==" : "!=", left, readValue(reader, BINDING.isDistinct + 1), reader.span(from))
  }
  return undefined
}
