import { type Clock, isRecent } from "../../../kernel/clock.js"
import type { RuleSnapshots } from "../flags.types.js"
import type { Attempt } from "./attempt.js"

/**
 * How often it is written down that the rules are current. After a restart without stores the age shown is up to this
 * much too high.
 */
const NOTE_EVERY_MS = 10_000

/** When the rules of this process were last known to be current. */
export interface ConfirmedTime {
  /** Goes on from what this machine wrote down before a restart. */
  start(): Promise<void>
  /** The rules are current now. Rejects when that cannot be written down. */
  confirm(): Promise<void>
  /** Seconds since then; null when they never were on this machine. */
  ageSeconds(): number | null
}

/** Keeps the time in memory, and in the snapshots for the next start. */
export function createConfirmedTime(snapshots: RuleSnapshots, clock: Clock, attempt: Attempt): ConfirmedTime {
  let confirmedAtMs: number | null = null
  /** By a clock that nobody sets. */
  let confirmedAt = performance.now()
  let notedAtMs = 0
  return {
    start: async () => {
      confirmedAtMs = await attempt("read when flag rules were current", () => snapshots.readConfirmedAt())
    },
    confirm: async () => {
      confirmedAtMs = clock.now()
      confirmedAt = performance.now()
      if (isRecent(confirmedAtMs, notedAtMs, NOTE_EVERY_MS)) return
      notedAtMs = confirmedAtMs
      await snapshots.writeConfirmedAt(confirmedAtMs)
    },
    ageSeconds: () =>
      confirmedAtMs === null ? null : Math.max(performance.now() - confirmedAt, clock.now() - confirmedAtMs) / 1_000,
  }
}
