import type { GeoIp } from "../../features/persons/index.js"
import type { JsonObject } from "../../kernel/json.js"
import type { Logger } from "../../platform/logger/logger.js"

/**
 * Makes what tells capture where an address is that it does not keep. A look-up that fails costs an event its place; the address is
 * in no log.
 */
export function createPlaceFinder(geoIp: GeoIp | null, logger: Logger) {
  return (address: string): JsonObject | null => {
    try {
      const location = geoIp?.lookUp(address) ?? null
      return location && { ...location }
    } catch {
      logger.warn("a look-up of the place of an address failed")
      return null
    }
  }
}
