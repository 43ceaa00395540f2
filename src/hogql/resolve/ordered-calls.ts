import type { FunctionDefinition } from "../functions/definition.js"
import { findFunction } from "../functions/lookup.js"
import { queryError } from "../hogql-error.js"
import { and, arithmetic, call, constant, field, lambda, tuple } from "../nodes/make.js"
import { type Call, type CallOrder, type Expression, NOWHERE, type OrderItem } from "../nodes/nodes.js"
import { sameText } from "../nodes/same-text.js"

/** What takes the first or last row, ordered ascending and descending. */
const ENDS: ReadonlyMap<string, readonly [string, string]> = new Map([
  ["any", ["argMin", "argMax"]],
  ["first_value", ["argMin", "argMax"]],
  ["anyLast", ["argMax", "argMin"]],
  ["last_value", ["argMax", "argMin"]],
])

/**
 * Expresses an aggregate with an ORDER BY, which ClickHouse does not have, by other aggregates. Lists are collected with their
 * keys and sorted afterwards: `groupArray(a ORDER BY b)` maps the sorted `groupArray((a, b))` to its first elements. First and
 * last values are those of the least and the greatest key: `any(a ORDER BY b)` is `argMin(a, b)`.
 *
 * @param mayBeNull whether a key can be null, so that it matters where nulls stand
 * @throws HogqlError for an aggregate whose result the order does not change, and for keys in both directions
 */
export function expandOrderedCall(
  node: Call,
  order: CallOrder,
  definition: FunctionDefinition,
  mayBeNull: (key: Expression) => boolean,
): Expression {
  const plain = withoutIf(node, definition)
  if (plain !== null) return expandOrderedCall(plain.node, order, plain.definition, mayBeNull)
  const { args, at, name } = node
  const { engine } = definition
  if (order.isWithinGroup) {
    const [item, ...others] = order.items
    if (engine === "mode" && args.length === 0 && item !== undefined && others.length === 0)
      return call(name, [item.expression], { filter: node.filter })
    const percentile = toPercentile(node, order.items, engine)
    if (percentile !== null) return percentile
  }
  const [value, separator] = args
  const ends = ENDS.get(engine)
  const isCollecting = engine === "groupArray" || engine === "groupUniqArray" || engine === "json_agg"
  if (!isCollecting && engine !== "string_agg" && ends === undefined) throw cannotOrder(node, order)
  const most = engine === "string_agg" ? definition.maxArgs : 1
  if (value === undefined || args.length < definition.minArgs || args.length > most)
    throw queryError(
      `Aggregation '${name}' with an ORDER BY expects ${most} argument${most === 1 ? "" : "s"}, found ${args.length}`,
      at,
    )
  if (ends !== undefined) return toEnd(node, value, order.items, ends, mayBeNull)
  const isDistinct = node.distinct || engine === "groupUniqArray"
  const sorted = isDistinct ? collectDistinct(node, value, order.items) : collect(node, value, order.items)
  if (engine === "json_agg") return call("toJSONString", [sorted])
  if (engine === "string_agg") {
    const texts = call("arrayMap", [lambda(["row"], call("toString", [ROW])), sorted])
    return call("arrayStringConcat", [texts, separator ?? constant(",")])
  }
  const [longest] = node.parameters ?? []
  return longest === undefined ? sorted : call("arraySlice", [sorted, constant(1), longest])
}

/** Reads `groupArrayIf(a, c)` as `groupArray(a) FILTER (WHERE c)`; null for a name without that suffix. */
function withoutIf(node: Call, { isAggregate }: FunctionDefinition) {
  const definition = node.name.endsWith("If") && isAggregate ? findFunction(node.name.slice(0, -2), false) : undefined
  const condition = node.args.at(-1)
  if (definition === undefined || condition === undefined) return null
  const filter = node.filter === null ? condition : and([node.filter, condition])
  return { definition, node: { ...node, name: definition.name, args: node.args.slice(0, -1), filter } }
}

const ROW = field(["row"])
const part = (index: number): Expression => ({ kind: "tupleAccess", at: NOWHERE, expression: ROW, index })

/** Whether all keys are descending; keys of both directions are refused, as a list is sorted one way as a whole. */
function isDescending(items: readonly OrderItem[]): boolean {
  const [first] = items
  const other = items.find(({ descending }) => descending !== first?.descending)
  if (other === undefined) return first?.descending === true
  throw queryError("ORDER BY inside a call goes one way: write all keys ASC or all DESC, or negate a number.", other.at)
}

