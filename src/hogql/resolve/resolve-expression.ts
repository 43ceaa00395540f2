import { assertNever } from "../../kernel/errors.js"
import { findBlockRowsOfLambdas } from "../functions/costly-functions.js"
import { queryError } from "../hogql-error.js"
import { call } from "../nodes/make.js"
import {
  type Alias,
  ARITHMETIC_FUNCTIONS,
  type Arithmetic,
  type Between,
  type Compare,
  type Constant,
  type Dictionary,
  type ElementAccess,
  type Expression,
  type Lambda,
  type Query,
  type Slice,
  type TupleAccess,
  type Window,
  type WindowCall,
} from "../nodes/nodes.js"
import {
  aliased,
  arrayType,
  column,
  type SqlType,
  type SqlWindow,
  sqlCall,
  sqlJoin,
  sqlNumber,
  sqlText,
  trusted,
  tupleType,
  type,
  UNKNOWN,
} from "../sql/sql.js"
import { resolveCall, resolveWindowed } from "./calls.js"
import { asNumber, compareTyped, equalForJoin } from "./compare.js"
import { resolveField } from "./fields.js"
import { resolveCohort, resolveIn } from "./membership.js"
import { deeper, readDynamic, readProperty } from "./property.js"
import type { SelectScope } from "./select-scope.js"
import type { Typed } from "./typed.js"
import { completeWindow, findWindow, resolveWindowParts } from "./windows.js"

/** Resolves an expression to SQL with a type. Throws HogqlError for what cannot be resolved. */
export function resolveExpression(node: Expression, scope: SelectScope): Typed {
  const resolve = (inner: Expression) => resolveExpression(inner, scope)
  switch (node.kind) {
    case "constant":
      return resolveConstant(node)
    case "field":
      return resolveField(node, scope, resolveExpression)
    case "alias":
      return resolveInnerAlias(node, scope)
    case "call":
      if (node.name.toLowerCase() === "exists" && node.args.length === 1 && isQuery(node.args[0]))
        return resolveExists(node.args[0], scope)
      return resolveCall(node, scope, resolve)
    case "windowCall":
      return resolveWindowCall(node, scope)
    case "arithmetic":
      return resolveArithmetic(node, resolve)
    case "compare":
      return resolveComparison(node, scope)
    case "between":
      return resolveBetween(node, scope)
    case "and":
    case "or": {
      const items = node.expressions.map((item) => resolve(item).sql)
      return { sql: sqlJoin(node.kind, items), type: type("Boolean") }
    }
    case "not": {
      const inner = resolve(node.expression)
      return { sql: sqlCall("not", inner.sql), type: type("Boolean", inner.type.nullable) }
    }
    case "array":
    case "tuple": {
      const items = node.items.map(resolve)
      const types = items.map((item) => item.type)
      const sql = sqlCall(node.kind, ...items.map((item) => item.sql))
      return { sql, type: node.kind === "tuple" ? tupleType(types) : arrayType(types[0]) }
    }
    case "dictionary":
      return resolveDictionary(node, resolve)
    case "element":
      return resolveElement(node, scope, resolve)
    case "slice":
      return resolveSlice(node, resolve)
    case "tupleAccess":
      return resolveTupleAccess(node, scope, resolve)
    case "lambda":
      return resolveLambda(node, scope)
    case "cast":
      return resolve(call(castFunction(node.typeName, node.at), [node.expression], {}, node.at))
    case "select":
    case "selectSet": {
      const query = scope.subquery(node)
      const [only] = query.columns
      const known = query.columns.length === 1 && only !== undefined ? only.typed.type : UNKNOWN
      return { sql: { kind: "query", query: query.sql }, type: type(known.name, true) }
    }
    case "placeholder":
      throw queryError("Unresolved placeholder.", node.at)
    case "columnList":
    case "allColumns":
      throw queryError("* is not possible here.", node.at)
    default:
      return assertNever(node)
  }
}

const isQuery = (node: Expression | undefined): node is Query => node?.kind === "select" || node?.kind === "selectSet"

/** `EXISTS (SELECT …)`: whether there is any row. */
function resolveExists(query: Query, scope: SelectScope): Typed {
  const { sql } = scope.subquery(query)
  return { sql: sqlCall("exists", { kind: "query", query: sql }), type: type("Boolean") }
}

