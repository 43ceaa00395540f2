import { type Clock, isRecent } from "../../kernel/clock.js"
import type { KeyValueCache } from "./key-value-cache.js"

const DEFAULT_MAX_CHARACTERS = 64 * 1024 * 1024

interface Entry {
  readonly value: string
  readonly storedAtMs: number
  readonly ttlMs: number
}

export interface InProcessCacheOptions {
  readonly clock: Clock
  /** Keys and values together never hold more characters than this; the least recently used go first. */
  readonly maxCharacters?: number
}

/** A bounded cache in this process's memory. A value larger than the whole bound is not kept. */
export function createInProcessKeyValueCache(options: InProcessCacheOptions): KeyValueCache {
  const { clock, maxCharacters = DEFAULT_MAX_CHARACTERS } = options
  const entries = new Map<string, Entry>()
  let characters = 0

  const remove = (key: string): void => {
    const entry = entries.get(key)
    if (entry === undefined) return
    entries.delete(key)
    characters -= key.length + entry.value.length
  }
  const put = (key: string, entry: Entry): void => {
    remove(key)
    entries.set(key, entry)
    characters += key.length + entry.value.length
    for (const oldest of entries.keys()) {
      if (characters <= maxCharacters) break
      remove(oldest)
    }
  }

  return {
    get: async (key) => {
      const entry = entries.get(key)
      if (entry === undefined) return null
      if (!isRecent(clock.now(), entry.storedAtMs, entry.ttlMs)) {
        remove(key)
        return null
      }
      put(key, entry)
      return entry.value
    },
    set: async (key, value, ttlSeconds) => put(key, { value, storedAtMs: clock.now(), ttlMs: ttlSeconds * 1000 }),
    delete: async (key) => remove(key),
    close: async () => {
      entries.clear()
      characters = 0
    },
  }
}
