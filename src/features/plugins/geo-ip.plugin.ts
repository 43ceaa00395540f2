import { isIP } from "node:net"
import type { ProjectId } from "../../kernel/ids.js"
import type { BuiltInConfigs } from "./built-in-configs.cache.js"
import type { BuiltInConfig } from "./plugins.types.js"
import type { LogSubject, SystemLog } from "./system-log.js"

const MAX_SHOWN_ADDRESS = 100

export type GeoIpPlugin = ReturnType<typeof createGeoIpPlugin>

/** The GeoIP plugin as ingestion uses it. @param hasDatabase whether there is a GeoIP file at all. */
export function createGeoIpPlugin(configs: BuiltInConfigs, log: SystemLog, hasDatabase: boolean) {
  const subjects = new Map<ProjectId, LogSubject>()

  /** Logs, once per project and process, that the plugin is in use. */
  const logLoaded = (projectId: ProjectId, { id, pluginId }: BuiltInConfig): void => {
    if (subjects.has(projectId)) return
    const subject = { projectId, id, pluginId }
    subjects.set(projectId, subject)
    if (hasDatabase) log.write(subject, "DEBUG", "GeoIP is loaded: events get the place of their IP address.")
    else log.write(subject, "WARN", "GeoIP is on, but the server has no GeoIP file (GEOIP_DB): events get no place.")
  }

  return {
    /**
     * Those of the projects that have it switched off.
     * @throws AppError store_unavailable for a project that is not in memory while PostgreSQL does not answer.
     */
    findSwitchedOff: async (projectIds: Iterable<ProjectId>): Promise<ReadonlySet<ProjectId>> => {
      const off = new Set<ProjectId>()
      for (const projectId of projectIds) {
        const config = (await configs.findByProject(projectId)).find(({ builtIn }) => builtIn === "geoip")
        if (config === undefined) continue
        if (config.enabled) logLoaded(projectId, config)
        else {
          off.add(projectId)
          subjects.delete(projectId)
        }
      }
      return off
    },
    /** Logs, now and then, an address without a place; `error` is given when the look-up itself failed. */
    logMiss: (projectId: ProjectId, ipAddress: string, error?: unknown): void => {
      const subject = subjects.get(projectId)
      if (subject === undefined) return
      const kind = error !== undefined ? "failed" : isIP(ipAddress) === 0 ? "malformed" : "unknown"
      const count = log.countSample(`${projectId}/${kind}`)
      if (count === null) return
      const address = JSON.stringify(ipAddress.slice(0, MAX_SHOWN_ADDRESS))
      const times = count === 1 ? "" : ` This happened ${count} times since it was last said.`
      if (kind === "failed") log.write(subject, "ERROR", `Looking up ${address} failed: ${String(error)}.${times}`)
      else if (kind === "malformed")
        log.write(subject, "WARN", `${address} is no IP address, so it has no place.${times}`)
      else log.write(subject, "DEBUG", `No place is known for ${address}.${times}`)
    },
  }
}
