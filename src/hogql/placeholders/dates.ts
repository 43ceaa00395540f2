import { parseRelativeDate, type RelativeDate, type RelativeUnit } from "../../kernel/relative-date.js"
import type { HogqlScope } from "../hogql.types.js"
import { queryError } from "../hogql-error.js"
import { arithmetic, call, constant } from "../nodes/make.js"
import type { Constant, Expression, Span } from "../nodes/nodes.js"
import { isWrittenTime } from "../sql/written-time.js"

const DAY_MS = 86_400_000
const RELATIVE = { units: "sMhdwmqy", hasPlus: true, hasEdges: true }

/** What functions of the engine call the units of relative dates. */
const UNIT_NAMES: Readonly<Record<RelativeUnit, string>> = {
  s: "Second",
  M: "Minute",
  h: "Hour",
  d: "Day",
  w: "Week",
  m: "Month",
  q: "Quarter",
  y: "Year",
}

/**
 * A date of a filter as an expression: ISO text in the project's zone, `-7d` (whole days), `-3h`, `dStart`, `mStart`, `yStart`,
 * `-1mStart`, or `all` (no bound, null). Without the time it is now, only whether it can be read is looked at.
 */
export function dateBound(
  written: string,
  at: Span,
  { nowMs }: Partial<Pick<HogqlScope, "nowMs">> = {},
): Expression | null {
  if (written === "all") return null
  const date = parseRelativeDate(written, RELATIVE)
  const far = nowMs === undefined || date === null ? null : farAway(date, nowMs)
  if (far !== null) return call("toDateTime", [constant(far, at)], {}, at)
  if (date !== null && hasEdge(date)) return edgeOf(date, at)
  if (date === null || date.count === null) {
    if (!isWrittenTime(written)) throw queryError(`Cannot read the date '${written.slice(0, 40)}'.`, at)
    return call("toDateTime", [constant(written, at)], {}, at)
  }
  const moved = moveFromNow(date, at)
  return isShort(date) ? moved : call("toStartOfDay", [moved], {}, at)
}

/** Units that lead to a time of day instead of a whole day. */
const isShort = ({ unit }: RelativeDate): boolean => unit === "h" || unit === "M" || unit === "s"

/** Whether the edge counts: `dStart` and `-1dEnd`, while `1dStart` and `-1hStart` are read without it. */
const hasEdge = (date: RelativeDate): boolean =>
  date.edge !== null && !isShort(date) && (date.count === null || date.sign === "-")

/** At most so long. */
const UNIT_MS: Readonly<Record<RelativeUnit, number>> = {
  s: 1000,
  M: 60_000,
  h: 3_600_000,
  d: DAY_MS,
  w: 7 * DAY_MS,
  m: 31 * DAY_MS,
  q: 92 * DAY_MS,
  y: 366 * DAY_MS,
}
/** The engine's plain dates begin in 1970 and end in 2149; beyond, a distance comes out somewhere between. */
const LAST_MS = Date.UTC(2148, 0, 1)

/** A time before or behind all others, for a distance that leads out of the engine's dates. */
function farAway({ sign, count, unit }: RelativeDate, nowMs: number): string | null {
  if (count === null) return null
  const distanceMs = count * UNIT_MS[unit]
  if (sign === "+") return nowMs + distanceMs > LAST_MS ? "2299-01-01" : null
  return distanceMs + UNIT_MS.y > nowMs ? "1900-01-01" : null
}

const interval = (unit: RelativeUnit, count: number, at: Span): Expression =>
  call(`toInterval${UNIT_NAMES[unit]}`, [constant(count, at)], {}, at)

function moveFromNow({ sign, count, unit }: RelativeDate, at: Span): Expression {
  const now = call("now", [], {}, at)
  const distance = Math.min(count ?? 0, 100_000)
  return distance === 0 ? now : arithmetic(sign === "+" ? "+" : "-", now, interval(unit, distance, at), at)
}

function edgeOf(date: RelativeDate, at: Span): Expression {
  const from = moveFromNow(date, at)
  const moved = date.edge === "End" ? arithmetic("+", from, interval(date.unit, 1, at), at) : from
  return call("toDateTime", [call(`toStartOf${UNIT_NAMES[date.unit]}`, [moved], {}, at)], {}, at)
}

/**
 * A written date as a time; `-30d` and `6h` are one before now, whatever the sign (`flags.md` 4.7), and stay as wide as they
 * are: the engine's plain times begin in 1970.
 */
export function moment(written: Constant, at: Span): Expression {
  const date = parseRelativeDate(String(written.value), { units: "hdwmy", maxDigits: 4 })
  if (date === null) return call("toDateTime", [written], {}, at)
  const distance = call(`toInterval${UNIT_NAMES[date.unit]}`, [constant(date.count, at)], {}, at)
  return arithmetic("-", call("now", [], {}, at), distance, at)
}
