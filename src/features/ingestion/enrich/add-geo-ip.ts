import type { JsonObject } from "../../../kernel/json.js"
import { isCookieless } from "../../cookieless/index.js"
import { GEO_IP_PARTS, type GeoIpLocation } from "../../persons/index.js"
import type { EnrichedEvent, PlaceFinder } from "./enriched-event.js"

/**
 * Writes the place of `$ip`, or that which capture found of an address that the project does not keep, as `$geoip_…` properties
 * of the event (known parts) and of the person (every part, null when unknown, so that a move overwrites the old place as a
 * whole). Server-side SDKs switch it off with `$geoip_disable`.
 */
export function addGeoIp(event: EnrichedEvent, geoIp: PlaceFinder | null): void {
  if (geoIp === null || event.properties.$geoip_disable) return
  const location = event.place === undefined ? findPlace(event, geoIp) : event.place
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

/** A failing look-up costs the event only its place. Addresses of visitors without cookies are not logged either. */
function findPlace({ projectId, properties }: EnrichedEvent, geoIp: PlaceFinder): GeoIpLocation | null {
  const { $ip: ip } = properties
  if (typeof ip !== "string") return null
  const isLogged = !isCookieless(properties)
  try {
    const location = geoIp.lookUp(ip)
    if (location === null && isLogged) geoIp.logMiss(projectId, ip)
    return location
  } catch (error) {
    if (isLogged) geoIp.logMiss(projectId, ip, error)
    return null
  }
}
