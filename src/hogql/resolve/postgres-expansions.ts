import { queryError } from "../hogql-error.js"
import { arithmetic, call, constant } from "../nodes/make.js"
import type { Expression } from "../nodes/nodes.js"
import { type Expansion, MISSING } from "./expansion.js"

const PARTS: ReadonlyMap<string, string> = new Map([
  ["year", "toYear"],
  ["quarter", "toQuarter"],
  ["month", "toMonth"],
  ["hour", "toHour"],
  ["minute", "toMinute"],
  ["second", "toSecond"],
  ["day", "toDayOfMonth"],
  ["week", "toISOWeek"],
  ["dow", "toDayOfWeek"],
  ["doy", "toDayOfYear"],
  ["epoch", "toUnixTimestamp"],
])

/** `date_part('hour', t)`. Days of the week are counted from 1, Monday, as everywhere in HogQL. */
const datePart: Expansion = ({ name, args: [part, time = MISSING], at }) => {
  const written = part?.kind === "constant" && typeof part.value === "string" ? part.value.toLowerCase() : ""
  const engine = PARTS.get(written)
  if (engine === undefined)
    throw queryError(`'${name}' needs a part first: ${[...PARTS.keys()].join(", ")}.`, part?.at ?? at)
  return call(engine, [time])
}

/** `split_part(text, separator, n)`: the part with this number, from 1; "" beyond the last one. */
const splitPart: Expansion = ({ args: [text = MISSING, separator = MISSING, place = MISSING] }) =>
  call("arrayElement", [call("splitByString", [separator, call("ifNull", [text, constant("")])]), place])

/** `make_interval(years, months, days, hours, minutes, seconds)`. */
const makeInterval: Expansion = ({ args }) =>
  ["Year", "Month", "Day", "Hour", "Minute", "Second"]
    .map((unit, index): Expression => call(`toInterval${unit}`, [args[index] ?? MISSING]))
    .reduce((sum, interval) => arithmetic("+", sum, interval))

/** Digits of the hash, as other servers of HogQL give them. */
const md5: Expansion = ({ args }) => call("hex", [call("MD5", args)])

/** `timezone('Asia/Tokyo', t)`; without arguments it is the project's own. */
const inTimezone: Expansion = (node) => {
  const [zone, time] = node.args
  if (zone === undefined) return node
  if (time === undefined) throw queryError("Function 'timezone' expects 0 or 2 arguments, found 1", node.at)
  return call("toTimeZone", [time, zone])
}

/** `json_agg(x)`: the values of the rows as a JSON list. */
const jsonAggregate: Expansion = ({ args, distinct, filter }) =>
  call("toJSONString", [call(distinct ? "groupUniqArray" : "groupArray", args, { filter })])

export const POSTGRES_EXPANSIONS: readonly (readonly [string, Expansion])[] = [
  ["date_part", datePart],
  ["split_part", splitPart],
  ["make_interval", makeInterval],
  ["md5", md5],
  ["timezone", inTimezone],
  ["json_agg", jsonAggregate],
]
