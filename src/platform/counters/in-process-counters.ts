import { LRUCache } from "lru-cache"
import { type Clock, isRecent } from "../../kernel/clock.js"
import type { Counters } from "./counters.js"

/** Beyond it the least recently used are dropped, so that made-up keys cannot fill the memory. */
const DEFAULT_MAX_COUNTERS = 100_000

interface Counter {
  value: number
  readonly openedAtMs: number
  readonly windowMs: number
}

/** Counters in this process's memory. */
export function createInProcessCounters(clock: Clock, maxCounters = DEFAULT_MAX_COUNTERS): Counters {
  const counters = new LRUCache<string, Counter>({ maxSize: maxCounters, sizeCalculation: () => 1 })

  const findOpen = (key: string): Counter | undefined => {
    const counter = counters.get(key)
    return counter && isRecent(clock.now(), counter.openedAtMs, counter.windowMs) ? counter : undefined
  }

  return {
    increment: async (key, by, windowSeconds) => {
      const open = findOpen(key)
      const counter = open ?? { value: 0, openedAtMs: clock.now(), windowMs: windowSeconds * 1000 }
      counter.value += by
      if (open === undefined) counters.set(key, counter)
      return counter.value
    },
    read: async (key) => findOpen(key)?.value ?? 0,
    close: async () => counters.clear(),
  }
}
