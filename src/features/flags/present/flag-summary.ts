import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"
import type { Flag } from "../flags.types.js"

/**
 * Whether a flag is one rollout to everybody, without filters, variants or groups
 * (`docs/contract/flags.md#flag-management`).
 */
export function isSimpleFlag({ filters }: Pick<Flag, "filters">): boolean {
  const conditions = conditionsOf(filters)
  const only = conditions[0]
  if (only === undefined || conditions.length > 1 || !isJsonObject(filters)) return false
  const hasFilters = Array.isArray(only.properties) && only.properties.length > 0
  const variants = isJsonObject(filters.multivariate) ? filters.multivariate.variants : null
  const hasVariants = Array.isArray(variants) && variants.length > 0
  return !hasFilters && !hasVariants && filters.aggregation_group_type_index == null
}

/** The percentage of a simple flag; null where there is no single one. */
export function rolloutPercentageOf(flag: Pick<Flag, "filters">): number | null {
  const percentage = isSimpleFlag(flag) ? (conditionsOf(flag.filters)[0]?.rollout_percentage ?? 100) : null
  return typeof percentage === "number" ? percentage : null
}

/** `DELETED`, `INACTIVE` or `ACTIVE`. */
export function statusOf({ deleted, active }: Pick<Flag, "deleted" | "active">): string {
  if (deleted) return "DELETED"
  return active ? "ACTIVE" : "INACTIVE"
}

const conditionsOf = (filters: Json): JsonObject[] =>
  isJsonObject(filters) && Array.isArray(filters.groups) ? filters.groups.filter(isJsonObject) : []
