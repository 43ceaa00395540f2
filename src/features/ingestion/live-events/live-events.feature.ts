import type { ProjectId } from "../../../kernel/ids.js"
import { createOutageLog } from "../../../platform/logger/outage-log.js"
import type { Platform } from "../../../platform/platform.types.js"
import { createBegunBatchFinder, createLastBatchFinder } from "../stored-batches/stored-batches.store.js"
import { StoredSignal } from "../stored-batches/stored-signal.js"
import { LiveEventsResolver } from "./live-events.resolver.js"
import { createLiveEventsService } from "./live-events.service.js"
import { createLiveEventStore, type LiveEventStoreDependencies } from "./live-events.store.js"

export interface LiveEventsFeatureDependencies
  extends Pick<Platform, "database" | "pubSub" | "logger">,
    LiveEventStoreDependencies {}

/**
 * Wires live events. `announceStored` is what ingestion calls after each batch, `storedBatches` tells others how far a
 * project is stored and when that has changed, `resolver` serves the subscribers: in whichever processes.
 */
export function createLiveEvents(dependencies: LiveEventsFeatureDependencies) {
  const { database, pubSub, logger } = dependencies
  const unheard = "what is stored cannot be announced: whoever watches hears of it later"
  const signal = new StoredSignal(pubSub, createOutageLog(logger, "warn", unheard, "what is stored is announced again"))
  const storedBatches = {
    findLast: createLastBatchFinder(database.pool),
    findBegun: createBegunBatchFinder(database.pool),
    onStored: (projectId: ProjectId, listener: () => void) => signal.onStored(projectId, listener),
  }
  const service = createLiveEventsService({
    store: createLiveEventStore(dependencies),
    findLastBatch: storedBatches.findLast,
    onStored: storedBatches.onStored,
    onFailure: (err) => logger.warn("live events could not be read and will be tried again", { err }),
  })
  return {
    storedBatches,
    resolver: new LiveEventsResolver(service),
    announceStored: (projectIds: ReadonlySet<ProjectId>) => signal.announce(projectIds),
    start: () => signal.start(),
    stop: () => signal.stop(),
  }
}
