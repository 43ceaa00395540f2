import type { Json } from "../../../kernel/json.js"
import { createLossyStream } from "../../../kernel/lossy-stream.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { PubSub } from "../../../platform/pubsub/pub-sub.js"
import {
  DEMAND_CHANNEL,
  DEMAND_RENEWED_EVERY_MS,
  type DeliveredEvent,
  type LiveEvent,
  type LiveEventBatch,
  type LiveEventFilter,
  toChannel,
} from "./live-event.types.js"

/** Events that wait for a slow reader. */
export const MAX_WAITING_EVENTS = 500

export interface LiveEventsDependencies {
  readonly pubSub: Pick<PubSub, "publish" | "subscribe">
  readonly logger: Logger
  /** Calls `work` again and again until the returned function is called. */
  readonly every: (intervalMs: number, work: () => void) => () => void
}

export type LiveEventsService = ReturnType<typeof createLiveEventsService>

/** Lets callers watch events as they are stored, by whichever process. */
export function createLiveEventsService({ pubSub, logger, every }: LiveEventsDependencies) {
  return {
    /** Events from now on; the caller has been checked for the project. */
    async watch(filter: LiveEventFilter): Promise<AsyncIterableIterator<DeliveredEvent>> {
      const demand = (): Promise<void> =>
        pubSub.publish(DEMAND_CHANNEL, { ...filter }).catch((error: unknown) => {
          logger.warn("a demand for live events will be sent again", { err: error, projectId: filter.projectId })
        })
      const { stream, add } = createLossyStream<LiveEvent>(MAX_WAITING_EVENTS, async () => {
        stopRenewing()
        await unsubscribe()
      })
      // Each process hears only itself where nothing is shared; what comes on the channel is a batch in any case.
      const unsubscribe = await pubSub.subscribe(toChannel(filter), (message: Json) => {
        const { events, missed } = message as unknown as LiveEventBatch
        add(events, missed)
      })
      const stopRenewing = every(DEMAND_RENEWED_EVERY_MS, () => void demand())
      await demand()
      return stream
    },
  }
}
