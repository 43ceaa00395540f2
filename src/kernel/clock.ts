/** Where the time comes from. Passed in, so that tests decide what time it is. */
export interface Clock {
  /** Wall-clock milliseconds since the Unix epoch. */
  now(): number
}
