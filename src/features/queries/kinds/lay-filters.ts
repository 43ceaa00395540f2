import type { JsonObject } from "../../../kernel/json.js"
import type { QueryObject } from "../queries.types.js"
import { applyOverrides } from "../request/apply-overrides.js"
import { KNOWN_FIELDS } from "./known-fields.js"

/** A query under filters. */
export interface FilteredQuery {
  readonly query: QueryObject
  /** Whether it has a place for all of them. */
  readonly isWhole: boolean
}

/** Where a query has what `filters_override` names. */
const PLACES: Readonly<Record<string, string>> = {
  date_from: "dateRange",
  date_to: "dateRange",
  properties: "properties",
}

/** Lays `{date_from, date_to, properties}` over a query, as far as its kind, or the text of its HogQL, has a place for it. */
export function layFilters(query: QueryObject, filters: JsonObject): FilteredQuery {
  const places = listPlaces(query)
  const given = Object.entries(filters).filter(([, value]) => !Array.isArray(value) || value.length > 0)
  const taken = given.filter(([name]) => places.includes(PLACES[name] ?? name))
  return {
    query: applyOverrides(query, Object.fromEntries(taken), undefined),
    isWhole: taken.length === given.length,
  }
}

function listPlaces({ kind, query }: QueryObject): readonly string[] {
  if (kind !== "HogQLQuery") return Object.keys(KNOWN_FIELDS[kind] ?? {})
  return typeof query === "string" && /\{\s*filters\b/.test(query) ? Object.values(PLACES) : []
}