function resolveConstant({ value, isFraction }: Constant): Typed {
  if (value === null) return { sql: trusted("NULL"), type: type("Null", true) }
  if (typeof value === "boolean") return { sql: trusted(value ? "true" : "false"), type: type("Boolean") }
  if (typeof value === "number" && isFraction)
    return { sql: { kind: "number", value, isFraction: true }, type: type("Float") }
  if (typeof value === "number")
    return { sql: sqlNumber(value), type: type(Number.isInteger(value) ? "Integer" : "Float") }
  if (typeof value === "bigint") return { sql: sqlNumber(value), type: type("Integer") }
  return { sql: sqlText(value), type: type("String") }
}

/** An alias inside an expression (`f(x AS y)`); those of the column list are made by the SELECT. */
function resolveInnerAlias(node: Alias, scope: SelectScope): Typed {
  if (scope.aliases.has(node.name)) throw queryError(`Cannot redefine an alias with the name: ${node.name}`, node.at)
  const typed = resolveExpression(node.expression, scope)
  const sqlName = scope.compilation.freshName("a")
  scope.aliases.set(node.name, { node, sqlName, state: "done", typed, holdsAggregate: false })
  return { ...typed, sql: aliased(typed.sql, sqlName) }
}

function resolveArithmetic(node: Arithmetic, resolve: (node: Expression) => Typed): Typed {
  const left = asNumber(resolve(node.left))
  const right = asNumber(resolve(node.right))
  if (node.operator === "-" && left.sql.kind === "number" && left.sql.value === 0 && right.sql.kind === "number") {
    return { sql: sqlNumber(-right.sql.value), type: right.type }
  }
  const nullable = left.type.nullable || right.type.nullable
  const sql = sqlCall(ARITHMETIC_FUNCTIONS[node.operator], left.sql, right.sql)
  const names = [left.type.name, right.type.name]
  const times = names.filter((name) => name === "DateTime" || name === "Date")
  if (times.length === 2) return { sql, type: type("Integer", nullable) }
  if (times.length === 1)
    return { sql, type: type(names.includes("Interval") ? "DateTime" : (times[0] ?? "DateTime"), nullable) }
  if (node.operator === "/" || names.includes("Float")) return { sql, type: type("Float", nullable) }
  return {
    sql,
    type: type(names.every((name) => name === "Integer" || name === "Boolean") ? "Integer" : "Unknown", nullable),
  }
}

function resolveComparison(node: Compare, scope: SelectScope): Typed {
  const resolve = (inner: Expression) => resolveExpression(inner, scope)
  if (node.operator === "in" || node.operator === "not in") return resolveIn(node, scope, resolve)
  if (node.operator === "in cohort" || node.operator === "not in cohort") return resolveCohort(node, scope, resolve)
  const left = resolve(node.left)
  const right = resolve(node.right)
  const { scope: project } = scope.compilation
  return scope.clause === "on" && node.operator === "=="
    ? equalForJoin(left, right, project)
    : compareTyped(node.operator, left, right, project)
}

function resolveBetween(node: Between, scope: SelectScope): Typed {
  const value = resolveExpression(node.expression, scope)
  const { scope: project } = scope.compilation
  const low = compareTyped(">=", value, resolveExpression(node.low, scope), project)
  const high = compareTyped("<=", value, resolveExpression(node.high, scope), project)
  const both = sqlCall("and", low.sql, high.sql)
  return { sql: node.negated ? sqlCall("not", both) : both, type: type("Boolean") }
}

function resolveDictionary(node: Dictionary, resolve: (node: Expression) => Typed): Typed {
  const items = node.items.flatMap(([key, value]) => [resolve(key).sql, resolve(value).sql])
  return { sql: sqlCall("map", ...items), type: UNKNOWN }
}

function resolveElement(node: ElementAccess, scope: SelectScope, resolve: (node: Expression) => Typed): Typed {
  const base = resolve(node.expression)
  const index = node.index
  const written = index.kind === "constant" ? index.value : null
  if (written === 0) throw queryError("SQL indexes start from one, not from zero. E.g: array[1]", node.at)
  if (base.property !== undefined && (typeof written === "string" || typeof written === "number")) {
    return readProperty(deeper(base.property, written, node.at), scope.compilation.scope)
  }
  if (base.property !== undefined) return readDynamic(base.property, resolve(index).sql)
  return { sql: sqlCall("arrayElement", base.sql, resolve(index).sql), type: tupleIn(base.type) ?? UNKNOWN }
}

