import type { HogqlFilters, HogqlScope } from "../hogql.types.js"
import { queryError } from "../hogql-error.js"
import { and, arithmetic, call, compare, constant, field } from "../nodes/make.js"
import type { Expression, Select, Span } from "../nodes/nodes.js"
import { findTable } from "../schema/tables.js"
import { isWrittenTime } from "../sql/written-time.js"
import { propertyCondition } from "./property-filters.js"

/**
 * The condition that `{filters}` stands for in a SELECT: dates on the time column of its first table, properties as in
 * insights, test accounts left out when asked. True when nothing is filtered.
 */
export function filterCondition(filters: HogqlFilters, around: Select | null, scope: HogqlScope, at: Span): Expression {
  const conditions: Expression[] = []
  const table = firstTable(around)
  const { date_from: from, date_to: to } = filters.dateRange ?? {}
  const lower = from ? dateBound(from, at, scope) : null
  const upper = to ? dateBound(to, at, scope) : null
  const hasProperties = Array.isArray(filters.properties) ? filters.properties.length > 0 : filters.properties != null
  if ((lower !== null || upper !== null || hasProperties) && table === null) {
    throw queryError("Cannot use {filters} here: the query must read events, sessions or groups directly.", at)
  }
  if (table === null) return constant(true, at)
  if (lower !== null) conditions.push(compare(">=", field([table.name, table.timeColumn], at), lower, at))
  if (upper !== null) conditions.push(compare("<", field([table.name, table.timeColumn], at), upper, at))
  if (hasProperties) conditions.push(propertyCondition(filters.properties, table.name, at))
  if (filters.filterTestAccounts && scope.testAccountFilters?.length) {
    conditions.push(propertyCondition(scope.testAccountFilters, table.name, at))
  }
  return conditions.length === 0 ? constant(true, at) : and(conditions, at)
}

const FILTERED = new Set(["events", "sessions", "groups"])

function firstTable(around: Select | null): { name: string; timeColumn: string } | null {
  for (const source of around?.from ?? []) {
    if (source.table.kind !== "field") continue
    const tableName = source.table.chain.join(".")
    const timeColumn = FILTERED.has(tableName) ? findTable(tableName)?.timeColumn : undefined
    if (timeColumn !== undefined) return { name: source.alias ?? tableName, timeColumn }
  }
  return null
}

const RELATIVE = /^([+-]?)(\d+)(h|d|w|m|q|y|M|s)(Start|End)?$/
const UNITS = { s: "Second", M: "Minute", h: "Hour", d: "Day", w: "Week", m: "Month", q: "Quarter", y: "Year" } as const

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
  const far = nowMs === undefined ? null : farAway(written, nowMs)
  if (far !== null) return call("toDateTime", [constant(far, at)], {}, at)
  const now = call("now", [], {}, at)
  const start = /^(-\d+)?([dwmqy])(Start|End)$/.exec(written)
  if (start !== null)
    return startOf(
      start[2] as keyof typeof UNITS,
      shift(now, start[1] ?? "0", start[2] as keyof typeof UNITS, at),
      start[3] === "End",
      at,
    )
  const relative = RELATIVE.exec(written)
  if (relative !== null) {
    const unit = relative[3] as keyof typeof UNITS
    const moved = shift(now, `${relative[1]}${relative[2]}`, unit, at)
    return unit === "h" || unit === "M" || unit === "s" ? moved : call("toStartOfDay", [moved], {}, at)
  }
  if (!isWrittenTime(written)) throw queryError(`Cannot read the date '${written.slice(0, 40)}'.`, at)
  return call("toDateTime", [constant(written, at)], {}, at)
}

const DAY_MS = 86_400_000
/** At most so long. */
const UNIT_MS: Readonly<Record<keyof typeof UNITS, number>> = {
  ...{ s: 1000, M: 60_000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS },
  ...{ m: 31 * DAY_MS, q: 92 * DAY_MS, y: 366 * DAY_MS },
}
/** The engine's plain dates begin in 1970 and end in 2149; beyond, a distance comes out somewhere between. */
const LAST_MS = Date.UTC(2148, 0, 1)

/** A time before or behind all others, for a distance that leads out of the engine's dates. */
function farAway(written: string, nowMs: number): string | null {
  const [, amount, unit] = /^([+-]?\d+)([hdwmqyMs])(?:Start|End)?$/.exec(written) ?? []
  if (amount === undefined) return null
  const distanceMs = Math.abs(Number(amount)) * UNIT_MS[unit as keyof typeof UNITS]
  if (amount.startsWith("+")) return nowMs + distanceMs > LAST_MS ? "2299-01-01" : null
  return distanceMs + UNIT_MS.y > nowMs ? "1900-01-01" : null
}

function shift(from: Expression, amount: string, unit: keyof typeof UNITS, at: Span): Expression {
  const count = Math.min(Math.abs(Number(amount)), 100_000)
  if (count === 0) return from
  return arithmetic(
    amount.startsWith("+") ? "+" : "-",
    from,
    call(`toInterval${UNITS[unit]}`, [constant(count, at)], {}, at),
    at,
  )
}

function startOf(unit: keyof typeof UNITS, from: Expression, isEnd: boolean, at: Span): Expression {
  const moved = isEnd ? arithmetic("+", from, call(`toInterval${UNITS[unit]}`, [constant(1, at)], {}, at), at) : from
  return call("toDateTime", [call(`toStartOf${UNITS[unit]}`, [moved], {}, at)], {}, at)
}
