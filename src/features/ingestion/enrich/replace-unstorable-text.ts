import { toStorableJson, toStorableText } from "../../../kernel/json.js"
import type { EnrichedEvent } from "./enriched-event.js"

/** Neither store takes NUL or a lone surrogate: both become U+FFFD, in keys as well. */
export function replaceUnstorableText(event: EnrichedEvent): void {
  event.properties = toStorableJson(event.properties)
  event.elementsChain = toStorableText(event.elementsChain)
}
