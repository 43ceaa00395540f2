import type { HogqlFilters, HogqlScope } from "../hogql.types.js"
import { queryError } from "../hogql-error.js"
import { and, compare, constant, field } from "../nodes/make.js"
import type { Expression, Select, Span } from "../nodes/nodes.js"
import { findTable } from "../schema/tables.js"
import { cohortCondition } from "./cohort-condition.js"
import { dateBound } from "./dates.js"
import { propertyCondition } from "./property-filters.js"

/**
 * The condition that `{filters}` stands for in a SELECT: dates on the time column of its first table, properties as in
 * insights, test accounts left out when asked. Of persons, `properties` is the tree of a cohort, and there are no dates.
 * True when nothing is filtered.
 */
export function filterCondition(filters: HogqlFilters, around: Select | null, scope: HogqlScope, at: Span): Expression {
  const conditions: Expression[] = []
  const table = findFilteredTable(around)
  const { date_from: from, date_to: to } = filters.dateRange ?? {}
  const lower = from ? dateBound(from, at, scope) : null
  const upper = to ? dateBound(to, at, scope) : null
  const hasProperties = Array.isArray(filters.properties) ? filters.properties.length > 0 : filters.properties != null
  const isDated = lower !== null || upper !== null
  if (table === null || (table.timeColumn === null && isDated)) {
    if (!isDated && !hasProperties) return constant(true)
    throw queryError("Cannot use {filters} here: the query must read events, sessions or groups directly.", at)
  }
  if (table.timeColumn === null) return hasProperties ? cohortCondition(filters, at, scope) : constant(true)
  if (lower !== null) conditions.push(compare(">=", field([table.name, table.timeColumn]), lower))
  if (upper !== null) conditions.push(compare("<", field([table.name, table.timeColumn]), upper))
  if (hasProperties) conditions.push(propertyCondition(filters.properties, table.name, at))
  if (filters.filterTestAccounts && scope.testAccountFilters?.length) {
    conditions.push(propertyCondition(scope.testAccountFilters, table.name, at))
  }
  return conditions.length === 0 ? constant(true) : and(conditions)
}

const FILTERED = new Set(["events", "sessions", "groups"])

/** The first table of a SELECT that `{filters}` can be about; persons have no time column that is filtered. */
function findFilteredTable(around: Select | null): { name: string; timeColumn: string | null } | null {
  for (const source of around?.from ?? []) {
    if (source.table.kind !== "field") continue
    const tableName = source.table.chain.join(".")
    if (tableName === "persons" && source.alias === null) return { name: tableName, timeColumn: null }
    const timeColumn = FILTERED.has(tableName) ? findTable(tableName)?.timeColumn : undefined
    if (timeColumn !== undefined) return { name: source.alias ?? tableName, timeColumn }
  }
  return null
}
