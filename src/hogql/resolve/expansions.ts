import { findFunction } from "../functions/lookup.js"
import { queryError } from "../hogql-error.js"
import { and, arithmetic, call, compare, constant, field, tuple } from "../nodes/make.js"
import type { CompareOperator, Expression } from "../nodes/nodes.js"
import { cleanPath } from "../placeholders/path-cleaning.js"
import { COMPARISONS } from "./compare.js"
import { type Expansion, MISSING } from "./expansion.js"
import { POSTGRES_EXPANSIONS } from "./postgres-expansions.js"

const INTERVALS = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"]
const UNITS = ["nanosecond", "microsecond", "millisecond", ...INTERVALS]

/** `day` and `'day'`; undefined for anything else. */
function readUnit(node: Expression | undefined): string | undefined {
  const written =
    node?.kind === "field" && node.chain.length === 1
      ? node.chain[0]
      : node?.kind === "constant"
        ? node.value
        : undefined
  const unit = typeof written === "string" ? written.toLowerCase().replace(/s$/, "") : undefined
  return unit !== undefined && UNITS.includes(unit) ? unit : undefined
}

/** `dateAdd(day, 2, t)`, `dateAdd('day', 2, t)` and `dateAdd(t, INTERVAL 2 DAY)`. */
const moved =
  (operator: "+" | "-"): Expansion =>
  ({ name, args: [first = MISSING, second = MISSING, third], at }) => {
    if (third === undefined) return arithmetic(operator, first, second)
    const unit = readUnit(first)
    if (unit === undefined || !INTERVALS.includes(unit))
      throw queryError(`'${name}' needs a unit first: ${INTERVALS.join(", ")}.`, first === MISSING ? at : first.at)
    const interval = call(`toInterval${unit.charAt(0).toUpperCase()}${unit.slice(1)}`, [second])
    return arithmetic(operator, third, interval)
  }

/** A unit may stand without quotes, as other dialects have it. */
const withUnit: Expansion = (node) => {
  const [first, ...rest] = node.args
  const unit = first?.kind === "field" ? readUnit(first) : undefined
  return unit === undefined ? node : { ...node, args: [constant(unit, first?.at), ...rest] }
}

/** A value that clients draw as a widget: a tuple that begins with the widget's name. */
const shownAs =
  (name: string, ...attributes: readonly string[]): Expansion =>
  ({ args }) => {
    const parts = args.flatMap((arg, index) => [constant(attributes[index] ?? ""), arg])
    return tuple([constant("__hx_tag"), constant(name), ...parts])
  }

/** Texts of the rows, joined. */
const joinedTexts: Expansion = ({ args: [value = MISSING, separator = constant(",")], distinct, filter }) => {
  const collect = distinct ? "groupUniqArray" : "groupArray"
  return call("arrayStringConcat", [call(collect, [call("toString", [value])], { filter }), separator])
}

/** `mode(x)`: the value that most rows have, the least one of several; null without any. Exact, unlike `topK`. */
const mostFrequent: Expansion = ({ name, args: [value], distinct, filter, at }) => {
  if (value === undefined) throw queryError(`'${name}' needs its rows: ${name}() WITHIN GROUP (ORDER BY …).`, at)
  if (distinct) throw queryError(`'${name}' does not take DISTINCT.`, at)
  const isValue = call("isNotNull", [value])
  const pair = [call("assumeNotNull", [value]), constant(1)].map((item) => call("array", [item]))
  const counted = call("sumMap", pair, { filter: filter === null ? isValue : and([filter, isValue]) })
  const part = (index: number): Expression => ({ kind: "tupleAccess", at, expression: counted, index })
  const place = call("indexOf", [part(2), call("arrayMax", [part(2)])])
  return call("if", [call("empty", [part(1)]), constant(null), call("arrayElement", [part(1), place])])
}

/**
 * `getSurveyResponse(index, id, isMultiple)`: the answer to a question of a survey, under its id if it was sent so, else
 * under its place; null for none.
 */
