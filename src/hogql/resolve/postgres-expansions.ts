import { queryError } from "../hogql-error.js"
import { arithmetic, call, constant } from "../nodes/make.js"
import type { Expression } from "../nodes/nodes.js"
import type { Expansion } from "./expansion.types.js"

const PARTS: ReadonlyMap<string, string> = new Map([
  ...["Year", "Quarter", "Month", "Hour", "Minute", "Second"].map((part) => [part.toLowerCase(), `to${part}`] as const),
  ["day", "toDayOfMonth"],
  ["week", "toISOWeek"],
  ["dow", "toDayOfWeek"],
  ["doy", "toDayOfYear"],
  ["epoch", "toUnixTimestamp"],
])

/** `date_part('hour', t)`. Days of the week are counted from 1, Monday, as everywhere in HogQL. */
const datePart: Expansion = ({ name, args: [part, time], at }) => {
  const written = part?.kind === "constant" && typeof part.value === "string" ? part.value.toLowerCase() : ""
  const engine = PARTS.get(written)
  if (engine === undefined)
    throw queryError(`'${name}' needs a part first: ${[...PARTS.keys()].join(", ")}.`, part?.at ?? at)
  return call(engine, [time as Expression], {}, at)
}

/** `split_part(text, separator, n)`: the part with this number, from 1; "" beyond the last one. */
const splitPart: Expansion = ({ args: [text, separator, place], at }) => {
  const parts = call(
    "splitByString",
    [separator as Expression, call("ifNull", [text as Expression, constant("", at)], {}, at)],
    {},
    at,
  )
  return call("arrayElement", [parts, place as Expression], {}, at)
}

/** `make_interval(years, months, days, hours, minutes, seconds)`. */
const makeInterval: Expansion = ({ args, at }) =>
  ["Year", "Month", "Day", "Hour", "Minute", "Second"]
    .map((unit, index): Expression => call(`toInterval${unit}`, [args[index] as Expression], {}, at))
    .reduce((sum, interval) => arithmetic("+", sum, interval, at))

/** Digits of the hash, as other servers of HogQL give them. */
const md5: Expansion = ({ args, at }) => call("hex", [call("MD5", args, {}, at)], {}, at)

/** `timezone('Asia/Tokyo', t)`; without arguments it is the project's own. */
const inTimezone: Expansion = (node) => {
  const [zone, time] = node.args
  if (zone === undefined) return node
  if (time === undefined) throw queryError("Function 'timezone' expects 0 or 2 arguments, found 1", node.at)
  return call("toTimeZone", [time, zone], {}, node.at)
}

/** `json_agg(x)`: the values of the rows as a JSON list. */
const jsonAggregate: Expansion = ({ args, distinct, filter, at }) =>
  call("toJSONString", [call(distinct ? "groupUniqArray" : "groupArray", args, { filter }, at)], {}, at)

export const POSTGRES_EXPANSIONS: readonly (readonly [string, Expansion])[] = [
  ["date_part", datePart],
  ["split_part", splitPart],
  ["make_interval", makeInterval],
  ["md5", md5],
  ["timezone", inTimezone],
  ["json_agg", jsonAggregate],
]
