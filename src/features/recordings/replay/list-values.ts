import type { StoredRecording } from "../recordings.types.js"

/** A recording goes on while data arrived within this time. */
export const ONGOING_MS = 5 * 60_000

/** What is added up over a session. */
type RecordingSums = Omit<StoredRecording, "sessionId" | "distinctId" | "firstUrl" | "snapshotSource">

/**
 * What lists show of a session beside its sums (`docs/contract/recordings.md#recording-fields`).
 */
export function toListValues(sums: RecordingSums, nowMs: number) {
  const recordingDuration = Math.floor((sums.endMs - sums.startMs) / 1000)
  const activeSeconds = sums.activeMilliseconds / 1000
  return {
    recordingDuration,
    activeSeconds,
    // Taken from whole milliseconds: the difference of two fractions would be 7.199999999999999.
    inactiveSeconds: Math.max(recordingDuration * 1000 - sums.activeMilliseconds, 0) / 1000,
    ongoing: sums.lastReceivedMs >= nowMs - ONGOING_MS,
    activityScore: computeScore(sums, activeSeconds, recordingDuration),
  }
}

function computeScore(sums: RecordingSums, activeSeconds: number, durationSeconds: number): number {
  const { consoleErrorCount } = sums
  const activity = activeSeconds + sums.clickCount + sums.keypressCount + consoleErrorCount
  const mass =
    sums.mouseActivityCount + durationSeconds + consoleErrorCount + sums.consoleLogCount + sums.consoleWarnCount
  return mass === 0 ? 0 : Math.round((activity / mass) * 10_000) / 100
}
