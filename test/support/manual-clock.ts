import type { Clock } from "../../src/kernel/clock.js"

/** A clock that tests move. */
export interface ManualClock extends Clock {
  /** Moves the time forward (or back, when negative). */
  advance(ms: number): void
}

/** A clock that stands still until it is moved; for tests and replays. `startMs` is milliseconds since the epoch. */
export function createManualClock(startMs: number): ManualClock {
  let nowMs = startMs
  return {
    now: () => nowMs,
    advance: (ms) => {
      nowMs += ms
    },
  }
}
