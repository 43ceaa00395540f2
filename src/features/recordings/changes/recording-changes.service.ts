import type { ProjectId } from "../../../kernel/ids.js"
import { type Delivered, openLossyStream } from "../../../kernel/lossy-stream.js"
import { ProjectFeed, type ProjectFeedDependencies } from "./project-feed.js"
import type { RecordingChange } from "./recording-change.types.js"

/** Changes that wait for a slow reader. */
export const MAX_WAITING_CHANGES = 500

/** Lets callers watch which recordings start and end, whichever process stores them. */
export class RecordingChangesService {
  private readonly feeds = new Map<ProjectId, ProjectFeed>()

  constructor(private readonly dependencies: ProjectFeedDependencies) {}

  /**
   * Changes from now on; the caller has been checked for the project. However many watch a project, there is one subscription.
   * @throws AppError store_unavailable when the sessions that are ongoing now cannot be read.
   */
  watch(projectId: ProjectId): Promise<AsyncIterableIterator<Delivered<RecordingChange>>> {
    return openLossyStream<RecordingChange>(MAX_WAITING_CHANGES, async (add) => {
      const feed = this.feeds.get(projectId) ?? this.openFeed(projectId)
      feed.listeners.add(add)
      const close = await feed.opened
      return async () => {
        feed.listeners.delete(add)
        if (feed.listeners.size > 0) return
        this.forget(projectId, feed)
        await close()
      }
    })
  }

  private openFeed(projectId: ProjectId): ProjectFeed {
    const feed = new ProjectFeed(projectId, this.dependencies)
    this.feeds.set(projectId, feed)
    // The next watcher tries again.
    feed.opened.catch(() => this.forget(projectId, feed))
    return feed
  }

  private forget(projectId: ProjectId, feed: ProjectFeed): void {
    if (this.feeds.get(projectId) === feed) this.feeds.delete(projectId)
  }
}
