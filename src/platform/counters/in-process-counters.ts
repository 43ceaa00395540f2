import { type Clock, isRecent } from "../../kernel/clock.js"
import type { Counters } from "./counters.js"

const DEFAULT_MAX_COUNTERS = 100_000

interface Counter {
  value: number
  readonly openedAtMs: number
  readonly windowMs: number
}

export interface InProcessCountersOptions {
  readonly clock: Clock
  /** Counters kept at once; beyond it the oldest are forgotten, so that made-up keys cannot fill the memory. */
  readonly maxCounters?: number
}

/** Counters in this process's memory. */
export function createInProcessCounters(options: InProcessCountersOptions): Counters {
  const { clock, maxCounters = DEFAULT_MAX_COUNTERS } = options
  const counters = new Map<string, Counter>()

  const live = (key: string): Counter | null => {
    const counter = counters.get(key)
    if (counter === undefined) return null
    if (isRecent(clock.now(), counter.openedAtMs, counter.windowMs)) return counter
    counters.delete(key)
    return null
  }

  return {
    increment: async (key, by, windowSeconds) => {
      const counter = live(key) ?? { value: 0, openedAtMs: clock.now(), windowMs: windowSeconds * 1000 }
      counter.value += by
      counters.set(key, counter)
      if (counters.size > maxCounters) counters.delete(counters.keys().next().value as string)
      return counter.value
    },
    read: async (key) => live(key)?.value ?? 0,
    close: async () => counters.clear(),
  }
}
