import type { EnrichedEvent } from "./enriched-event.js"

/** `$ip` is the client's address unless the client wrote one itself. */
export function addIp(event: EnrichedEvent): void {
  if (event.properties.$ip === undefined && event.clientIp !== "") event.properties.$ip = event.clientIp
}
