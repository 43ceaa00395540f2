import { AppError } from "../../../kernel/errors.js"
import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"
import type { QueryObject } from "../queries.types.js"

/**
 * Applies `filters_override` and `variables_override` (`docs/contract/queries.md#overrides-of-a-query`): dates are
 * replaced, properties are added, and variables that the query itself has get the overriding value.
 * @throws AppError invalid_input for overrides of another shape: passed over, they would show more than was asked for.
 */
export function applyOverrides(
  query: QueryObject,
  filters: Json | undefined,
  variables: Json | undefined,
): QueryObject {
  const filtered = filters == null ? query : withFilters(query, toObject(filters, "filters_override"))
  return variables == null ? filtered : withVariables(filtered, toObject(variables, "variables_override"))
}

function toObject(value: Json, attr: string): JsonObject {
  if (isJsonObject(value)) return value
  throw invalid(attr, `${attr} must be an object.`)
}

const invalid = (attr: string, detail: string): AppError => new AppError("invalid_input", { attr, detail })

/** A HogQL query keeps its dates and properties under `filters`, every other kind at its top. */
function withFilters(query: QueryObject, override: JsonObject): QueryObject {
  if (query.kind !== "HogQLQuery") return { ...query, ...overridden(query, override), kind: query.kind }
  const filters = isJsonObject(query.filters) ? query.filters : {}
  return { ...query, filters: { ...filters, ...overridden(filters, override) } }
}

function overridden(current: JsonObject, { date_from, date_to, properties }: JsonObject): JsonObject {
  const changed: JsonObject = {}
  for (const [name, date] of Object.entries({ date_from, date_to }))
    if (date != null && typeof date !== "string")
      throw invalid(`filters_override__${name}`, `${name} must be a text such as -7d.`)
  if (properties != null && !Array.isArray(properties))
    throw invalid("filters_override__properties", "properties must be a list of filters.")
  if (date_from != null || date_to != null)
    changed.dateRange = { date_from: date_from ?? null, date_to: date_to ?? null }
  if (properties != null && properties.length > 0) changed.properties = addFilters(current.properties, properties)
  return changed
}

function addFilters(own: Json | undefined, added: Json[]): Json {
  if (own == null) return added
  if (Array.isArray(own)) return [...own, ...added]
  return { type: "AND", values: [own, { type: "AND", values: added }] }
}

function withVariables(query: QueryObject, override: JsonObject): QueryObject {
  for (const [id, given] of Object.entries(override)) toObject(given, `variables_override__${id}`)
  if (!isJsonObject(query.variables)) return query
  const variables = Object.entries(query.variables).map(([id, own]): [string, Json] => {
    const given = override[id]
    return isJsonObject(own) && isJsonObject(given) ? [id, { ...own, ...given }] : [id, own]
  })
  return { ...query, variables: Object.fromEntries(variables) }
}
