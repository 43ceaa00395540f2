import { ONGOING_MS } from "../replay/list-values.js"
import type { FoundChange, ReportedChanges, SessionActivity, StoredBlock } from "./recording-change.types.js"

/**
 * The ongoing sessions of one project: those with data within the last five minutes, as lists show them
 * (`docs/contract/recordings.md#recording-fields`). A session that goes on after it has ended starts once more. What
 * follows depends on the blocks and the time that it is given alone, so another process finds the same from there on.
 */
export class OngoingSessions {
  /** Time of the newest data by session. */
  private readonly lastReceivedMs = new Map<string, number>()
  /** Up to when ends have been looked for. */
  private clockMs: number

  /** @param ongoing sessions with data before `reported.place`; those whose end has been reported are passed over. */
  constructor(
    private reported: ReportedChanges,
    ongoing: readonly SessionActivity[],
  ) {
    this.clockMs = reported.endedMs
    for (const { sessionId, receivedAtMs } of ongoing)
      if (!isReportedEnd(reported, sessionId, receivedAtMs + ONGOING_MS))
        this.lastReceivedMs.set(sessionId, receivedAtMs)
  }

  /** Up to when ends have been looked for, milliseconds since the epoch. */
  get untilMs(): number {
    return this.clockMs
  }

  /** Takes in the next block, ignoring one that came too long ago to make its session ongoing. Returns what follows. */
  add({ sessionId, receivedAtMs, place }: StoredBlock): FoundChange[] {
    const changes = this.advanceTo(receivedAtMs)
    this.reported = { ...this.reported, place }
    if (receivedAtMs < this.clockMs - ONGOING_MS) return changes
    const known = this.lastReceivedMs.get(sessionId)
    this.lastReceivedMs.set(sessionId, Math.max(known ?? 0, receivedAtMs))
    if (known === undefined) changes.push({ sessionId, kind: "started", atMs: receivedAtMs, reported: this.reported })
    return changes
  }

  /** Returns what has ended by then, in the order of its ends. */
  advanceTo(nowMs: number): FoundChange[] {
    this.clockMs = Math.max(this.clockMs, nowMs)
    const ends = [...this.lastReceivedMs]
      .map(([sessionId, lastMs]) => ({ sessionId, atMs: lastMs + ONGOING_MS }))
      .filter(({ atMs }) => atMs < this.clockMs)
      .sort((left, right) => left.atMs - right.atMs || (left.sessionId < right.sessionId ? -1 : 1))
    return ends.map(({ sessionId, atMs }): FoundChange => {
      this.lastReceivedMs.delete(sessionId)
      this.reported = { ...this.reported, endedMs: atMs, endedSession: sessionId }
      return { sessionId, kind: "ended", atMs, reported: this.reported }
    })
  }
}

const isReportedEnd = ({ endedMs, endedSession }: ReportedChanges, sessionId: string, atMs: number): boolean =>
  atMs < endedMs || (atMs === endedMs && sessionId <= endedSession)
