import type { JsonObject } from "../../../kernel/json.js"
import { isTooLarge } from "./person-registry.js"
import type { PersonEvent, PersonOperations } from "./process.types.js"
import { initialProperties } from "./property-changes.js"

/**
 * Properties that an event's new person begins with. When what the event sets is more than a person may hold, that is left
 * out as a whole, and `fits` is false.
 */
export function buildNewProperties(
  { uuid }: PersonEvent,
  operations: PersonOperations,
): { readonly properties: JsonObject; readonly fits: boolean } {
  const properties = initialProperties(operations, uuid)
  return isTooLarge(JSON.stringify(properties))
    ? { properties: { $creator_event_uuid: uuid }, fits: false }
    : { properties, fits: true }
}
