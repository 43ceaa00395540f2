import { removeTraces } from "../../cookieless/index.js"
import type { EnrichedEvent } from "./enriched-event.js"

/** An event without cookies keeps the place of its address, but not the address. */
export function forgetVisitor(event: EnrichedEvent): void {
  removeTraces(event.properties)
}
