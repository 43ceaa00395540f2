import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.js"

/** Every filter object of a flag's conditions, old super conditions included; malformed parts are passed over. */
export function listFilters(filters: Json): JsonObject[] {
  if (!isJsonObject(filters)) return []
  return [...toList(filters.groups), ...toList(filters.super_groups)].flatMap((condition) =>
    isJsonObject(condition) ? toList(condition.properties).filter(isJsonObject) : [],
  )
}

/** Every leaf of a cohort's tree, however many; malformed parts are passed over. */
export function listCohortLeaves(filters: Json): JsonObject[] {
  const leaves: JsonObject[] = []
  const pending: Json[] = isJsonObject(filters) && filters.properties !== undefined ? [filters.properties] : []
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (!isJsonObject(node)) continue
    if (Array.isArray(node.values)) for (const value of node.values) pending.push(value)
    else leaves.push(node)
  }
  return leaves
}

const toList = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])

/** A cohort id is a number, or text that is one; null otherwise. */
export function readCohortId(value: Json | undefined): number | null {
  if (typeof value === "number") return value
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : null
}
