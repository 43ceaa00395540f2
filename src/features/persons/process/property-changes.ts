import type { Json, JsonObject } from "../../../kernel/json.js"
import type { PersonOperations } from "./process.types.js"

/** A copy on which any key is an ordinary one, `__proto__` included. */
export function copyProperties(...sources: readonly JsonObject[]): JsonObject {
  return Object.assign(Object.create(null), ...sources) as JsonObject
}

/**
 * Applies `$set_once`, `$set` and `$unset`, in that order, to a copy. Null when nothing changes, so that an event that says
 * nothing new costs no write. Arrays and objects always count as changed (`capture.md` 4.4).
 */
export function applyOperations(before: JsonObject, operations: PersonOperations): JsonObject | null {
  let after: JsonObject | null = null
  const write = (): JsonObject => {
    after ??= copyProperties(before)
    return after
  }
  for (const [key, value] of operations.setOnce) if (!Object.hasOwn(before, key)) write()[key] = value
  for (const [key, value] of operations.set) if (differs(after ?? before, key, value)) write()[key] = value
  for (const key of operations.unset) if (Object.hasOwn(after ?? before, key)) delete write()[key]
  return after
}

/** Whether writing `value` under `key` would change the object. */
export function differs(properties: JsonObject, key: string, value: Json): boolean {
  return !Object.hasOwn(properties, key) || properties[key] !== value
}

/** Properties of a new person: `$set_once` overlaid by `$set`. */
export function initialProperties(operations: PersonOperations, creatorEventUuid: string): JsonObject {
  const properties = copyProperties({ $creator_event_uuid: creatorEventUuid })
  for (const [key, value] of operations.setOnce) properties[key] = value
  for (const [key, value] of operations.set) properties[key] = value
  for (const key of operations.unset) delete properties[key]
  return properties
}
