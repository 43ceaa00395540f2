import { isUuid } from "../../../kernel/ids.js"
import type { EnrichedEvent } from "./enriched-event.js"

/** Session ids that are UUIDs are compared in lower case. */
export function tidySessionId(event: EnrichedEvent): void {
  const { $session_id: sessionId } = event.properties
  if (typeof sessionId === "string" && isUuid(sessionId)) event.properties.$session_id = sessionId.toLowerCase()
}
