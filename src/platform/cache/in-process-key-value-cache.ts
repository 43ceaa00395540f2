import { LRUCache } from "lru-cache"
import { type Clock, isRecent } from "../../kernel/clock.js"
import type { KeyValueCache } from "./key-value-cache.js"

/** Keys and values together never hold more characters than this; the least recently used go first. */
const DEFAULT_MAX_CHARACTERS = 64 * 1024 * 1024

interface Entry {
  readonly value: string
  readonly storedAtMs: number
  readonly ttlMs: number
}

/** A bounded cache in this process's memory. A value larger than the whole bound is not kept. */
export function createInProcessKeyValueCache(clock: Clock, maxCharacters = DEFAULT_MAX_CHARACTERS): KeyValueCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: maxCharacters,
    sizeCalculation: ({ value }, key) => Math.max(1, key.length + value.length),
  })
  const read = (key: string): string | null => {
    const entry = entries.get(key)
    if (entry !== undefined && isRecent(clock.now(), entry.storedAtMs, entry.ttlMs)) return entry.value
    entries.delete(key)
    return null
  }
  return {
    get: async (key) => read(key),
    set: async (key, value, ttlSeconds) => {
      entries.set(key, { value, storedAtMs: clock.now(), ttlMs: ttlSeconds * 1000 })
    },
    take: async (key) => {
      const value = read(key)
      entries.delete(key)
      return value
    },
    delete: async (key) => {
      entries.delete(key)
    },
    deleteAll: async (prefix) => {
      for (const key of [...entries.keys()]) if (key.startsWith(prefix)) entries.delete(key)
    },
    // Nearly all of it is ASCII, of which a character takes a byte.
    heldBytes: () => entries.calculatedSize,
    close: async () => entries.clear(),
  }
}
