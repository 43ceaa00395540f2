import type { LoggedEvent } from "../ingestion.types.js"
import { addGeoIp } from "./add-geo-ip.js"
import { addIp } from "./add-ip.js"
import type { EnrichedEvent, EnrichStep, PlaceFinder } from "./enriched-event.js"
import { forgetVisitor } from "./forget-visitor.js"
import { moveElements } from "./move-elements.js"

export type { PlaceFinder } from "./enriched-event.js"

/** What happens to every event before persons and groups are looked at, in this order. */
const ENRICH_STEPS: readonly EnrichStep[] = [addIp, addGeoIp, forgetVisitor, moveElements]

/**
 * Enriches an event. Its properties are changed in place: it was parsed for this alone. The fields are written out one by
 * one: all events then have one shape, and this runs for every event.
 */
export function enrich(event: LoggedEvent, geoIp: PlaceFinder | null): EnrichedEvent {
  const enriched: EnrichedEvent = {
    projectId: event.projectId,
    receivedAtMs: event.receivedAtMs,
    clientIp: event.clientIp,
    historicalMigration: event.historicalMigration,
    uuid: event.uuid,
    event: event.event,
    distinctId: event.distinctId,
    timestamp: event.timestamp,
    clientTimestamp: event.clientTimestamp,
    place: event.place,
    timestampMs: Date.parse(event.timestamp),
    properties: event.properties,
    elementsChain: "",
    foundProperties: undefined,
  }
  for (const step of ENRICH_STEPS) step(enriched, geoIp)
  return enriched
}
