/**
 * Every part of a location, in the order in which they are written as `$geoip_…` properties
 * (`docs/contract/capture.md#addresses-and-places`). Angles are in degrees, the radius in kilometres.
 */
export const GEO_IP_PARTS = [
  "city_name",
  "city_confidence",
  "subdivision_2_code",
  "subdivision_2_name",
  "subdivision_1_code",
  "subdivision_1_name",
  "country_name",
  "country_code",
  "continent_name",
  "continent_code",
  "postal_code",
  "latitude",
  "longitude",
  "accuracy_radius",
  "time_zone",
] as const

type NumberPart = "city_confidence" | "latitude" | "longitude" | "accuracy_radius"

/** Where an IP address is, as far as the data file knows; absent parts are unknown. */
export type GeoIpLocation = {
  readonly [Part in (typeof GEO_IP_PARTS)[number]]?: Part extends NumberPart ? number : string
}

/** Finds the place of an IP address. */
export interface GeoIp {
  /** Null when the address is unknown, private, or no address at all. */
  lookUp(ipAddress: string): GeoIpLocation | null
}
