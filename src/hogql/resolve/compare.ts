import { isUuid } from "../../kernel/ids.js"
import type { HogqlScope } from "../hogql.types.js"
import type { CompareOperator } from "../nodes/nodes.js"
import { type SqlExpression, sqlCall, sqlNumber, sqlText, trusted, type } from "../sql/sql.js"
import { timezoneLiteral } from "../sql/timezone.js"
import { timeFromText } from "./property.js"
import type { Typed } from "./typed.js"

interface Comparison {
  readonly engine: string
  /** What comparing with null gives: `same` is true for two nulls only, `different` the opposite, `ordered` always false. */
  readonly meaning: "same" | "different" | "ordered"
}

/** What the engine calls each comparison, except those with a regular expression. */
export const COMPARISONS: ReadonlyMap<CompareOperator, Comparison> = new Map<CompareOperator, Comparison>([
  ["==", { engine: "equals", meaning: "same" }],
  ["!=", { engine: "notEquals", meaning: "different" }],
  ["<", { engine: "less", meaning: "ordered" }],
  ["<=", { engine: "lessOrEquals", meaning: "ordered" }],
  [">", { engine: "greater", meaning: "ordered" }],
  [">=", { engine: "greaterOrEquals", meaning: "ordered" }],
  ["like", { engine: "like", meaning: "same" }],
  ["not like", { engine: "notLike", meaning: "different" }],
  ["ilike", { engine: "ilike", meaning: "same" }],
  ["not ilike", { engine: "notILike", meaning: "different" }],
])

/**
 * A comparison that never gives null (`docs/contract/queries.md#hogql-comparisons`): null = null is 1, null = x is 0,
 * and the other way round for `!=`; an order with null is 0. Values that cannot be null are compared bare, so that
 * indexes serve.
 */
export function compareTyped(operator: CompareOperator, left: Typed, right: Typed, scope: HogqlScope): Typed {
  const comparison = COMPARISONS.get(operator)
  if (comparison === undefined) return compareByPattern(operator, asText(left), right)
  if (operator.endsWith("like")) {
    return { sql: nullSafe(comparison, asText(left), asText(right)), type: type("Boolean") }
  }
  const isOrder = comparison.meaning === "ordered"
  const [l, r] = isOrder ? [beside(left, right), beside(right, left)] : [left, right]
  const [a, b] = asStored(...alike(l, r, scope))
  // A text constant that is not a number becomes NULL beside a number, but must not equal a null: nothing equals it.
  const canBothBeNull = left.type.nullable && right.type.nullable
  return { sql: nullSafe(comparison, a, b, { canBothBeNull }), type: type("Boolean") }
}

/** An equality for ON, where null matches nothing and ClickHouse needs the bare equality to join by it. */
export function equalForJoin(left: Typed, right: Typed, scope: HogqlScope): Typed {
  const [a, b] = alike(left, right, scope)
  return { sql: sqlCall("equals", a.sql, b.sql), type: type("Boolean") }
}

interface NullSafety {
  /** The comparison without regard to nulls; the engine's function over both sides unless it is given. */
  readonly bare?: SqlExpression
  /** Whether both sides may be null at once; what their types say unless it is given. */
  readonly canBothBeNull?: boolean
}

function nullSafe(
  { engine, meaning }: Comparison,
  left: Typed,
  right: Typed,
  {
    bare = sqlCall(engine, left.sql, right.sql),
    canBothBeNull = left.type.nullable && right.type.nullable,
  }: NullSafety = {},
): SqlExpression {
  const isEquality = engine === "equals" || engine === "notEquals"
  const [nulls, other] = isNull(left) ? [left, right] : [right, left]
  if (isNull(nulls) && isEquality) {
    return sqlCall(engine === "equals" ? "isNull" : "isNotNull", other.sql)
  }
  if (!left.type.nullable && !right.type.nullable) return bare
  if (meaning === "ordered") return sqlCall("ifNull", bare, sqlNumber(0))
  const test = meaning === "same" ? "isNull" : "isNotNull"
  if (!canBothBeNull) return sqlCall("ifNull", bare, sqlNumber(meaning === "same" ? 0 : 1))
  const join = meaning === "same" ? "and" : "or"
  return sqlCall("ifNull", bare, sqlCall(join, sqlCall(test, left.sql), sqlCall(test, right.sql)))
}

/** Two times compare alike in every zone, so stored ones are compared without the project's zone; a date is not. */
function asStored(left: Typed, right: Typed): readonly [Typed, Typed] {
  if (left.type.name !== "DateTime" || right.type.name !== "DateTime") return [left, right]
  return [
    { ...left, sql: left.stored ?? left.sql },
    { ...right, sql: right.stored ?? right.sql },
  ]
}

const isNull = (typed: Typed): boolean => typed.type.name === "Null"

