import { toStorableText } from "../../../kernel/json.js"
import { cutText } from "../../../kernel/text-length.js"
import type { Step } from "./event-draft.js"

const MAX_NAME_LENGTH = 200

/**
 * An event needs a name that is text and not blank; a long one is cut to 200 characters
 * (`docs/contract/capture.md#event-names`).
 */
export const requireName: Step = (draft, { defaultEventName }) => {
  const name = draft.item.event ?? defaultEventName
  if (typeof name !== "string" || name.trim() === "") return "missing_event_name"
  const storable = toStorableText(name)
  draft.event = cutText(storable, MAX_NAME_LENGTH)
  if (draft.event !== storable) draft.warnings.push("event_name_cut")
  return null
}
