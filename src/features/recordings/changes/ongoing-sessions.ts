import { ONGOING_MS } from "../replay/list-values.js"
import type { RecordingChange, SessionActivity } from "./recording-change.types.js"

type Change = Pick<RecordingChange, "sessionId" | "kind" | "atMs">

/**
 * The ongoing sessions of one project: those with data within the last five minutes, as lists show them
 * (`docs/contract/recordings.md#recording-fields`). A session that goes on after it has ended starts once more.
 */
export class OngoingSessions {
  /** Time of the newest data by session, the one that was idle longest first. */
  private readonly lastReceivedMs = new Map<string, number>()

  get size(): number {
    return this.lastReceivedMs.size
  }

  /** Takes in stored data, ignoring what came too long ago to make a session ongoing. Returns what has started. */
  add(activities: readonly SessionActivity[], nowMs: number): Change[] {
    const started: Change[] = []
    for (const { sessionId, receivedAtMs } of activities) {
      if (!isOngoing(receivedAtMs, nowMs)) continue
      const known = this.lastReceivedMs.get(sessionId)
      if (known === undefined) started.push({ sessionId, kind: "started", atMs: receivedAtMs })
      this.lastReceivedMs.delete(sessionId)
      this.lastReceivedMs.set(sessionId, Math.max(known ?? 0, receivedAtMs))
    }
    return started
  }

  /** Returns what has ended by now. */
  expire(nowMs: number): Change[] {
    const ended: Change[] = []
    for (const [sessionId, lastMs] of this.lastReceivedMs) {
      if (isOngoing(lastMs, nowMs)) continue
      this.lastReceivedMs.delete(sessionId)
      ended.push({ sessionId, kind: "ended", atMs: lastMs + ONGOING_MS })
    }
    return ended
  }
}

const isOngoing = (lastMs: number, nowMs: number): boolean => lastMs >= nowMs - ONGOING_MS
