import type { GeoIpPlugin } from "../../src/features/plugins/index.js"

/** GeoIP that no project has switched off and whose log nobody reads. */
export const switchedOnGeoIp: GeoIpPlugin = {
  findSwitchedOff: async () => new Set(),
  logMiss: () => undefined,
}
