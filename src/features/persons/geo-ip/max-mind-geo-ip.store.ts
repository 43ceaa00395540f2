import { readFileSync, unwatchFile, watchFile } from "node:fs"
import { isIP } from "node:net"
import { type CityResponse, Reader } from "mmdb-lib"
import type { Logger } from "../../../platform/logger/logger.js"
import type { GeoIp, GeoIpLocation } from "./geo-ip.types.js"

const CHECK_INTERVAL_MS = 60_000

/** GeoIP from a MaxMind city file. The file is read again when it changes; a damaged new one leaves the old one in use. */
export class MaxMindGeoIp implements GeoIp {
  private reader: Reader<CityResponse>

  /** @throws Error when the file cannot be read or is no MaxMind database. */
  constructor(
    private readonly path: string,
    private readonly logger: Logger,
  ) {
    this.reader = new Reader<CityResponse>(readFileSync(path))
    watchFile(path, { interval: CHECK_INTERVAL_MS, persistent: false }, () => this.reload())
  }

  lookUp(ipAddress: string): GeoIpLocation | null {
    if (isIP(ipAddress) === 0) return null
    const found = this.reader.get(ipAddress)
    return found === null ? null : toLocation(found)
  }

  /** Reads the file again. */
  reload(): void {
    try {
      this.reader = new Reader<CityResponse>(readFileSync(this.path))
    } catch (err) {
      this.logger.warn("the changed GeoIP file cannot be read; the previous one stays in use", { err, path: this.path })
    }
  }

  close(): void {
    unwatchFile(this.path)
  }
}

function toLocation(found: CityResponse): GeoIpLocation {
  const [first, second] = found.subdivisions ?? []
  return {
    city_name: found.city?.names.en,
    city_confidence: found.city?.confidence,
    subdivision_2_code: second?.iso_code,
    subdivision_2_name: second?.names.en,
    subdivision_1_code: first?.iso_code,
    subdivision_1_name: first?.names.en,
    country_name: found.country?.names.en,
    country_code: found.country?.iso_code,
    continent_name: found.continent?.names.en,
    continent_code: found.continent?.code,
    postal_code: found.postal?.code,
    latitude: found.location?.latitude,
    longitude: found.location?.longitude,
    accuracy_radius: found.location?.accuracy_radius,
    time_zone: found.location?.time_zone,
  }
}
