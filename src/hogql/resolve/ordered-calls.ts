import type { FunctionDefinition } from "../functions/definition.js"
import { findFunction } from "../functions/lookup.js"
import { queryError } from "../hogql-error.js"
import { and, arithmetic, call, constant, field, tuple } from "../nodes/make.js"
import type { Call, CallOrder, Expression, Lambda, OrderItem } from "../nodes/nodes.js"
import { sameText } from "../nodes/same-text.js"

/** What takes the first or the last row, in the order of the rows and in the opposite one. */
const ENDS: ReadonlyMap<string, readonly [string, string]> = new Map<string, readonly [string, string]>([
  ...["any", "first_value"].map((name) => [name, ["argMin", "argMax"]] as const),
  ...["anyLast", "last_value"].map((name) => [name, ["argMax", "argMin"]] as const),
])

/**
 * An aggregate over rows in an order, which the engine does not have, as a call of others: lists are sorted after they have been
 * collected, and first and last values are those of the least and the greatest key.
 *
 * @param mayBeNull whether a key can be null, so that it matters where nulls stand
 * @throws HogqlError for an aggregate whose result the order does not change, and for keys in both directions
 */
export function inOrder(
  node: Call,
  order: CallOrder,
  definition: FunctionDefinition,
  mayBeNull: (key: Expression) => boolean,
): Expression {
  const plain = withoutIf(node, definition)
  if (plain !== null) return inOrder(plain.node, order, plain.definition, mayBeNull)
  const { args, at, name } = node
  const { engine } = definition
  if (order.isWithinGroup) {
    const [item, ...others] = order.items
    if (engine === "mode" && args.length === 0 && item !== undefined && others.length === 0)
      return call(name, [item.expression], { filter: node.filter }, at)
    const percentile = percentileOf(node, order.items, engine)
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
  if (ends !== undefined) return endOf(node, value, order.items, ends, mayBeNull)
  const isDistinct = node.distinct || engine === "groupUniqArray"
  const sorted = isDistinct ? distinctInOrder(node, value, order.items) : collected(node, value, order.items)
  if (engine === "json_agg") return call("toJSONString", [sorted], {}, at)
  if (engine === "string_agg") {
    const texts = call("arrayMap", [lambda(call("toString", [ROW], {}, at), at), sorted], {}, at)
    return call("arrayStringConcat", [texts, separator ?? constant(",", at)], {}, at)
  }
  const [longest] = node.parameters ?? []
  return longest === undefined ? sorted : call("arraySlice", [sorted, constant(1, at), longest], {}, at)
}

/** `groupArrayIf(a, c)` is `groupArray(a) FILTER (WHERE c)`; null for what has no such ending. */
function withoutIf(node: Call, { isAggregate }: FunctionDefinition) {
  const definition = node.name.endsWith("If") && isAggregate ? findFunction(node.name.slice(0, -2), false) : undefined
  const condition = node.args.at(-1)
  if (definition === undefined || condition === undefined) return null
  const filter = node.filter === null ? condition : and([node.filter, condition], node.at)
  return { definition, node: { ...node, name: definition.name, args: node.args.slice(0, -1), filter } }
}

const ROW = field(["row"])
const part = (index: number, at: Call["at"]): Expression => ({ kind: "tupleAccess", at, expression: ROW, index })
const lambda = (body: Expression, at: Call["at"]): Lambda => ({ kind: "lambda", at, args: ["row"], body })

/** All of one direction: lists are sorted forwards or backwards as a whole. */
function isDescending(items: readonly OrderItem[]): boolean {
  const [first] = items
  const other = items.find(({ descending }) => descending !== first?.descending)
  if (other === undefined) return first?.descending === true
  throw queryError("ORDER BY inside a call goes one way: write all keys ASC or all DESC, or negate a number.", other.at)
}

/** The keys of a row, each with whether it is null in front, so that nulls stand where they shall: last, unless it says so. */
const keysOf = (items: readonly OrderItem[]): Expression[] =>
  items.flatMap(({ expression, descending, nulls, at }) => {
    const isFirst = nulls === "first"
    return [call(isFirst === descending ? "isNull" : "isNotNull", [expression], {}, at), expression]
  })

/** The values of the rows as one list. Nulls are no values, as without an order. */
function collected({ filter, at }: Call, value: Expression, items: readonly OrderItem[]): Expression {
  const isBackwards = isDescending(items)
  const keys = keysOf(items)
  const isValue = call("isNotNull", [value], {}, at)
  const kept = filter === null ? isValue : and([filter, isValue], at)
  const rows = call("groupArray", [tuple([value, ...keys], at)], { filter: kept }, at)
  const key = tuple(
    keys.map((_, index) => part(index + 2, at)),
    at,
  )
  const sorted = call(isBackwards ? "arrayReverseSort" : "arraySort", [lambda(key, at), rows], {}, at)
  return call("arrayMap", [lambda(part(1, at), at), sorted], {}, at)
}

function distinctInOrder({ name, filter, at }: Call, value: Expression, items: readonly OrderItem[]): Expression {
  const [item] = items
  if (item === undefined || items.length > 1 || sameText(item.expression) !== sameText(value))
    throw queryError(`With DISTINCT '${name}' is ordered by its own values alone.`, item?.at ?? at)
  const values = call("groupUniqArray", [value], { filter }, at)
  return call(item.descending ? "arrayReverseSort" : "arraySort", [values], {}, at)
}

function endOf(
  { filter, at, distinct, name }: Call,
  value: Expression,
  items: readonly OrderItem[],
  [forwards, backwards]: readonly [string, string],
  mayBeNull: (key: Expression) => boolean,
): Expression {
  if (distinct) throw queryError(`'${name}' does not take DISTINCT and an ORDER BY.`, at)
  // The engine leaves rows out whose key is null, and finds the end of one bare key three times as fast as that of a tuple.
  const hasNulls = items.some(({ expression }) => mayBeNull(expression))
  const keys = hasNulls ? keysOf(items) : items.map(({ expression }) => expression)
  const key = keys.length === 1 ? (keys[0] as Expression) : tuple(keys, at)
  return call(isDescending(items) ? backwards : forwards, [value, key], { filter }, at)
}

/** `quantile(0.5) WITHIN GROUP (ORDER BY x)` and the percentiles of SQL; null for what is none. */
function percentileOf(
  { name, args, filter, at }: Call,
  items: readonly OrderItem[],
  engine: string,
): Expression | null {
  const isPercentile = engine.startsWith("percentile_")
  if (!isPercentile && !/^quantile(?:[A-Z]\w*)?$/.test(engine)) return null
  const [level, item] = [args[0], items[0]]
  if (
    args.length !== 1 ||
    level?.kind !== "constant" ||
    typeof level.value !== "number" ||
    level.value < 0 ||
    level.value > 1
  )
    throw queryError(`'${name}' needs a number from 0 to 1 in its brackets.`, level?.at ?? at)
  if (item === undefined || items.length > 1) throw queryError(`'${name}' is of one key.`, items[1]?.at ?? at)
  const value = item.expression
  if (engine === "percentile_disc") {
    const values = call("groupArray", [value], { filter }, at)
    const sorted = call(item.descending ? "arrayReverseSort" : "arraySort", [values], {}, at)
    const place = call("ceil", [arithmetic("*", level, call("count", [value], { filter }, at), at)], {}, at)
    const found = call(
      "arrayElement",
      [sorted, call("greatest", [constant(1, at), call("toInt", [place], {}, at)], {}, at)],
      {},
      at,
    )
    return call("if", [call("empty", [sorted], {}, at), constant(null, at), found], {}, at)
  }
  const wanted = item.descending ? { ...level, value: 1 - level.value } : level
  const quantile = engine === "percentile_cont" ? "quantileExactInclusive" : name
  return call(quantile, [value], { parameters: [wanted], filter }, at)
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
