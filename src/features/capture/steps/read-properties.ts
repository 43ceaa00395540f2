import { isJsonObject } from "../../../kernel/json.js"
import type { Step } from "./event-draft.js"

/**
 * `properties` is an object. Absent, null and `[]` (PHP's empty map, `docs/contract/sdk-wire.md#fields-of-events`)
 * stand for none.
 */
export const readProperties: Step = (draft) => {
  const given = draft.item.properties ?? null
  if (given === null || (Array.isArray(given) && given.length === 0)) return null
  if (!isJsonObject(given)) return "invalid_properties"
  draft.properties = given
  return null
}
