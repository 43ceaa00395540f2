import { findBlockRows, findLongestText } from "../functions/costly-functions.js"
import type { FunctionDefinition } from "../functions/definition.js"
import { findFunction, unsupported } from "../functions/lookup.js"
import { queryError } from "../hogql-error.js"
import { tuple } from "../nodes/make.js"
import type { Call, Expression, Span, WindowCall } from "../nodes/nodes.js"
import { placeAt } from "../nodes/place.js"
import {
  arrayType,
  type SqlExpression,
  type SqlType,
  sqlCall,
  sqlNumber,
  sqlText,
  trusted,
  tupleType,
  type,
  UNKNOWN,
} from "../sql/sql.js"
import { resolveAction } from "./action-matches.js"
import { asNumber } from "./compare.js"
import { findExpansion } from "./expansions.js"
import { expandOrderedCall } from "./ordered-calls.js"
import { parseTime } from "./property.js"
import { findRewrite } from "./rewrites.js"
import type { Clause, SelectScope } from "./select-scope.js"
import type { Typed } from "./typed.js"

type Resolve = (node: Expression) => Typed

/** A function or aggregate call. Checks the allow-list, the arity and that aggregates are not nested. */
export function resolveCall(node: Call, scope: SelectScope, resolve: Resolve): Typed {
  const plain = find(node.name, false, node.at)
  if (node.order !== null)
    return resolve(
      placeAt(
        expandOrderedCall(node, node.order, plain, (key) =>
          resolveInAggregate(node, [key], scope, resolve).some(({ type: of }) => of.nullable),
        ),
        node.at,
      ),
    )
  if (plain.engine === "matchesAction") {
    check(node.name, plain, node.args.length, node.parameters, node.at)
    return resolveAction(node, scope, resolve)
  }
  const expansion = findExpansion(plain.engine)
  if (expansion !== undefined) {
    check(node.name, plain, node.args.length, node.parameters, node.at)
    if (!plain.isAggregate) refuseAggregateForms(node)
    const expanded = placeAt(expansion(node, scope.compilation.scope), node.at)
    // Some expansions only change the arguments of the call.
    return expanded.kind === "call" && expanded.name === node.name
      ? resolvePlain(expanded, plain, scope, resolve)
      : resolve(expanded)
  }
  return resolvePlain(node, withFilter(node, plain), scope, resolve)
}

function resolvePlain(node: Call, definition: FunctionDefinition, scope: SelectScope, resolve: Resolve): Typed {
  const args = node.filter === null ? countable(node, definition) : [...countable(node, definition), node.filter]
  check(node.name, definition, args.length, node.parameters, node.at)
  if (!definition.isAggregate) refuseAggregateForms(node)
  if (node.distinct && args.length === 0) throw queryError(`'${node.name}' needs a value behind DISTINCT.`, node.at)
  const resolved = definition.isAggregate ? resolveInAggregate(node, args, scope, resolve) : args.map(resolve)
  return finish(definition, resolved, node, scope)
}

/** SQL's `lag` and `lead`, which look at all rows of a partition. */
const IN_FRAME: Readonly<Record<string, string>> = { lag: "lagInFrame", lead: "leadInFrame" }

/** The call before an OVER: an aggregate or a window function, without the window. */
export function resolveWindowed(node: WindowCall, scope: SelectScope, resolve: Resolve): Typed {
  const definition = find(node.name, true, node.at)
  if (!definition.isAggregate || findExpansion(definition.engine) !== undefined)
    throw queryError(`'${node.name}' cannot have an OVER (...).`, node.at)
  refuseUngrouped(`Window function '${node.name}'`, scope.clause, node.at)
  const isBareCount = node.args.length === 1 && isStar(node.args[0])
  const args = isBareCount && definition.engine === "count" ? [] : node.args
  check(node.name, definition, args.length, node.parameters, node.at)
  const written = { parameters: node.parameters, distinct: false, at: node.at }
  const inFrame = IN_FRAME[definition.engine]
  const [first, ...rest] = args.map(resolve)
  if (inFrame === undefined || first === undefined)
    return finish(definition, first ? [first, ...rest] : [], written, scope)
  // Where there is no such row ClickHouse gives 0 or "", unless the value is nullable.
  const value = first.type.name === "Array" ? first : { ...first, sql: sqlCall("toNullable", first.sql) }
  return finish({ ...definition, engine: inFrame }, [value, ...rest], written, scope)
}

