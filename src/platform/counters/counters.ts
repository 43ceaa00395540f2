/** Counters that expire: rate limits and quotas. */
export interface Counters {
  /** Adds to a counter and returns its new value; a new counter lives `windowSeconds` from its first increment. */
  increment(key: string, by: number, windowSeconds: number): Promise<number>
  /** Current value, 0 when the counter does not exist. */
  read(key: string): Promise<number>
  close(): Promise<void>
}
