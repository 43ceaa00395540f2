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
export async function filterCondition(filters: Json, table = "events", depth = 0): Promise<Expression | null> {
  const items = isJsonObject(filters) && Array.isArray(filters.values) ? filters.values : filters
  if (Array.isArray(items) && depth < MAX_DEPTH) {
    const isAny = isJsonObject(filters) && filters.type === "OR"
    const conditions = await Promise.all(items.map((item) => filterCondition(item, table, depth + 1)))
    return joined(conditions, isAny ? or : and)
  }
  if (filters === null) return null
  if (isJsonObject(filters)) {
    if (Object.keys(filters).length === 0) return null
    if (filters.type === "hogql" && typeof filters.key === "string") return parseExpression(filters.key)
  }
  return propertyCondition(filters, table, nowhere, depth)
}

const nowhere = { start: 0, end: 0 }

/** All of these conditions, or one of them, those that are null left out; null when none is left. */
function joined(
  conditions: readonly (Expression | null)[],
  join: (conditions: readonly Expression[]) => Expression,
): Expression | null {
  const given = conditions.filter((condition) => condition !== null)
  return given.length > 1 ? join(given) : (given[0] ?? null)
}

/** All of these conditions; true when there is none. */
export const allOf = (conditions: readonly (Expression | null)[]): Expression =>
  joined(conditions, and) ?? constant(true)

/** Any of these conditions; false when there is none. */
export const anyOf = (conditions: readonly (Expression | null)[]): Expression =>
  joined(conditions, or) ?? constant(false)

/** `properties`, `fixedProperties` and `filterTestAccounts` of a query. */
export async function queryConditions(reader: QueryReader, scope: HogqlScope, table = "events"): Promise<Expression[]> {
  const testAccounts = reader.flag("filterTestAccounts") ? (scope.testAccountFilters as Json) : null
  const filters = [reader.value("properties"), reader.value("fixedProperties"), testAccounts]
  const conditions = await Promise.all(filters.map((filter) => filterCondition(filter ?? null, table)))
  return conditions.filter((condition) => condition !== null)
}

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
