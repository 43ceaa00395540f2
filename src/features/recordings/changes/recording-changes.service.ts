import type { ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import { createLossyStream } from "../../../kernel/lossy-stream.js"
import type { PubSub } from "../../../platform/pubsub/pub-sub.js"
import { ProjectFeed } from "./project-feed.js"
import {
  channelOf,
  type DeliveredRecordingChange,
  type RecordingChange,
  type SessionActivity,
} from "./recording-change.types.js"

/** How late the end of a recording may be told. */
const EXPIRED_EVERY_MS = 1_000
/** Changes that wait for a slow reader. */
export const MAX_WAITING_CHANGES = 500

export interface RecordingChangesDependencies {
  readonly pubSub: Pick<PubSub, "subscribe">
  /** Sessions of the project of which data arrived within the last five minutes. */
  readonly ongoing: (projectId: ProjectId) => Promise<readonly SessionActivity[]>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Calls `work` again and again until the returned function is called. */
  readonly every: (intervalMs: number, work: () => void) => () => void
}

interface OpenFeed {
  readonly feed: ProjectFeed
  /** Ends listening; resolves once it has begun. */
  readonly begun: Promise<() => Promise<void>>
}

/** Lets callers follow which recordings start and end, whichever process stores them. */
export class RecordingChangesService {
  private readonly feeds = new Map<ProjectId, OpenFeed>()

  constructor(private readonly dependencies: RecordingChangesDependencies) {}

  /**
   * Changes from now on; the caller has been checked for the project. However many follow a project, it is listened to
   * once.
   * @throws AppError store_unavailable when the sessions that are ongoing now cannot be read.
   */
  async watch(projectId: ProjectId): Promise<AsyncIterableIterator<DeliveredRecordingChange>> {
    const open = this.feeds.get(projectId) ?? this.open(projectId)
    const { stream, add } = createLossyStream<RecordingChange>(MAX_WAITING_CHANGES, () => leave())
    const unfollow = open.feed.follow(add)
    const leave = async (): Promise<void> => {
      unfollow()
      if (open.feed.size > 0) return
      if (this.feeds.get(projectId) === open) this.feeds.delete(projectId)
      await (await open.begun)()
    }
    try {
      await open.begun
    } catch (failure) {
      unfollow()
      throw failure
    }
    return stream
  }

  private open(projectId: ProjectId): OpenFeed {
    const feed = new ProjectFeed(projectId, this.dependencies.now)
    const open = { feed, begun: this.begin(projectId, feed) }
    this.feeds.set(projectId, open)
    open.begun.catch(() => {
      // The next follower tries again.
      if (this.feeds.get(projectId) === open) this.feeds.delete(projectId)
    })
    return open
  }

  private async begin(projectId: ProjectId, feed: ProjectFeed): Promise<() => Promise<void>> {
    const { pubSub, ongoing, every } = this.dependencies
    // Listening begins first, so that nothing is stored between the two unheard.
    const unsubscribe = await pubSub.subscribe(channelOf(projectId), (message: Json) => feed.take(message))
    try {
      feed.begin(await ongoing(projectId))
    } catch (failure) {
      await unsubscribe()
      throw failure
    }
    const stopExpiring = every(EXPIRED_EVERY_MS, () => feed.expire())
    return async () => {
      stopExpiring()
      await unsubscribe()
    }
  }
}
