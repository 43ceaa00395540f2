import type { ProjectId } from "../../../kernel/ids.js"
import type { Delivered } from "../../../kernel/lossy-stream.js"
import { OrderedFeeds } from "../../../kernel/ordered-feed.js"
import { type Place, toBatchEnd } from "../../../kernel/place.js"
import type { LiveEvent, LiveEventFilter } from "./live-event.types.js"
import type { LiveEventStore } from "./live-events.store.js"

/** Events that wait for a slow reader. */
const MAX_WAITING_EVENTS = 2000

export interface LiveEventsDependencies {
  readonly store: LiveEventStore
  /** Everything of a project up to this batch is stored. */
  readonly findLastBatch: (projectId: ProjectId) => Promise<number>
  /** Calls `listener` soon after more of a project is stored, until the returned function is called. */
  readonly onStored: (projectId: ProjectId, listener: () => void) => Promise<() => Promise<void>>
  readonly onFailure: (failure: unknown) => void
}

export type LiveEventsService = ReturnType<typeof createLiveEventsService>

/** Lets callers watch events as they are stored, by whichever process. */
export function createLiveEventsService({ store, findLastBatch, onStored, onFailure }: LiveEventsDependencies) {
  const feeds = new OrderedFeeds<LiveEvent>(MAX_WAITING_EVENTS, onFailure)
  return {
    /**
     * Events beyond `since`, or from now on; the caller has been checked for the project.
     * @throws AppError invalid_input naming `since` or what is wrong with the conditions, store_unavailable.
     */
    async watch(filter: LiveEventFilter, since: Place | null): Promise<AsyncIterableIterator<Delivered<LiveEvent>>> {
      await store.check(filter)
      const { projectId } = filter
      const stored = {
        findLast: async () => toBatchEnd(await findLastBatch(projectId)),
        read: (after: Place, upTo: Place) => store.read(filter, after, upTo),
        onMore: (listener: () => void) => onStored(projectId, listener),
      }
      return feeds.follow(JSON.stringify(filter), stored, since)
    },
  }
}
