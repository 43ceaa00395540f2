import type { ProjectId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import { GEO_IP_PARTS, type GeoIpLocation } from "../../persons/index.js"
import type { EnrichedEvent, PlaceFinder } from "./enriched-event.js"

/**
 * Writes the place of `$ip` as `$geoip_…` properties of the event (known parts) and of the person (every part, null when
 * unknown, so that a move overwrites the old place as a whole). Server-side SDKs switch it off with `$geoip_disable`.
 */
export function addGeoIp(event: EnrichedEvent, geoIp: PlaceFinder | null): void {
  const { $ip: ip, $geoip_disable: disabled } = event.properties
  if (geoIp === null || disabled || typeof ip !== "string") return
  const location = find(geoIp, event.projectId, ip)
  if (location === null) return
  const set: JsonObject = {}
  const setOnce: JsonObject = {}
  for (const part of GEO_IP_PARTS) {
    const value = location[part]
    if (value !== undefined) event.properties[`$geoip_${part}`] = value
    set[`$geoip_${part}`] = value ?? null
    setOnce[`$initial_geoip_${part}`] = value ?? null
  }
  event.foundProperties = { set, setOnce }
}

/** A failing look-up costs the event only its place. */
function find(geoIp: PlaceFinder, projectId: ProjectId, ip: string): GeoIpLocation | null {
  try {
    const location = geoIp.lookUp(ip)
    if (location === null) geoIp.logMiss(projectId, ip)
    return location
  } catch (error) {
    geoIp.logMiss(projectId, ip, error)
    return null
  }
}