function find(name: string, isWindow: boolean, at: Span): FunctionDefinition {
  const definition = findFunction(name, isWindow)
  if (definition === undefined) throw queryError(unsupported(name), at)
  return definition
}

/** `sum(x) FILTER (WHERE c)` is `sumIf(x, c)`. */
function withFilter(node: Call, definition: FunctionDefinition): FunctionDefinition {
  if (node.filter === null) return definition
  if (!definition.isAggregate) refuseAggregateForms(node)
  return find(`${definition.name}If`, false, node.at)
}

/** @throws HogqlError for what only an aggregate may have */
function refuseAggregateForms({ name, distinct, filter, at }: Call): void {
  if (distinct) throw queryError(`'${name}' does not take DISTINCT.`, at)
  if (filter !== null) throw queryError(`'${name}' does not take FILTER.`, at)
}

/** `count(*)` is `count()`; `count(DISTINCT a, b)` counts pairs. */
const countable = (node: Call, definition: FunctionDefinition): readonly Expression[] => {
  if (definition.engine === "count" && node.distinct && node.args.length > 1) return [tuple(node.args, node.at)]
  return definition.engine.startsWith("count") && isStar(node.args[0]) ? node.args.slice(1) : node.args
}

const isStar = (node: Expression | undefined): boolean =>
  node?.kind === "allColumns" || (node?.kind === "field" && node.chain.length === 1 && node.chain[0] === "*")

function check(
  name: string,
  definition: FunctionDefinition,
  found: number,
  parameters: readonly Expression[] | null,
  at: Span,
): void {
  const word = definition.isAggregate ? "Aggregation" : "Function"
  const { minArgs, maxArgs } = definition
  const given = parameters?.length ?? 0
  if (definition.parameters === "required" && given === 0) {
    throw queryError(`${word} '${name}' requires parameters in addition to arguments`, at)
  }
  if (definition.parameters === "none" && given > 0) {
    throw queryError(`${word} '${name}' does not accept parameters`, at)
  }
  if (found >= minArgs && found <= maxArgs) return
  const plural = (count: number) => `${count} argument${count === 1 ? "" : "s"}`
  if (minArgs === maxArgs) throw queryError(`${word} '${name}' expects ${plural(minArgs)}, found ${found}`, at)
  throw queryError(
    found < minArgs
      ? `${word} '${name}' expects at least ${plural(minArgs)}, found ${found}`
      : `${word} '${name}' expects at most ${plural(maxArgs)}, found ${found}`,
    at,
  )
}

const NO_AGGREGATES: Readonly<Partial<Record<Clause, string>>> = { where: "WHERE", group: "GROUP BY", on: "ON" }

/**
 * For an aggregation or a window function where rows are not grouped yet.
 *
 * @throws HogqlError that names the clause
 */
export function refuseUngrouped(what: string, clause: Clause, at: Span): void {
  const place = NO_AGGREGATES[clause]
  if (place === undefined) return
  const instead = place === "WHERE" ? " Write the condition in HAVING or QUALIFY." : ""
  throw queryError(`${what} cannot stand in ${place}: rows are not grouped there yet.${instead}`, at)
}

function resolveInAggregate(node: Call, args: readonly Expression[], scope: SelectScope, resolve: Resolve): Typed[] {
  if (scope.aggregate !== null) {
    throw queryError(
      `Aggregation '${node.name}' cannot be nested inside another aggregation '${scope.aggregate}'.`,
      node.at,
    )
  }
  refuseUngrouped(`Aggregation '${node.name}'`, scope.clause, node.at)
  scope.aggregate = node.name
  try {
    return args.map(resolve)
  } finally {
    scope.aggregate = null
    scope.aggregatesSeen++
  }
}

/** Aggregates over numbers: properties without a type are read as some. */
const NUMERIC =
  /^(sum|avg|median|quantile|stddev|var|skew|kurt|covar|corr|boundingRatio|exponential|simpleLinear|welchT|studentT|mannWhitney|kolmogorov|largestTriangle)/
/** Functions that collect the values of their first argument in an array. */
const COLLECTING = /^(array|groupArray|groupUniqArray)(If)?$/
/** Functions that take times in whole seconds only. */
const WHOLE_SECONDS = /^(windowFunnel|sequenceMatch|sequenceCount|tumble|hop)/
/** Functions over a time whose first argument may also be text. */
const TIME_FIRST = /^to(StartOf|Year|Quarter|Month|Day|Hour|Minute|Second|Unix|ISO|Week|Relative|LastDay|Monday|YYYYMM)/