const SHOWN_AS_TEXT: readonly string[] = ["Integer", "Float", "Boolean", "Date", "DateTime", "UUID"]

/** Patterns are matched against text: a number is its digits. */
const asText = (typed: Typed): Typed =>
  SHOWN_AS_TEXT.includes(typed.type.name)
    ? { sql: sqlCall("toString", typed.sql), type: type("String", typed.type.nullable) }
    : typed

function compareByPattern(operator: CompareOperator, left: Typed, right: Typed): Typed {
  const anyCase = operator.endsWith("*")
  const negated = operator.startsWith("!")
  const pattern = anyCase ? sqlCall("concat", sqlText("(?i)"), right.sql) : right.sql
  const bare = sqlCall("match", left.sql, pattern)
  const matched = nullSafe({ engine: "match", meaning: "same" }, left, right, { bare })
  return { sql: negated ? sqlCall("not", matched) : matched, type: type("Boolean") }
}

/** Reads text as a number when it is ordered against one: '10' is more than 9. */
function beside(text: Typed, number: Typed): Typed {
  if (text.type.name !== "String" || !isNumeric(number)) return text
  return text.sql.kind === "text"
    ? numberFromText(text.sql.value)
    : { sql: sqlCall("toFloat64OrNull", text.sql), type: type("Float", true) }
}

/** Converts a constant to the type of the other side. */
function alike(left: Typed, right: Typed, scope: HogqlScope): readonly [Typed, Typed] {
  if (right.sql.kind === "text" || right.sql.kind === "number" || isBoolean(right)) {
    const [b, a] = adapt(right, left, scope)
    return [a, b]
  }
  if (left.sql.kind === "text" || left.sql.kind === "number" || isBoolean(left)) return adapt(left, right, scope)
  if (isUntyped(left) && isNumeric(right)) return [asNumber(left), right]
  if (isUntyped(right) && isNumeric(left)) return [left, asNumber(right)]
  return [left, right]
}

/** A constant and the other side, made comparable; also for each item of an IN list. */
export function adapt(constant: Typed, other: Typed, scope: HogqlScope): readonly [Typed, Typed] {
  const name = other.type.name
  if (constant.sql.kind === "text") {
    const text = constant.sql
    if (name === "DateTime") return [timeFromText(text, timezoneLiteral(scope.timezone)), other]
    if (name === "Date") return [{ sql: sqlCall("toDateOrNull", text), type: type("Date", true) }, other]
    if (name === "UUID") return [uuidFromText(text), other]
    if (name === "Float" || name === "Integer") return [numberFromText(text.value), other]
    if (name === "Boolean") return [booleanFromText(text.value), other]
  }
  if (constant.sql.kind === "number" && name === "String") {
    if (other.property !== undefined) return [constant, asNumber(other)]
    return [{ sql: sqlText(String(constant.sql.value)), type: type("String") }, other]
  }
  if (isBoolean(constant) && name === "String")
    return [{ sql: sqlText(booleanText(constant)), type: type("String") }, other]
  return [constant, other]
}

/** Reads a property without a type as a number; null when it is not one. */
export const asNumber = (typed: Typed): Typed =>
  isUntyped(typed) ? { sql: sqlCall("toFloat64OrNull", typed.sql), type: type("Float", true) } : typed

const isUntyped = (typed: Typed): boolean => typed.property !== undefined && typed.type.name === "String"
const isNumeric = (typed: Typed): boolean => typed.type.name === "Float" || typed.type.name === "Integer"
const isBoolean = (typed: Typed): boolean => typed.sql.kind === "trusted" && typed.type.name === "Boolean"
const booleanText = (typed: Typed): string => (typed.sql.kind === "trusted" ? typed.sql.sql : "")

function uuidFromText(text: SqlExpression & { kind: "text" }): Typed {
  const isValid = isUuid(text.value)
  return { sql: sqlCall(isValid ? "toUUID" : "toUUIDOrNull", text), type: type("UUID", !isValid) }
}

/** Too many digits for a JavaScript number, but few enough for 64 bits. */
const LONG_WHOLE = /^-?\d{16,18}$/

function numberFromText(text: string): Typed {
  if (LONG_WHOLE.test(text)) return { sql: sqlNumber(BigInt(text)), type: type("Integer") }
  const value = text.trim() === "" ? Number.NaN : Number(text)
  return Number.isFinite(value)
    ? { sql: sqlNumber(value), type: type("Float") }
    : { sql: trusted("NULL"), type: type("Float", true) }
}

function booleanFromText(text: string): Typed {
  const isKnown = /^(true|false|1|0)$/i.test(text)
  if (!isKnown) return { sql: trusted("NULL"), type: type("Boolean", true) }
  return { sql: trusted(/^(true|1)$/i.test(text) ? "true" : "false"), type: type("Boolean") }
}
