import { toStorableText } from "../../../kernel/json.js"
import { cutText } from "../../../kernel/text-length.js"
import type { Step } from "./event-draft.js"

/** The id is indexed, so it may not grow without end (`docs/contract/faults.md#long-ids`). */
const MAX_DISTINCT_ID_LENGTH = 200

/**
 * Finds who the event is about: the top level first, then the properties; null counts as absent
 * (`docs/contract/sdk-wire.md#where-the-distinct-id-is`). Numbers and booleans are taken as their text. Arrays and
 * objects are no ids. Spaces around an id belong to it.
 */
export const requireDistinctId: Step = (draft) => {
  const given = draft.item.distinct_id ?? draft.item.$distinct_id ?? draft.properties.distinct_id ?? ""
  if (typeof given === "object") return "invalid_distinct_id"
  const text = String(given)
  if (text.trim() === "") return "missing_distinct_id"
  const storable = toStorableText(text)
  draft.distinctId = cutText(storable, MAX_DISTINCT_ID_LENGTH)
  if (draft.distinctId !== storable) draft.warnings.push("distinct_id_cut")
  return null
}
