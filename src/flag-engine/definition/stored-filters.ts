import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.js"

/** Every filter object of a flag's conditions, old super conditions included; malformed parts are passed over. */
export function filtersOfFlag(filters: Json): JsonObject[] {
  if (!isJsonObject(filters)) return []
  return [...listOf(filters.groups), ...listOf(filters.super_groups)].flatMap((condition) =>
    isJsonObject(condition) ? listOf(condition.properties).filter(isJsonObject) : [],
  )
}

/** Every leaf of a cohort's tree, however many; malformed parts are passed over. */
export function leavesOfCohort(filters: Json): JsonObject[] {
  const leaves: JsonObject[] = []
  const pending: Json[] = isJsonObject(filters) && filters.properties !== undefined ? [filters.properties] : []
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (!isJsonObject(node)) continue
    if (Array.isArray(node.values)) for (const value of node.values) pending.push(value)
    else leaves.push(node)
  }
  return leaves
}

const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])
