import { syntaxError } from "../hogql-error.js"
import * as make from "../nodes/make.js"
import type { Constant } from "../nodes/nodes.js"
import { CONTINUING_WORDS } from "./keywords.js"
import type { TokenReader } from "./token-reader.js"

const NAMED: ReadonlyMap<string, number> = new Map([
  ["inf", Infinity],
  ["infinity", Infinity],
  ["nan", Number.NaN],
])

/** Whether a number stands here, also one with a sign before it. */
export function beginsNumber(reader: TokenReader): boolean {
  const ahead = reader.isSign("-") || reader.isSign("+") ? 1 : 0
  const { kind, value } = reader.peek(ahead)
  if (kind === "word") return NAMED.has(value)
  return kind === "number" || (reader.isSign(".", ahead) && /^\d+$/.test(numberAt(reader, ahead + 1)))
}

/** The digits of the number that stands `ahead`; empty when none does. */
const numberAt = (reader: TokenReader, ahead: number): string => {
  const token = reader.peek(ahead)
  return token.kind === "number" ? token.value : ""
}

/** Reads a number; `1.5` is three tokens, `1.` two. */
export function readNumber(reader: TokenReader): Constant {
  const from = reader.index
  const isNegative = reader.takeSign("-")
  if (!isNegative) reader.takeSign("+")
  const written = reader.peek().kind === "word" ? null : readDigits(reader)
  const size = written === null ? (NAMED.get(reader.next().value) ?? Number.NaN) : Number(written)
  const isNotANumber = written !== null && (Number.isNaN(size) || /^0o/i.test(written))
  if (isNotANumber) throw syntaxError(`${written} is no number.`, reader.span(from))
  const isFraction = written !== null && /^[^x]*[.e]/i.test(written)
  const value = !isNegative ? size : size === 0 && !isFraction ? 0 : -size
  const exact = written !== null && /^\d+$/.test(written) ? toExact(value, written, isNegative) : value
  const constant = make.constant(exact, reader.span(from))
  return isFraction && Number.isInteger(value) ? { ...constant, isFraction } : constant
}

const LARGEST = 2n ** 64n - 1n
const SMALLEST = -(2n ** 63n)

/** A whole number with all its digits; beyond 64 bits the engine only has fractions. */
function toExact(value: number, digits: string, isNegative: boolean): number | bigint {
  if (Number.isSafeInteger(value) || digits.length > 20) return value
  const exact = isNegative ? -BigInt(digits) : BigInt(digits)
  return exact > LARGEST || exact < SMALLEST ? value : exact
}

function readDigits(reader: TokenReader): string {
  const whole = reader.isSign(".") ? "" : reader.next().value
  if (!/^\d*$/.test(whole) || !reader.isSign(".")) return whole
  if (/^\d+$/.test(numberAt(reader, 1))) {
    reader.next()
    return `${whole}.${reader.next().value}`
  }
  // What follows a number and a point may be a property's name.
  if (reader.isName(1) && !CONTINUING_WORDS.has(reader.peek(1).value)) return whole
  reader.next()
  return `${whole}.`
}
