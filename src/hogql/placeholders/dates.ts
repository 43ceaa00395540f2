import { parseRelativeDate, type RelativeDate, type RelativeUnit } from "../../kernel/relative-date.js"
import type { HogqlScope } from "../hogql.types.js"
import { queryError } from "../hogql-error.js"
import { arithmetic, call, constant } from "../nodes/make.js"
import type { Constant, Expression, Span } from "../nodes/nodes.js"
import { isWrittenTime } from "../sql/written-time.js"

const RELATIVE = { units: "sMhdwmqy", hasPlus: true, hasEdges: true }
const DAY_MS = 86_400_000

interface Unit {
  /** What functions of the engine call it. */
  readonly name: string
  /** No longer than this. */
  readonly maxMs: number
}

const UNITS: Readonly<Record<RelativeUnit, Unit>> = {
  s: { name: "Second", maxMs: 1000 },
  M: { name: "Minute", maxMs: 60_000 },
  h: { name: "Hour", maxMs: 3_600_000 },
  d: { name: "Day", maxMs: DAY_MS },
  w: { name: "Week", maxMs: 7 * DAY_MS },
  m: { name: "Month", maxMs: 31 * DAY_MS },
  q: { name: "Quarter", maxMs: 92 * DAY_MS },
  y: { name: "Year", maxMs: 366 * DAY_MS },
}

/**
 * A date of a filter as an expression: ISO text in the project's zone, `-7d` (whole days), `-3h`, `dStart`, `mStart`, `yStart`,
 * `-1mStart`, or `all` (no bound, null). Without `nowMs` it only checks whether the date can be read.
 */
export function dateBound(
  written: string,
  at: Span,
  { nowMs }: Partial<Pick<HogqlScope, "nowMs">> = {},
): Expression | null {
  if (written === "all") return null
  const date = parseRelativeDate(written, RELATIVE)
  const far = nowMs === undefined || date === null ? null : findFarTime(date, nowMs)
  if (far !== null) return call("toDateTime", [constant(far)])
  if (date !== null && hasEdge(date)) return toEdge(date)
  if (date === null || date.count === null) {
    if (!isWrittenTime(written)) throw queryError(`Cannot read the date '${written.slice(0, 40)}'.`, at)
    return call("toDateTime", [constant(written)])
  }
  const moved = moveFromNow(date)
  return isShort(date) ? moved : call("toStartOfDay", [moved])
}

/**
 * A written date of a property filter as a time; `-30d` and `6h` are one before now, whatever the sign
 * (`docs/contract/flags.md#dates-in-filters`), and stay as wide as they are: the engine's plain times begin in 1970.
 */
export function toMoment(written: Constant): Expression {
  const date = parseRelativeDate(String(written.value), { units: "hdwmy", maxDigits: 4 })
  if (date === null) return call("toDateTime", [written])
  return arithmetic("-", call("now"), toInterval(date.unit, date.count ?? 0))
}

/** Units that lead to a time of day instead of a whole day. */
const isShort = ({ unit }: RelativeDate): boolean => unit === "h" || unit === "M" || unit === "s"

/** Whether the edge counts: `dStart` and `-1dEnd`, while `1dStart` and `-1hStart` are read without it. */
const hasEdge = (date: RelativeDate): boolean =>
  date.edge !== null && !isShort(date) && (date.count === null || date.sign === "-")

/** ClickHouse's `Date` spans 1970 to 2149; distances that lead beyond wrap around in it. */
const LAST_MS = Date.UTC(2148, 0, 1)

/** A time before or after all events, for a distance that leads out of the range of `Date`. */
function findFarTime({ sign, count, unit }: RelativeDate, nowMs: number): string | null {
  if (count === null) return null
  const distanceMs = count * UNITS[unit].maxMs
  if (sign === "+") return nowMs + distanceMs > LAST_MS ? "2299-01-01" : null
  return distanceMs + UNITS.y.maxMs > nowMs ? "1900-01-01" : null
}

const toInterval = (unit: RelativeUnit, count: number): Expression =>
  call(`toInterval${UNITS[unit].name}`, [constant(count)])

function moveFromNow({ sign, count, unit }: RelativeDate): Expression {
  const distance = Math.min(count ?? 0, 100_000)
  if (distance === 0) return call("now")
  return arithmetic(sign === "+" ? "+" : "-", call("now"), toInterval(unit, distance))
}

function toEdge(date: RelativeDate): Expression {
  const from = moveFromNow(date)
  const moved = date.edge === "End" ? arithmetic("+", from, toInterval(date.unit, 1)) : from
  return call("toDateTime", [call(`toStartOf${UNITS[date.unit].name}`, [moved])])
}
