import { type Clock, isRecent } from "../../kernel/clock.js"

export interface LoadingCacheOptions<Key, Value> {
  readonly load: (key: Key) => Promise<Value | null>
  readonly clock: Clock
  readonly ttlMs: number
  /** Beyond this the entry loaded longest ago is dropped. */
  readonly maxEntries: number
}

/** Loads by key and remembers what was found for a while. Absence is not remembered. */
export interface LoadingCache<Key, Value> {
  get(key: Key): Promise<Value | null>
  /** Forgets everything; a load that is under way is answered but not remembered. */
  clear(): void
}

/** Makes an empty cache. Concurrent reads of one key share a load; a failed load is not remembered. */
export function createLoadingCache<Key, Value>(options: LoadingCacheOptions<Key, Value>): LoadingCache<Key, Value> {
  const { load, clock, ttlMs, maxEntries } = options
  let entries = new Map<Key, { value: Value; loadedAtMs: number }>()
  let loading = new Map<Key, Promise<Value | null>>()

  const remember = (key: Key, value: Value, into: typeof entries): void => {
    into.delete(key)
    into.set(key, { value, loadedAtMs: clock.now() })
    if (into.size > maxEntries) into.delete(into.keys().next().value as Key)
  }
  const start = (key: Key): Promise<Value | null> => {
    const [target, underWay] = [entries, loading]
    const loaded = load(key)
      .then((value) => {
        if (value !== null) remember(key, value, target)
        return value
      })
      .finally(() => underWay.delete(key))
    underWay.set(key, loaded)
    return loaded
  }

  return {
    get: (key) => {
      const entry = entries.get(key)
      if (entry !== undefined && isRecent(clock.now(), entry.loadedAtMs, ttlMs)) return Promise.resolve(entry.value)
      entries.delete(key)
      return loading.get(key) ?? start(key)
    },
    clear: () => {
      entries = new Map()
      loading = new Map()
    },
  }
}
