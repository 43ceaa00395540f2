import type { CrashPoint, CrashPoints } from "../../kernel/crash-points.js"

/** Where to die, and at which time of passing there, counted from 1. */
export interface PlannedCrash {
  readonly point: CrashPoint
  readonly occurrence: number
}

/** Ends this process as `kill -9` does: no handler runs, nothing is flushed. */
export function createCrashPoints({ point, occurrence }: PlannedCrash): CrashPoints {
  let passed = 0
  return {
    hit: (reached) => {
      if (reached !== point) return
      passed += 1
      if (passed === occurrence) process.kill(process.pid, "SIGKILL")
    },
  }
}
