import type { Json } from "./json.js"

/**
 * How long a value is as JSON, in UTF-16 units without any escapes, with `unitsOfScalar` for each number and word. Counts no
 * further than beyond `limit`, so that neither is much to do for a large value nor has a small one to be written out.
 */
export function jsonUnitsUpTo(value: Json, limit: number, unitsOfScalar: number): number {
  if (typeof value === "string") return value.length + 2
  if (typeof value !== "object" || value === null) return unitsOfScalar
  let units = 1
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && units <= limit; index++)
      units += jsonUnitsUpTo(value[index] ?? null, limit, unitsOfScalar) + 1
    return units
  }
  for (const key in value) {
    units += key.length + 4 + jsonUnitsUpTo(value[key] ?? null, limit, unitsOfScalar)
    if (units > limit) break
  }
  return units
}
