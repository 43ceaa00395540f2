import { queryError } from "../hogql-error.js"
import type { ArithmeticOperator, Expression } from "../nodes/nodes.js"

/**
 * What LIMIT and OFFSET say: a whole number, or a calculation of numbers such as `(2 * 50)` or `least(10, 20)`.
 * @throws HogqlError for anything else, as it would have to be read from rows
 */
export function rowCount(node: Expression): number {
  const value = calculate(node)
  if (value !== null && Number.isSafeInteger(value) && value >= 0) return value
  throw queryError("LIMIT and OFFSET must be whole numbers.", node.at)
}

const ARITHMETIC: Readonly<Record<ArithmeticOperator, (left: number, right: number) => number>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
  "%": (left, right) => left % right,
}

const CALLS: ReadonlyMap<string, (...values: readonly number[]) => number> = new Map<
  string,
  (...values: readonly number[]) => number
>([
  ["least", Math.min],
  ["min2", Math.min],
  ["greatest", Math.max],
  ["max2", Math.max],
  ["toInt", (value = Number.NaN) => Math.trunc(value)],
  ["floor", (value = Number.NaN) => Math.floor(value)],
  ["ceil", (value = Number.NaN) => Math.ceil(value)],
  ["intDiv", (left = Number.NaN, right = Number.NaN) => Math.trunc(left / right)],
])

/** The number that an expression of numbers gives; null when it needs anything else. */
function calculate(node: Expression): number | null {
  if (node.kind === "constant") return typeof node.value === "number" ? node.value : null
  if (node.kind === "arithmetic") {
    const [left, right] = [calculate(node.left), calculate(node.right)]
    return left === null || right === null ? null : ARITHMETIC[node.operator](left, right)
  }
  const work = node.kind === "call" && node.parameters === null ? CALLS.get(node.name) : undefined
  if (node.kind !== "call" || work === undefined) return null
  const values = node.args.map(calculate).filter((value) => value !== null)
  return values.length === node.args.length ? work(...values) : null
}
