import type { ProjectId } from "../../../kernel/ids.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import type { PubSub } from "../../../platform/pubsub/pub-sub.js"
import { OngoingSessions } from "./ongoing-sessions.js"
import { type RecordingChange, type SessionActivity, toActivityChannel } from "./recording-change.types.js"

/** How late the end of a recording may be noticed. */
const EXPIRED_EVERY_MS = 1_000

export interface ProjectFeedDependencies {
  readonly pubSub: Pick<PubSub, "subscribe">
  /** Sessions of the project of which data arrived within the last five minutes. */
  readonly listOngoing: (projectId: ProjectId) => Promise<readonly SessionActivity[]>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Calls `work` again and again until the returned function is called. */
  readonly every: (intervalMs: number, work: () => void) => () => void
}

/** One subscription to the activity of a project, for all who watch the project in this process. */
export class ProjectFeed {
  readonly listeners = new Set<(changes: readonly RecordingChange[]) => void>()
  /** Resolves with how to close the feed, once it is open. Rejects when the ongoing sessions cannot be read. */
  readonly opened: Promise<() => Promise<void>>
  private readonly ongoing = new OngoingSessions()
  /** Activity that came before the ongoing sessions were known; null once they are. */
  private early: SessionActivity[] | null = []

  constructor(
    private readonly projectId: ProjectId,
    private readonly dependencies: ProjectFeedDependencies,
  ) {
    this.opened = this.open()
  }

  private async open(): Promise<() => Promise<void>> {
    const { pubSub, listOngoing, now, every } = this.dependencies
    // Subscribed first, so that nothing that is stored between the two is missed.
    const unsubscribe = await pubSub.subscribe(toActivityChannel(this.projectId), (message) => this.receive(message))
    try {
      // These were ongoing before, so they do not start.
      this.ongoing.add(await listOngoing(this.projectId), now())
    } catch (failure) {
      await unsubscribe()
      throw failure
    }
    const early = this.early ?? []
    this.early = null
    this.emit(this.ongoing.add(early, now()))
    const stopExpiring = every(EXPIRED_EVERY_MS, () => this.emit(this.ongoing.expire(now())))
    return () => {
      stopExpiring()
      return unsubscribe()
    }
  }

  /** Ignores anything but activity. */
  private receive(message: Json): void {
    const activities = toActivities(message)
    if (this.early !== null) this.early.push(...activities)
    else this.emit(this.ongoing.add(activities, this.dependencies.now()))
  }

  private emit(changes: readonly Omit<RecordingChange, "projectId">[]): void {
    if (changes.length === 0) return
    const ofProject = changes.map((change) => ({ ...change, projectId: this.projectId }))
    for (const listener of this.listeners) listener(ofProject)
  }
}

function toActivities(message: Json): SessionActivity[] {
  if (!Array.isArray(message)) return []
  return message.flatMap((item) => {
    if (!isJsonObject(item)) return []
    const { sessionId, receivedAtMs } = item
    return typeof sessionId === "string" && typeof receivedAtMs === "number" ? [{ sessionId, receivedAtMs }] : []
  })
}
