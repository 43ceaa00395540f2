import type { Json, JsonObject } from "../../../kernel/json.js"

/** The parts of a location that flags may ask for (`docs/contract/flags.md#geoip-properties`). */
const DECIDE_PARTS = [
  "city_name",
  "country_name",
  "country_code",
  "continent_name",
  "continent_code",
  "postal_code",
  "time_zone",
] as const

/** Where an address is, by part; absent parts are unknown. */
export type Location = { readonly [Part in (typeof DECIDE_PARTS)[number]]?: string }

/**
 * Adds `$geoip_…` properties of the caller's location to what the request says; the request's own values stay, null is
 * filled.
 */
export function withGeoIp(properties: JsonObject, location: Location | null): JsonObject {
  if (location === null) return properties
  const joined: JsonObject = { ...properties }
  for (const part of DECIDE_PARTS) {
    const name = `$geoip_${part}`
    const value = location[part]
    if (value !== undefined && !isGiven(properties, name)) joined[name] = value
  }
  return joined
}

const isGiven = (properties: JsonObject, name: string): boolean =>
  Object.hasOwn(properties, name) && (properties[name] as Json) !== null
