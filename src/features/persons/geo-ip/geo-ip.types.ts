/** Where an IP address is, as far as the data file knows; absent parts are unknown. */
export interface GeoIpLocation {
  readonly city_name?: string
  readonly city_confidence?: number
  readonly subdivision_2_code?: string
  readonly subdivision_2_name?: string
  readonly subdivision_1_code?: string
  readonly subdivision_1_name?: string
  readonly country_name?: string
  readonly country_code?: string
  readonly continent_name?: string
  readonly continent_code?: string
  readonly postal_code?: string
  /** Degrees. */
  readonly latitude?: number
  readonly longitude?: number
  /** Kilometres. */
  readonly accuracy_radius?: number
  /** IANA name. */
  readonly time_zone?: string
}

/** Finds the place of an IP address. */
export interface GeoIp {
  /** Null when the address is unknown, private, or no address at all. */
  lookUp(ipAddress: string): GeoIpLocation | null
}

/**
 * Every part of a location, in the order in which they are written as `$geoip_…` properties
 * (`docs/contract/capture.md#addresses-and-places`).
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
] as const satisfies readonly (keyof GeoIpLocation)[]
