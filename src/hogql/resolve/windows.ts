import { queryError } from "../hogql-error.js"
import type { Expression, FrameBound, Span, Window } from "../nodes/nodes.js"
import {
  type SqlExpression,
  type SqlOrder,
  type SqlWindow,
  sqlCall,
  sqlNumber,
  sqlText,
  type TypeName,
} from "../sql/sql.js"
import { hint } from "../suggest.js"
import type { Typed } from "./typed.js"

const SECONDS = { Second: 1, Minute: 60, Hour: 3600, Day: 86_400, Week: 604_800 } as const
/** The engine takes the size of a frame in 32 bits. */
const MAX_SECONDS = 2 ** 31 - 1
/** `Unknown` is what `dateTrunc` and the like give: a date or a time. */
const TIMES: ReadonlySet<TypeName> = new Set<TypeName>(["DateTime", "Date", "Unknown"])
/** A number of seconds that no frame reaches from any time: the place of nulls. */
const FAR_SECONDS = 1e15

/**
 * A window with what it takes over from one of the WINDOW clause: `(w ORDER BY a)` has the partitions of `w`.
 * @throws HogqlError for an unknown name, and where both say the same, as SQL has no rule for which counts
 */
export function completeWindow(window: Window, named: ReadonlyMap<string, Window>): Window {
  if (window.base === undefined) return window
  const { base: name, ...own } = window
  const base = findWindow(name, named, window.at)
  const both =
    own.partitionBy.length > 0
      ? "a PARTITION BY"
      : own.orderBy.length > 0 && base.orderBy.length > 0
        ? "another ORDER BY"
        : own.frame !== null && base.frame !== null
          ? "another frame"
          : null
  if (both !== null) throw queryError(`A window that adds to "${name}" cannot have ${both}.`, window.at)
  return {
    ...own,
    partitionBy: base.partitionBy,
    orderBy: own.orderBy.length > 0 ? own.orderBy : base.orderBy,
    frame: own.frame ?? base.frame,
  }
}

/** @throws HogqlError for a name that the WINDOW clause has not */
export function findWindow(name: string, named: ReadonlyMap<string, Window>, at: Span): Window {
  const found = named.get(name)
  if (found === undefined) throw queryError(`Unknown window "${name}".${hint(name, named.keys())}`, at)
  return found
}

/** What stands inside of an OVER or of a WINDOW item. */
export function resolveWindowParts(node: Window, resolve: (item: Expression) => Typed): SqlWindow {
  const keys = node.orderBy.map((item) => ({ item, key: resolve(item.expression) }))
  const isTimed = listBounds(node).some(({ unit }) => unit !== undefined)
  const orderBy = keys.map(
    ({ item: { descending, nulls }, key }): SqlOrder => ({ expression: key.sql, descending, nulls }),
  )
  return {
    partitionBy: node.partitionBy.map((item) => resolve(item).sql),
    orderBy: isTimed ? [timeKey(node, keys[0]?.key, orderBy)] : orderBy,
    frame: frameText(node),
  }
}

const listBounds = ({ frame }: Window): FrameBound[] =>
  frame === null ? [] : [frame.start, ...(frame.end === null ? [] : [frame.end])]

function frameText({ frame }: Window): string | null {
  if (frame === null) return null
  const size = ({ rows, unit }: FrameBound) =>
    rows === null ? "UNBOUNDED" : Math.trunc(rows) * (unit ? SECONDS[unit] : 1)
  const bound = (item: FrameBound) =>
    item.kind === "current row" ? "CURRENT ROW" : `${size(item)} ${item.kind.toUpperCase()}`
  const { unit, start, end } = frame
  return end === null ? `${unit} ${bound(start)}` : `${unit} BETWEEN ${bound(start)} AND ${bound(end)}`
}

/**
 * The key of a frame such as `RANGE BETWEEN INTERVAL 7 DAY PRECEDING AND CURRENT ROW`. ClickHouse measures frames in numbers
 * only, so the time becomes seconds. Where the frame counts days or weeks these are seconds of local time, so that a day of 23
 * or 25 hours is one day.
 *
 * @throws HogqlError unless there is one key, and that a time
 */
function timeKey(node: Window, key: Typed | undefined, [order, ...others]: readonly SqlOrder[]): SqlOrder {
  const isTime = key !== undefined && TIMES.has(key.type.name)
  if (!isTime || order === undefined || others.length > 0)
    throw queryError("A frame of an INTERVAL needs an ORDER BY of one time: use toDateTime(…).", node.at)
  const bounds = listBounds(node)
  if (bounds.some(({ rows, unit }) => rows !== null && unit === undefined))
    throw queryError("Both ends of a frame of an INTERVAL must be INTERVALs.", node.at)
  if (bounds.some(({ rows, unit }) => (rows ?? 0) * (unit ? SECONDS[unit] : 0) > MAX_SECONDS))
    throw queryError(`An INTERVAL of a frame has at most ${MAX_SECONDS} seconds.`, node.at)
  const countsDays = bounds.every(({ unit }) => unit === undefined || unit === "Day" || unit === "Week")
  const value = order.descending === (order.nulls === "first") ? FAR_SECONDS : -FAR_SECONDS
  const far = { kind: "number", value, isFraction: true } as const
  return { ...order, expression: sqlCall("ifNull", toSeconds(key, countsDays), far) }
}

function toSeconds({ sql, type }: Typed, isOnTheWall: boolean): SqlExpression {
  if (type.name === "Date") {
    const days = sqlCall("dateDiff", sqlText("day"), sqlCall("toDate", sqlText("1970-01-01")), sql)
    return sqlCall("toFloat64", sqlCall("multiply", days, sqlNumber(SECONDS.Day)))
  }
  const time = sqlCall("toDateTime64", sql, sqlNumber(6))
  const micros = sqlCall("toUnixTimestamp64Micro", time)
  const rest = sqlCall("positiveModulo", micros, sqlNumber(1e6))
  const whole = sqlCall("intDiv", sqlCall("minus", micros, rest), sqlNumber(1e6))
  // Fractions are rounded to multiples of 2^-20, which doubles hold exactly: whole seconds between two times stay whole.
  const steps = 2 ** 20
  const fraction = sqlCall(
    "divide",
    sqlCall("intDiv", sqlCall("multiply", rest, sqlNumber(steps)), sqlNumber(1e6)),
    sqlNumber(steps),
  )
  const seconds = sqlCall("plus", whole, fraction)
  return isOnTheWall ? sqlCall("plus", seconds, sqlCall("timezoneOffset", time)) : seconds
}
