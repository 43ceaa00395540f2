import { isIP } from "node:net"
import type { ProjectId } from "../../kernel/ids.js"
import type { BuiltInConfig, BuiltInConfigs, GeoIpPlugin } from "./plugins.types.js"
import type { LogSubject, SystemLog } from "./system-log.js"

const MAX_SHOWN_ADDRESS = 100

export interface GeoIpPluginDependencies {
  readonly configs: BuiltInConfigs
  readonly log: SystemLog
  /** Whether there is a GeoIP file at all. */
  readonly hasDatabase: boolean
}

/** Makes the GeoIP plugin as ingestion sees it: what projects have switched off, and an ear for failed look-ups. */
export function createGeoIpPlugin({ configs, log, hasDatabase }: GeoIpPluginDependencies): GeoIpPlugin {
  const subjects = new Map<ProjectId, LogSubject>()

  /** Says once for each process that the plugin is in use, as far as it is. */
  const noteLoaded = (projectId: ProjectId, { id, pluginId }: BuiltInConfig): void => {
    if (subjects.has(projectId)) return
    const subject = { projectId, id, pluginId }
    subjects.set(projectId, subject)
    if (hasDatabase) log.say(subject, "DEBUG", "GeoIP is loaded: events get the place of their IP address.")
    else log.say(subject, "WARN", "GeoIP is on, but the server has no GeoIP file (GEOIP_DB): events get no place.")
  }

  return {
    switchedOffIn: async (projectIds) => {
      const off = new Set<ProjectId>()
      for (const projectId of projectIds) {
        const config = (await configs.findByProject(projectId)).find(({ builtIn }) => builtIn === "geoip")
        if (config === undefined) continue
        if (config.enabled) noteLoaded(projectId, config)
        else {
          off.add(projectId)
          subjects.delete(projectId)
        }
      }
      return off
    },
    placeNotFound: (projectId, ipAddress, error) => {
      const subject = subjects.get(projectId)
      if (subject === undefined) return
      const kind = error !== undefined ? "failed" : isIP(ipAddress) === 0 ? "malformed" : "unknown"
      const count = log.due(`${projectId}/${kind}`)
      if (count === null) return
      const address = JSON.stringify(ipAddress.slice(0, MAX_SHOWN_ADDRESS))
      const times = count === 1 ? "" : ` This happened ${count} times since it was last said.`
      if (kind === "failed") log.say(subject, "ERROR", `Looking up ${address} failed: ${String(error)}.${times}`)
      else if (kind === "malformed")
        log.say(subject, "WARN", `${address} is no IP address, so it has no place.${times}`)
      else log.say(subject, "DEBUG", `No place is known for ${address}.${times}`)
    },
  }
}
