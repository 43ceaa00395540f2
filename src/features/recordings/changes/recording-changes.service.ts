import type { ProjectId } from "../../../kernel/ids.js"
import { type Delivered, openLossyStream } from "../../../kernel/lossy-stream.js"
import { writeChangeCursor } from "./change-cursor.graphql.js"
import { ProjectFeed, type ProjectFeedDependencies } from "./project-feed.js"
import type { RecordingChange, ReportedChanges } from "./recording-change.types.js"

/** Changes that wait for a slow reader. */
export const MAX_WAITING_CHANGES = 1000

/** Lets callers watch which recordings start and end, whichever process stores them. */
export class RecordingChangesService {
  private readonly feeds = new Map<ProjectId, ProjectFeed>()

  constructor(private readonly dependencies: ProjectFeedDependencies) {}

  /**
   * Changes after those that have been reported, or from now on; the caller has been checked for the project. However
   * many watch a project, it is read once.
   * @throws AppError invalid_input naming `since`, store_unavailable when what is stored cannot be read.
   */
  watch(
    projectId: ProjectId,
    since: ReportedChanges | null,
  ): Promise<AsyncIterableIterator<Delivered<RecordingChange>>> {
    return openLossyStream<RecordingChange>(MAX_WAITING_CHANGES, async (add) => {
      const feed = this.feeds.get(projectId) ?? new ProjectFeed(projectId, this.dependencies)
      this.feeds.set(projectId, feed)
      const show: Parameters<ProjectFeed["follow"]>[0] = (changes, missed) =>
        add(
          changes.map(({ reported, ...change }) => ({
            ...change,
            projectId,
            cursor: writeChangeCursor(projectId, reported),
          })),
          missed,
        )
      const leave = await feed.follow(show, since).catch(async (failure: unknown) => {
        await this.closeUnused(projectId, feed)
        throw failure
      })
      return () => {
        leave()
        return this.closeUnused(projectId, feed)
      }
    })
  }

  private async closeUnused(projectId: ProjectId, feed: ProjectFeed): Promise<void> {
    if (feed.listeners.size > 0) return
    if (this.feeds.get(projectId) === feed) this.feeds.delete(projectId)
    const close = await feed.opened.catch(() => async () => undefined)
    await close()
  }
}
