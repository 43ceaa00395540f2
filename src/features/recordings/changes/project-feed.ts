import type { ProjectId } from "../../../kernel/ids.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import { OngoingSessions } from "./ongoing-sessions.js"
import type { RecordingChange, SessionActivity } from "./recording-change.types.js"

type Listener = (changes: readonly RecordingChange[]) => void

/** What those who follow one project in this process share: which of its sessions go on. */
export class ProjectFeed {
  private readonly ongoing = new OngoingSessions()
  private readonly listeners = new Set<Listener>()
  /** Data that came before the ongoing sessions were known; null once they are. */
  private early: SessionActivity[] | null = []

  /** `now` gives milliseconds since the epoch. */
  constructor(
    private readonly projectId: ProjectId,
    private readonly now: () => number,
  ) {}

  get size(): number {
    return this.listeners.size
  }

  follow(listener: Listener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /**
   * Takes in the sessions that were ongoing before anybody followed, which therefore do not start; then the data that
   * came meanwhile.
   */
  begin(ongoing: readonly SessionActivity[]): void {
    this.ongoing.add(ongoing, this.now())
    const early = this.early ?? []
    this.early = null
    this.tell(this.ongoing.add(early, this.now()))
  }

  /** Takes in a message of the project's channel, ignoring anything but activity. */
  take(message: Json): void {
    const activities = toActivities(message)
    if (this.early !== null) this.early.push(...activities)
    else this.tell(this.ongoing.add(activities, this.now()))
  }

  expire(): void {
    this.tell(this.ongoing.expire(this.now()))
  }

  private tell(changes: readonly Omit<RecordingChange, "projectId">[]): void {
    if (changes.length === 0) return
    const own = changes.map((change) => ({ ...change, projectId: this.projectId }))
    for (const listener of this.listeners) listener(own)
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
