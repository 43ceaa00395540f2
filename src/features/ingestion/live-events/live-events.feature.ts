import type { Platform } from "../../../platform/platform.types.js"
import type { BatchSink } from "../rows/batch-sink.types.js"
import { DEMAND_CHANNEL } from "./live-event.types.js"
import { LiveEventDemands } from "./live-event-demands.js"
import { withLiveEvents } from "./live-event-sink.js"
import { LiveEventsResolver } from "./live-events.resolver.js"
import { createLiveEventsService } from "./live-events.service.js"

/**
 * Wires live events: `withLiveEvents` makes ingestion's sink publish what it stored, `resolver` serves the subscribers. Both sides
 * find each other over the pub/sub, so that they may be in different processes.
 */
export function createLiveEvents({ pubSub, clock, logger }: Pick<Platform, "pubSub" | "clock" | "logger">) {
  const demands = new LiveEventDemands(() => clock.now())
  const service = createLiveEventsService(pubSub, logger)
  let unsubscribe: () => Promise<void> = async () => undefined
  return {
    service,
    resolver: new LiveEventsResolver(service),
    withLiveEvents: (sink: BatchSink): BatchSink => withLiveEvents(sink, demands, pubSub, logger),
    /** Begins to listen to who watches what. */
    async start(): Promise<void> {
      unsubscribe = await pubSub.subscribe(DEMAND_CHANNEL, (message) => demands.add(message))
    },
    stop: (): Promise<void> => unsubscribe(),
  }
}
