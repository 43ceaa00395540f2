import type { HogqlFilters, HogqlScope } from "../hogql.types.js"
import { queryError } from "../hogql-error.js"
import { and, arithmetic, call, compare, constant, field } from "../nodes/make.js"
import type { Expression, Select, Span } from "../nodes/nodes.js"
import { findTable } from "../schema/tables.js"
import { propertyCondition } from "./property-filters.js"

/**
 * The condition that `{filters}` stands for in a SELECT: dates on the time column of its first table, properties as in
 * insights, test accounts left out when asked. True when nothing is filtered.
 */
export function filterCondition(filters: HogqlFilters, around: Select | null, scope: HogqlScope, at: Span): Expression {
  const conditions: Expression[] = []
  const table = firstTable(around)
  const { date_from: from, date_to: to } = filters.dateRange ?? {}
  const lower = from ? dateBound(from, at) : null
  const upper = to ? dateBound(to, at) : null
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
 * `-1mStart`, or `all` (no bound, null).
 */
export function dateBound(written: string, at: Span): Expression | null {
  if (written === "all") return null
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
  if (Number.isNaN(Date.parse(/^\d{4}-\d{2}-\d{2}/.exec(written)?.[0] ?? "")))
    throw queryError(`Cannot read the date '${written.slice(0, 40)}'.`, at)
  return call("toDateTime", [constant(written, at)], {}, at)
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