function finish(
  definition: FunctionDefinition,
  args: readonly Typed[],
  { parameters, distinct, at }: Pick<Call, "parameters" | "distinct" | "at">,
  scope: SelectScope,
): Typed {
  const { scope: project } = scope.compilation
  const ready = args.map((arg, index) => {
    if (definition.isAggregate && NUMERIC.test(definition.engine)) return asNumber(arg)
    if (WHOLE_SECONDS.test(definition.engine) && index === 0 && arg.type.name === "DateTime") {
      return { sql: sqlCall("toDateTime", arg.sql), type: arg.type }
    }
    if (TIME_FIRST.test(definition.engine) && index === 0 && arg.type.name === "String") {
      return definition.engine === "toStartOfWeek" || findRewrite(definition.engine) === undefined
        ? { sql: parseTime(arg.sql, project), type: type("DateTime", true) }
        : arg
    }
    return arg
  })
  const rewrite = findRewrite(definition.engine)
  if (rewrite !== undefined && !definition.isAggregate) return rewrite({ scope: project, at }, ...ready)
  scope.compilation.limitBlocks(findBlockRows(definition.engine))
  const longest = findLongestText(definition.engine)
  if (longest !== null && scope.lambdaDepth > 0)
    throw queryError(`${definition.name} cannot be called in a lambda: an array may have millions of elements.`, at)
  const sql: SqlExpression = {
    kind: "call",
    name: definition.engine,
    parameters: parameters === null ? null : parameters.map((item) => constantParameter(item, definition.engine)),
    args: ready.map((arg) => (longest === null ? arg.sql : refuseLonger(arg, longest, definition.name))),
    distinct,
  }
  return { sql, type: findType(definition, ready) }
}

/** The text as it is, or an error of the engine before the function sees it: to cut it would give another answer. */
function refuseLonger({ sql, type: { nullable } }: Typed, longest: number, name: string): SqlExpression {
  const isLonger = sqlCall("greater", sqlCall("length", sql), sqlNumber(longest))
  const refusal = sqlText(`${name} takes texts of at most ${longest} bytes`)
  const check = sqlCall("throwIf", nullable ? sqlCall("ifNull", isLonger, sqlNumber(0)) : isLonger, refusal)
  return sqlCall("substring", sql, sqlNumber(1), sqlCall("plus", sqlNumber(longest), check))
}

function findType(definition: FunctionDefinition, args: readonly Typed[]): SqlType {
  const nullable =
    definition.nulls === "always" ||
    (definition.nulls === "inherit" &&
      (args.length === 0 ? definition.isAggregate : args.some((arg) => arg.type.nullable)))
  if (definition.engine === "tuple") return tupleType(args.map((arg) => arg.type))
  if (definition.engine === "arrayZip") return arrayType(tupleType(args.map((arg) => arg.type.of ?? UNKNOWN)))
  if (COLLECTING.test(definition.engine)) return arrayType(args[0]?.type)
  const unpacked = definition.engine === "arrayJoin" ? args[0]?.type.of : undefined
  if (unpacked?.items !== undefined) return unpacked
  if (definition.type === "Same" && args[0]?.type.items !== undefined) return args[0].type
  if (definition.type !== "Same") return type(definition.type, nullable || definition.type === "Unknown")
  return type(args[0]?.type.name ?? "Unknown", nullable)
}

/** What may stand in a pattern of `sequenceMatch`. */
const SEQUENCE_PATTERN = /^[()?.*t<>=!0-9 ]{1,200}$/

/** Parameters of aggregates are part of the function's type: numbers, or the pattern of a sequence. */
function constantParameter(node: Expression, engine: string): SqlExpression {
  // The levels of quantiles must be fractions to the engine, 0 and 1 too; what is greater is an accuracy.
  if (node.kind === "constant" && typeof node.value === "number" && node.value <= 1 && engine.startsWith("quantile"))
    return { kind: "number", value: node.value, isFraction: true }
  if (node.kind === "constant" && typeof node.value === "number") return { kind: "number", value: node.value }
  if (node.kind === "constant" && typeof node.value === "string" && SEQUENCE_PATTERN.test(node.value)) {
    return trusted(`'${node.value}'`)
  }
  throw queryError("Parameters of an aggregation must be numbers.", node.at)
}
