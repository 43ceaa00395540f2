import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.js"
import type { QueryObject } from "./queries.types.js"

/**
 * Applies `filters_override` and `variables_override` (`reference/management.md` 7.1): dates are replaced, properties are
 * added, and variables that the query itself has get the overriding value.
 */
export function applyOverrides(
  query: QueryObject,
  filters: Json | undefined,
  variables: Json | undefined,
): QueryObject {
  const filtered = isJsonObject(filters) ? withFilters(query, filters) : query
  return isJsonObject(variables) ? withVariables(filtered, variables) : filtered
}

/** A HogQL query keeps its dates and properties under `filters`, every other kind at its top. */
function withFilters(query: QueryObject, override: JsonObject): QueryObject {
  if (query.kind !== "HogQLQuery") return { ...query, ...overridden(query, override), kind: query.kind }
  const filters = isJsonObject(query.filters) ? query.filters : {}
  return { ...query, filters: { ...filters, ...overridden(filters, override) } }
}

function overridden(current: JsonObject, { date_from, date_to, properties }: JsonObject): JsonObject {
  const changed: JsonObject = {}
  if (date_from != null || date_to != null)
    changed.dateRange = { date_from: date_from ?? null, date_to: date_to ?? null }
  if (Array.isArray(properties) && properties.length > 0) changed.properties = bothOf(current.properties, properties)
  return changed
}

function bothOf(own: Json | undefined, added: Json[]): Json {
  if (own == null) return added
  if (Array.isArray(own)) return [...own, ...added]
  return { type: "AND", values: [own, { type: "AND", values: added }] }
}

function withVariables(query: QueryObject, override: JsonObject): QueryObject {
  if (!isJsonObject(query.variables)) return query
  const variables = Object.entries(query.variables).map(([id, own]): [string, Json] => {
    const given = override[id]
    return isJsonObject(own) && isJsonObject(given) ? [id, { ...own, ...given }] : [id, own]
  })
  return { ...query, variables: Object.fromEntries(variables) }
}
