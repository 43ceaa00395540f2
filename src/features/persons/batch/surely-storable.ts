import type { Json } from "../../../kernel/json.js"
import type { ChangedPerson } from "../persons.types.js"

/** Far below what PostgreSQL's stack takes, far above what anybody sends. */
const MAX_DEPTH = 100

/**
 * Whether PostgreSQL is sure to take the properties of a person that it has already. All that `jsonb` refuses of a JSON text
 * of this size is NUL, lone surrogates (both are written as escapes that begin with a backslash and a u) and values that nest
 * too deep. True means sure; false means that it has to be tried.
 */
export function isSurelyStorable({ properties, propertiesJson }: Pick<ChangedPerson, "properties" | "propertiesJson">) {
  if (propertiesJson.includes("\\u")) return false
  return isShallow(properties, MAX_DEPTH + 1)
}

function isShallow(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true
  if (levels === 0) return false
  for (const inner of Array.isArray(value) ? value : Object.values(value))
    if (!isShallow(inner, levels - 1)) return false
  return true
}
