/** Where the time comes from. Passed in, so that tests decide what time it is. */
export interface Clock {
  /** Wall-clock milliseconds since the Unix epoch. */
  now(): number
}

/**
 * Whether less than `durationMs` has passed since `sinceMs`. A time in the future counts as passed: after the machine's
 * clock was set back, nothing that was remembered may stay for good (`docs/contract/faults.md#clocks`).
 */
export function isRecent(nowMs: number, sinceMs: number, durationMs: number): boolean {
  return nowMs >= sinceMs && nowMs - sinceMs < durationMs
}
