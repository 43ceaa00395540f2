import type { Clock } from "../../../kernel/clock.js"
import { startInterval } from "../../../kernel/periodic-task.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { PubSub } from "../../../platform/pubsub/pub-sub.js"
import type { SliceSink } from "../rows/slice-sink.types.js"
import { DEMAND_CHANNEL } from "./live-event.types.js"
import { LiveEventDemands } from "./live-event-demands.js"
import { withLiveEvents } from "./live-event-sink.js"
import { LiveEventsResolver } from "./live-events.resolver.js"
import { createLiveEventsService } from "./live-events.service.js"

export interface LiveEventsDependencies {
  readonly pubSub: PubSub
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Wires live events: `showing` makes ingestion's sink tell those who watch, `resolver` lets them. Both sides find each other
 * over the pub/sub, so that they may be in different processes.
 */
export function createLiveEvents({ pubSub, clock, logger }: LiveEventsDependencies) {
  const demands = new LiveEventDemands(() => clock.now())
  const service = createLiveEventsService({ pubSub, logger, every: startInterval })
  let unsubscribe: () => Promise<void> = async () => undefined
  return {
    service,
    resolver: new LiveEventsResolver(service),
    showing: (sink: SliceSink): SliceSink => withLiveEvents(sink, { demands, pubSub, logger }),
    /** Begins to listen to who watches what. */
    async start(): Promise<void> {
      unsubscribe = await pubSub.subscribe(DEMAND_CHANNEL, (message) => demands.add(message))
    },
    stop: (): Promise<void> => unsubscribe(),
  }
}
