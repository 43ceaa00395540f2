import { toStorableJson } from "../../../kernel/json.js"
import type { Step } from "./event-draft.js"

/**
 * NUL and lone surrogates in keys and values become U+FFFD, because no store takes them
 * (`docs/contract/faults.md#unstorable-text`).
 */
export const replaceUnstorableText: Step = (draft, { text }) => {
  if (text?.hasUnicodeEscapes === false) return null
  const storable = toStorableJson(draft.properties)
  if (storable === draft.properties) return null
  draft.properties = storable
  draft.warnings.push("unstorable_text_replaced")
  return null
}
