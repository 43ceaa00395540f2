import type { EnrichedEvent } from "./enriched-event.js"

/**
 * `$ip` is the client's address unless the client wrote one itself. Who sends events of the past is not who they are about
 * (`docs/contract/capture.md#historical-migration`).
 */
export function addIp({ properties, clientIp, historicalMigration }: EnrichedEvent): void {
  if (properties.$ip === undefined && clientIp !== "" && !historicalMigration) properties.$ip = clientIp
}
