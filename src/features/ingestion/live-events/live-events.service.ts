import type { ProjectId } from "../../../kernel/ids.js"
import { type Delivered, openLossyStream } from "../../../kernel/lossy-stream.js"
import { startInterval } from "../../../kernel/periodic-task.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { PubSub } from "../../../platform/pubsub/pub-sub.js"
import {
  DEMAND_CHANNEL,
  DEMAND_RENEWED_EVERY_MS,
  type LiveEvent,
  type LiveEventFilter,
  type LiveEventMessage,
  toChannel,
  toStoredChannel,
} from "./live-event.types.js"

/** Events that wait for a slow reader. */
export const MAX_WAITING_EVENTS = 500

export type LiveEventsService = ReturnType<typeof createLiveEventsService>

/** Lets callers watch events as they are stored, by whichever process. */
export function createLiveEventsService(pubSub: Pick<PubSub, "publish" | "subscribe">, logger: Logger) {
  /** Says again and again what is watched, until the returned function is called. */
  async function keepDemanding(projectId: ProjectId, message: object): Promise<() => void> {
    const demand = (): Promise<void> =>
      pubSub.publish(DEMAND_CHANNEL, message).catch((error: unknown) => {
        logger.warn("a demand for live events will be sent again", { err: error, projectId })
      })
    const stopRenewing = startInterval(DEMAND_RENEWED_EVERY_MS, () => void demand())
    await demand()
    return stopRenewing
  }

  return {
    /** Calls `listener` soon after events of a project have been stored, until the returned function is called. */
    async onStored(projectId: ProjectId, listener: () => void): Promise<() => Promise<void>> {
      const unsubscribe = await pubSub.subscribe(toStoredChannel(projectId), listener)
      const stopDemanding = await keepDemanding(projectId, { projectId, isSignal: true })
      return () => {
        stopDemanding()
        return unsubscribe()
      }
    },

    /** Events from now on; the caller has been checked for the project. */
    watch(filter: LiveEventFilter): Promise<AsyncIterableIterator<Delivered<LiveEvent>>> {
      return openLossyStream(MAX_WAITING_EVENTS, async (add) => {
        const unsubscribe = await pubSub.subscribe(toChannel(filter), ({ events, missed }: LiveEventMessage) =>
          add(events, missed),
        )
        const stopDemanding = await keepDemanding(filter.projectId, { ...filter })
        return () => {
          stopDemanding()
          return unsubscribe()
        }
      })
    },
  }
}