/** The type of the tuples in an array. Other arrays may hold values of several types, so theirs is not known. */
const tupleIn = ({ of }: SqlType): SqlType | undefined => (of?.items === undefined ? undefined : of)

function resolveSlice(node: Slice, resolve: (node: Expression) => Typed): Typed {
  const base = resolve(node.expression).sql
  const from = node.from === null ? sqlNumber(1) : resolve(node.from).sql
  if (node.to === null) return { sql: sqlCall("arraySlice", base, from), type: type("Array") }
  const length = sqlCall("plus", sqlCall("minus", resolve(node.to).sql, from), sqlNumber(1))
  return { sql: sqlCall("arraySlice", base, from, length), type: type("Array") }
}

function resolveTupleAccess(node: TupleAccess, scope: SelectScope, resolve: (node: Expression) => Typed): Typed {
  const base = resolve(node.expression)
  if (node.index === 0) throw queryError("SQL indexes start from one, not from zero. E.g: array[1]", node.at)
  if (base.property !== undefined) {
    return readProperty(deeper(base.property, node.index, node.at), scope.compilation.scope)
  }
  return { sql: sqlCall("tupleElement", base.sql, sqlNumber(node.index)), type: UNKNOWN }
}

function resolveLambda(node: Lambda, scope: SelectScope): Typed {
  const names = scope.nameArguments(node)
  const args = new Map(names.map(([name, sqlName]) => [name, { sql: column(null, sqlName), type: UNKNOWN }]))
  const body = scope.withLambda(args, () => {
    scope.compilation.limitBlocks(findBlockRowsOfLambdas(scope.lambdaDepth))
    return resolveExpression(node.body, scope)
  })
  return { sql: { kind: "lambda", args: names.map(([, sqlName]) => sqlName), body: body.sql }, type: UNKNOWN }
}

function resolveWindowCall(node: WindowCall, scope: SelectScope): Typed {
  const inner = resolveWindowed(node, scope, (item) => resolveExpression(item, scope))
  scope.aggregatesSeen++
  const window =
    typeof node.over === "string"
      ? findWindow(node.over, scope.windows, node.at)
      : completeWindow(node.over, scope.windows)
  const over = resolveWindow(window, scope)
  const isPlainLag = /^(lag|lead)$/i.test(node.name)
  const framed =
    isPlainLag && over.frame === null
      ? { ...over, frame: "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING" }
      : over
  return { sql: { kind: "window", call: inner.sql, over: framed }, type: inner.type }
}

/** The inside of an OVER or of a WINDOW item. */
export const resolveWindow = (node: Window, scope: SelectScope): SqlWindow =>
  resolveWindowParts(node, (item) => resolveExpression(item, scope))

/** Names of types in a cast, by the function that casts to them. */
const CASTS = new Map(
  Object.entries({
    toInt: "int integer bigint smallint int64 signed",
    ...Object.fromEntries(
      ["Int8", "Int16", "Int32", "UInt8", "UInt16", "UInt32", "UInt64"].map((name) => [
        `to${name}`,
        name.toLowerCase(),
      ]),
    ),
    toFloat: "float double real float64 numeric decimal",
    toFloat32: "float32",
    toString: "text string varchar char fixedstring",
    toDate: "date date32",
    toDateTime: "datetime timestamp datetime64",
    toBool: "boolean bool",
    toUUID: "uuid",
  }).flatMap(([engine, names]) => names.split(" ").map((name) => [name, engine] as const)),
)

function castFunction(typeName: string, at: { start: number; end: number }): string {
  const plain = /^nullable\s*\((.*)\)$/is.exec(typeName.trim())?.[1] ?? typeName
  const name = plain.toLowerCase().replace(/\(.*/s, "").trim()
  const found = CASTS.get(name)
  if (found === undefined) throw queryError(`Unsupported type '${typeName}' in a cast.`, at)
  return found
}
