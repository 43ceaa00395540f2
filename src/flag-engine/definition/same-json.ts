import { isJsonObject } from "../../kernel/json.js"

/**
 * Whether two values are the same JSON. The order of members counts: what was stored twice in another order is compiled
 * twice, which costs a little and is never wrong.
 */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false
    return left.every((one, index) => isSameJson(one, right[index]))
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false
  const [keys, otherKeys] = [Object.keys(left), Object.keys(right)]
  if (keys.length !== otherKeys.length) return false
  return keys.every((key, index) => key === otherKeys[index] && isSameJson(left[key], right[key]))
}