/** The keys of a row, each after whether it is null, so that nulls sort where they are wanted: last unless NULLS FIRST. */
const toKeys = (items: readonly OrderItem[]): Expression[] =>
  items.flatMap(({ expression, descending, nulls }) => {
    const isFirst = nulls === "first"
    return [call(isFirst === descending ? "isNull" : "isNotNull", [expression]), expression]
  })

/** The values of the rows as one list, without nulls, as an unordered `groupArray` has it. */
function collect({ filter }: Call, value: Expression, items: readonly OrderItem[]): Expression {
  const sort = isDescending(items) ? "arrayReverseSort" : "arraySort"
  const keys = toKeys(items)
  const isValue = call("isNotNull", [value])
  const kept = filter === null ? isValue : and([filter, isValue])
  const rows = call("groupArray", [tuple([value, ...keys])], { filter: kept })
  const key = tuple(keys.map((_, index) => part(index + 2)))
  const sorted = call(sort, [lambda(["row"], key), rows])
  return call("arrayMap", [lambda(["row"], part(1)), sorted])
}

function collectDistinct({ name, filter, at }: Call, value: Expression, items: readonly OrderItem[]): Expression {
  const [item] = items
  if (item === undefined || items.length > 1 || sameText(item.expression) !== sameText(value))
    throw queryError(`With DISTINCT '${name}' is ordered by its own values alone.`, item?.at ?? at)
  const values = call("groupUniqArray", [value], { filter })
  return call(item.descending ? "arrayReverseSort" : "arraySort", [values])
}

function toEnd(
  { filter, at, distinct, name }: Call,
  value: Expression,
  items: readonly OrderItem[],
  [forwards, backwards]: readonly [string, string],
  mayBeNull: (key: Expression) => boolean,
): Expression {
  if (distinct) throw queryError(`'${name}' does not take DISTINCT and an ORDER BY.`, at)
  // argMin skips rows whose key is null, and is three times as fast with one bare key as with a tuple.
  const hasNulls = items.some(({ expression }) => mayBeNull(expression))
  const keys = hasNulls ? toKeys(items) : items.map(({ expression }) => expression)
  const [only, ...others] = keys
  const key = only !== undefined && others.length === 0 ? only : tuple(keys)
  return call(isDescending(items) ? backwards : forwards, [value, key], { filter })
}

/** `quantile(0.5) WITHIN GROUP (ORDER BY x)` and the percentiles of SQL; null for what is none. */
function toPercentile(
  { name, args, filter, at }: Call,
  items: readonly OrderItem[],
  engine: string,
): Expression | null {
  const isPercentile = engine.startsWith("percentile_")
  if (!isPercentile && !/^quantile(?:[A-Z]\w*)?$/.test(engine)) return null
  const [level, item] = [args[0], items[0]]
  const share = level?.kind === "constant" && typeof level.value === "number" ? level.value : Number.NaN
  if (level === undefined || args.length !== 1 || !(share >= 0 && share <= 1))
    throw queryError(`'${name}' needs a number from 0 to 1 in its brackets.`, level?.at ?? at)
  if (item === undefined || items.length > 1) throw queryError(`'${name}' is of one key.`, items[1]?.at ?? at)
  const value = item.expression
  if (engine === "percentile_disc") {
    const sort = item.descending ? "arrayReverseSort" : "arraySort"
    const sorted = call(sort, [call("groupArray", [value], { filter })])
    const place = call("ceil", [arithmetic("*", level, call("count", [value], { filter }))])
    const found = call("arrayElement", [sorted, call("greatest", [constant(1), call("toInt", [place])])])
    return call("if", [call("empty", [sorted]), constant(null), found])
  }
  const parameters = [constant(item.descending ? 1 - share : share)]
  return call(engine === "percentile_cont" ? "quantileExactInclusive" : name, [value], { parameters, filter })
}

function cannotOrder({ name, at }: Call, { items, isWithinGroup }: CallOrder): Error {
  const place = items[0]?.at ?? at
  if (isWithinGroup)
    return queryError(
      `'${name}' does not take WITHIN GROUP: quantiles, percentile_cont, percentile_disc, mode and listagg do.`,
      place,
    )
  return queryError(`The result of '${name}' does not depend on an order: leave its ORDER BY out.`, place)
}
