import { LRUCache } from "lru-cache"
import { type Clock, isRecent } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"

/** How long a reader waits for a store that may hang before it gets a stale record. */
const STALE_IF_ERROR_TIMEOUT_MS = 250
const RETRY_AFTER_SECONDS = 2
const RETRY_EVERY_MS = 1_000
const DEFAULT_MAX_NEGATIVE_ENTRIES = 10_000

/** How old a cached record may be answered, and what becomes of it when the store fails. The words are those of HTTP caching. */
export interface CachePolicy {
  /** Up to this age a record is fresh: it is answered as it is. */
  readonly ttlMs: number
  /** Up to this age it is answered while it is loaded again; a reader of an older one waits for the store. */
  readonly staleWhileRevalidateMs: number
  /** Whether an even older one is answered when the store fails or takes longer than 250 ms. */
  readonly staleIfError: boolean
  /** How long it is cached that a key has no record; 0 for not at all. */
  readonly negativeTtlMs: number
  /**
   * How long a reader waits when nothing is cached: a hung store must not hold a request until the driver gives up.
   * Null leaves it to the driver.
   */
  readonly loadTimeoutMs: number | null
}

export interface StaleWhileRevalidateCacheOptions<Key, Value> {
  readonly load: (key: Key) => Promise<Value | null>
  readonly cachePolicy: CachePolicy
  readonly clock: Clock
  /** Beyond this the least recently used record is dropped. */
  readonly maxEntries: number
  readonly maxNegativeEntries?: number
}

/** Records of a store that are kept in memory. */
export interface StaleWhileRevalidateCache<Key, Value> {
  /** The record, or null for a key without one, as far as it may be answered now; undefined when `find` has to be asked. */
  peek(key: Key): Value | null | undefined
  /** Whether there is a record, however old: keys that were never found are looked up less readily. */
  has(key: Key): boolean
  /**
   * Reads through to the store. When it fails or hangs: answers a stale record where the policy allows it, and rejects
   * otherwise, with AppError store_unavailable after the load timeout.
   */
  find(key: Key): Promise<Value | null>
  /** Drops the records for which `matches` holds, and everything about keys that were absent. */
  invalidate(matches: (value: Value) => boolean): void
}

interface Entry<Value> {
  readonly value: Value
  readonly loadedAtMs: number
}

/**
 * Makes an empty cache. Concurrent reads of one key share a load; a failed load is not cached. Absence is cached apart from
 * the records, so that a flood of made-up keys pushes no real one out. That is also why loads are not `lru-cache`'s own
 * `fetch`: it takes an entry of the cache while it runs.
 */
export function createStaleWhileRevalidateCache<Key extends {}, Value>(
  options: StaleWhileRevalidateCacheOptions<Key, Value>,
): StaleWhileRevalidateCache<Key, Value> {
  const { load, clock, maxEntries, maxNegativeEntries = DEFAULT_MAX_NEGATIVE_ENTRIES } = options
  const { ttlMs, staleWhileRevalidateMs, staleIfError, negativeTtlMs, loadTimeoutMs } = options.cachePolicy
  // Counted as sizes: with `max` the memory for all entries would be taken at once.
  const records = new LRUCache<Key, Entry<Value>>({ maxSize: maxEntries, sizeCalculation: () => 1 })
  const absentSinceMs = new LRUCache<Key, number>({ maxSize: maxNegativeEntries, sizeCalculation: () => 1 })
  const loading = new Map<Key, Promise<Value | null>>()
  let generation = 0
  let failedAtMs: number | null = null

  const store = (key: Key, value: Value | null): void => {
    failedAtMs = null
    if (value !== null) records.set(key, { value, loadedAtMs: clock.now() })
    else {
      records.delete(key)
      if (negativeTtlMs > 0) absentSinceMs.set(key, clock.now())
    }
  }
  const noteFailure = (): void => {
    failedAtMs = clock.now()
  }
  const loadOnce = (key: Key): Promise<Value | null> => {
    const underWay = loading.get(key)
    if (underWay !== undefined) return underWay
    const startedIn = generation
    const loaded = load(key)
      .then((value) => {
        if (startedIn === generation) store(key, value)
        return value
      })
      .finally(() => {
        if (loading.get(key) === loaded) loading.delete(key)
      })
    loading.set(key, loaded)
    return loaded
  }

  const peek = (key: Key): Value | null | undefined => {
    const nowMs = clock.now()
    const entry = records.get(key)
    if (entry === undefined) {
      const sinceMs = absentSinceMs.get(key)
      return sinceMs !== undefined && isRecent(nowMs, sinceMs, negativeTtlMs) ? null : undefined
    }
    if (isRecent(nowMs, entry.loadedAtMs, ttlMs)) return entry.value
    const isAnswered =
      isRecent(nowMs, entry.loadedAtMs, staleWhileRevalidateMs) || (staleIfError && failedAtMs !== null)
    if (!isAnswered) return undefined
    if (failedAtMs === null || !isRecent(nowMs, failedAtMs, RETRY_EVERY_MS)) loadOnce(key).catch(noteFailure)
    return entry.value
  }

  return {
    peek,
    has: (key) => records.has(key),
    find: async (key) => {
      const cached = peek(key)
      if (cached !== undefined) return cached
      const stale = staleIfError ? records.get(key) : undefined
      try {
        return await withTimeout(loadOnce(key), stale === undefined ? loadTimeoutMs : STALE_IF_ERROR_TIMEOUT_MS)
      } catch (error) {
        noteFailure()
        if (stale === undefined) throw error
        return stale.value
      }
    },
    invalidate: (matches) => {
      generation++
      loading.clear()
      absentSinceMs.clear()
      for (const [key, { value }] of records.entries()) if (matches(value)) records.delete(key)
    },
  }
}

/** Rejects with AppError store_unavailable when `work` takes too long; its late outcome is then ignored. */
function withTimeout<T>(work: Promise<T>, timeoutMs: number | null): Promise<T> {
  if (timeoutMs === null) return work
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const fault = new AppError("store_unavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS })
  const timer = setTimeout(() => reject(fault), timeoutMs)
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