const surveyResponse: Expansion = ({ args: [index, id, multiple], at }) => {
  const place = index?.kind === "constant" ? index.value : null
  if (typeof place !== "number" || !Number.isSafeInteger(place) || place < 0)
    throw queryError("'getSurveyResponse' needs the question's place first: 0 for the first question.", at)
  const isMultiple = multiple?.kind === "constant" && multiple.value === true
  const properties = field(["properties"])
  const read = (name: string): Expression =>
    isMultiple
      ? call("JSONExtract", [properties, constant(name), constant("Array(String)")])
      : call("nullIf", [call("JSONExtractString", [properties, constant(name)]), constant("")])
  const byPlace = read(place === 0 ? "$survey_response" : `$survey_response_${place}`)
  if (id?.kind !== "constant" || typeof id.value !== "string") return byPlace
  const byId = read(`$survey_response_${id.value}`)
  return isMultiple ? call("if", [call("empty", [byId]), byPlace, byId]) : call("coalesce", [byId, byPlace])
}

const AGGREGATE_TEXT = /^(\w+)(\((?:[0-9.]+(?:, *[0-9.]+)*)\))?$/

/** `arrayReduce('sum', …)`: the aggregate is one that queries may call. */
const reduced: Expansion = (node) => {
  const [first, ...rest] = node.args
  const written = first?.kind === "constant" && typeof first.value === "string" ? first.value : ""
  const [, name = "", parameters = ""] = AGGREGATE_TEXT.exec(written) ?? []
  const definition = findFunction(name, false)
  if (definition?.isAggregate !== true || EXPANSIONS.has(definition.engine))
    throw queryError(`'${node.name}' needs the name of an aggregation first, such as 'sum'.`, first?.at ?? node.at)
  return { ...node, args: [constant(`${definition.engine}${parameters}`, first?.at), ...rest] }
}

/** `equals(a, b)` is `a = b` wherever it stands, in the condition of a join too. */
const comparing =
  (operator: CompareOperator): Expansion =>
  ({ args: [left = MISSING, right = MISSING], at }) =>
    compare(operator, left, right, at)

/** The text of a path by the project's rules. */
const cleanedPath: Expansion = ({ args: [path = MISSING] }, { pathCleaning = [] }) =>
  cleanPath(call("toString", [path]), pathCleaning)

/** `cast(a, 'Int64')` is `CAST(a AS Int64)`. */
const castTo: Expansion = ({ name, args: [expression = MISSING, type], at }) => {
  if (type?.kind === "constant" && typeof type.value === "string")
    return { kind: "cast", at, expression, typeName: type.value }
  throw queryError(`'${name}' needs the name of a type as a text, such as 'Int64'.`, type?.at ?? at)
}

const refused =
  (sentence: string): Expansion =>
  ({ at }) => {
    throw queryError(sentence, at)
  }

const refusedPercentile: Expansion = ({ name, at }) => {
  throw queryError(`'${name}' needs its rows: ${name}(0.5) WITHIN GROUP (ORDER BY …).`, at)
}

const EXPANSIONS: ReadonlyMap<string, Expansion> = new Map<string, Expansion>([
  ...[...COMPARISONS].map(([operator, { engine }]) => [engine, comparing(operator)] as const),
  ["in", comparing("in")],
  ["notIn", comparing("not in")],
  ["dateAdd", moved("+")],
  ["timestampAdd", moved("+")],
  ["dateSub", moved("-")],
  ["timestampSub", moved("-")],
  ["dateDiff", withUnit],
  ["dateTrunc", withUnit],
  ["dateName", withUnit],
  ["age", withUnit],
  ["string_agg", joinedTexts],
  ["mode", mostFrequent],
  ...POSTGRES_EXPANSIONS,
  ["cast", castTo],
  ["cleanPath", cleanedPath],
  ["arrayReduce", reduced],
  ["arrayReduceInRanges", reduced],
  ["sparkline", shownAs("Sparkline", "data")],
  ["recordingButton", shownAs("RecordingButton", "sessionId", "recordingStatus")],
  ["getSurveyResponse", surveyResponse],
  ["percentile_cont", refusedPercentile],
  ["percentile_disc", refusedPercentile],
  ["exists", refused("EXISTS needs a query in its brackets: EXISTS (SELECT …).")],
  ["untuple", refused("'untuple' stands by itself as a column of a SELECT.")],
  ["convertCurrency", refused("'convertCurrency' needs exchange rates, which are no part of Waymark.")],
])

/** What a function that is no engine's stands for, by its engine name; undefined for one that is called as it is. */
export const findExpansion = (engine: string): Expansion | undefined => EXPANSIONS.get(engine)
