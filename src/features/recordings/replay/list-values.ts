/** Sums over the blocks of a session, and when data last arrived; times in milliseconds since the epoch. */
export interface RecordingSums {
  readonly startMs: number
  readonly endMs: number
  readonly lastReceivedMs: number
  readonly activeMilliseconds: number
  readonly clickCount: number
  readonly keypressCount: number
  readonly mouseActivityCount: number
  readonly consoleLogCount: number
  readonly consoleWarnCount: number
  readonly consoleErrorCount: number
}

/** What lists show of a session beside its sums. */
export interface ListValues {
  /** Whole seconds from first to last data. */
  readonly recordingDuration: number
  readonly activeSeconds: number
  readonly inactiveSeconds: number
  readonly ongoing: boolean
  /** How much happens in how much recording, in percent; may be more than 100. */
  readonly activityScore: number
}

/** A recording goes on while data arrived within this time. */
export const ONGOING_MS = 5 * 60_000

/** Works out what follows from a session's sums (`capture.md` 7.4, `management.md` 4.2). */
export function toListValues(sums: RecordingSums, nowMs: number): ListValues {
  const recordingDuration = Math.floor((sums.endMs - sums.startMs) / 1000)
  const activeSeconds = sums.activeMilliseconds / 1000
  return {
    recordingDuration,
    activeSeconds,
    inactiveSeconds: Math.max(recordingDuration - activeSeconds, 0),
    ongoing: sums.lastReceivedMs >= nowMs - ONGOING_MS,
    activityScore: scoreOf(sums, activeSeconds, recordingDuration),
  }
}

function scoreOf(sums: RecordingSums, activeSeconds: number, durationSeconds: number): number {
  const { consoleErrorCount } = sums
  const activity = activeSeconds + sums.clickCount + sums.keypressCount + consoleErrorCount
  const mass =
    sums.mouseActivityCount + durationSeconds + consoleErrorCount + sums.consoleLogCount + sums.consoleWarnCount
  return mass === 0 ? 0 : Math.round((activity / mass) * 10_000) / 100
}
