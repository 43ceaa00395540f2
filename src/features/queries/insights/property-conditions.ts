import { type Expression, type HogqlScope, nodes, parseExpression, propertyCondition } from "../../../hogql/index.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import type { QueryReader } from "./query-reader.js"

const { and, constant, field, or } = nodes
const MAX_DEPTH = 20

/**
 * Property filters of an insight as a condition on `table`: a list, or a group `{type: "AND" | "OR", values}`; filters of
 * type `hogql` hold an expression as their key. Null when nothing is filtered.
 *
 * @throws HogqlError for a filter that cannot be read
 */
export function filterCondition(filters: Json, table = "events", depth = 0): Expression | null {
  const items = isJsonObject(filters) && Array.isArray(filters.values) ? filters.values : filters
  if (Array.isArray(items) && depth < MAX_DEPTH) {
    const isAny = isJsonObject(filters) && filters.type === "OR"
    const conditions = items.map((item) => filterCondition(item, table, depth + 1))
    return joinGiven(conditions, isAny ? or : and)
  }
  if (filters === null) return null
  if (isJsonObject(filters)) {
    if (Object.keys(filters).length === 0) return null
    if (filters.type === "hogql" && typeof filters.key === "string") return parseExpression(filters.key)
  }
  return propertyCondition(filters, table, nowhere, depth)
}

const nowhere = { start: 0, end: 0 }

/** The conditions that are not null, joined; null when none is left. */
function joinGiven(
  conditions: readonly (Expression | null)[],
  join: (conditions: readonly Expression[]) => Expression,
): Expression | null {
  const given = conditions.filter((condition) => condition !== null)
  return given.length > 1 ? join(given) : (given[0] ?? null)
}

/** All of these conditions; true when there is none. */
export const joinWithAnd = (conditions: readonly (Expression | null)[]): Expression =>
  joinGiven(conditions, and) ?? constant(true)

/** Any of these conditions; false when there is none. */
export const joinWithOr = (conditions: readonly (Expression | null)[]): Expression =>
  joinGiven(conditions, or) ?? constant(false)

/** `properties`, `fixedProperties` and `filterTestAccounts` of a query. */
export function queryConditions(reader: QueryReader, scope: HogqlScope, table = "events"): Expression[] {
  const testAccounts = reader.flag("filterTestAccounts") ? [...(scope.testAccountFilters ?? [])] : null
  const filters = [reader.value("properties"), reader.value("fixedProperties"), testAccounts]
  const conditions = filters.map((filter) => filterCondition(filter, table))
  return conditions.filter((condition) => condition !== null)
}

/** A pattern of LIKE for texts that hold this one. */
export const toContainsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`

/** A property of an event's own, its person, its group or its session. */
export function propertyField(name: string, type: string | null, groupTypeIndex: number | null): Expression {
  switch (type) {
    case "person":
      return field(["person", "properties", name])
    case "group":
      return field([`group_${groupTypeIndex ?? 0}`, "properties", name])
    case "session":
      return field(["session", name])
    case "event_metadata":
      return field([name])
    default:
      return field(["properties", name])
  }
}
