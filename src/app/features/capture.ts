import { createCaptureFeature, type ProjectKeyDirectory } from "../../features/capture/index.js"
import { createPendingChanges, createSharedChanges } from "../../features/flags/index.js"
import { AppendSignal } from "../../features/ingestion/index.js"
import type { ProjectDirectory } from "../../features/projects/index.js"
import { createPlaceFinder } from "./find-place.js"
import { toLogLimits, watchOwnDisk } from "./log-limits.js"
import type { Wiring } from "./wiring.js"

/**
 * Capture, with what it tells others of the events it has accepted: ingestion in this process (`signal`), and decisions,
 * which see changes of persons before they are stored (`pendingChanges`; `sharedChanges` tells other processes).
 */
export function createCapture(wiring: Wiring, directory: ProjectDirectory) {
  const { environment, stores, limits, geoIp, crashPoints, shared } = wiring
  const { pubSub, ids, logger } = shared
  const diskSpace = watchOwnDisk(environment, wiring.dataDirectory, logger)
  const signal = new AppendSignal()
  const pendingChanges = createPendingChanges()
  const sharedChanges =
    stores.redis === null
      ? null
      : createSharedChanges({ pending: pendingChanges, pubSub, processId: ids.uuidV4(), logger })
  const changes = sharedChanges ?? pendingChanges
  const capture = createCaptureFeature({
    ...shared,
    appendPool: stores.database.appendPool,
    projectKeys: toProjectKeyDirectory(directory),
    signal,
    findPlace: createPlaceFinder(geoIp, logger),
    logLimits: toLogLimits(environment, diskSpace),
    quota: limits.projectBytes,
    crashPoints,
    onAppended: ({ projectId, receivedAtMs, historicalMigration, events }) => {
      const relevant = changes.findRelevantEvents(projectId, events)
      if (relevant.length === 0) return null
      return (rowId) => changes.record({ projectId, receivedAtMs, historicalMigration, events: relevant }, rowId)
    },
  })
  return { capture, signal, pendingChanges, sharedChanges, diskSpace }
}

const toProjectKeyDirectory = (directory: ProjectDirectory): ProjectKeyDirectory => ({
  find: (token, senderIp) => directory.findCached(token) ?? directory.findByKey(token, senderIp),
})
