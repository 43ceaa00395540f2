import type { LoggedEvent } from "../ingestion.types.js"
import { addGeoIp } from "./add-geo-ip.js"
import { addIp } from "./add-ip.js"
import type { EnrichContext, EnrichedEvent, EnrichStep } from "./enriched-event.js"
import { moveElements } from "./move-elements.js"

/** What happens to every event before persons and groups are looked at, in this order. */
export const ENRICH_STEPS: readonly EnrichStep[] = [addIp, addGeoIp, moveElements]

/** Enriches a copy of the event; the logged event stays as it is, because a slice may be worked on again. */
export function enrich(event: LoggedEvent, context: EnrichContext): EnrichedEvent {
  const enriched: EnrichedEvent = {
    ...event,
    properties: { ...event.properties },
    elementsChain: "",
    foundProperties: undefined,
  }
  for (const step of ENRICH_STEPS) step(enriched, context)
  return enriched
}
