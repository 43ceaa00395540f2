import { type Clock, isRecent } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"

/** How long a reader waits for a store that may be hung before it gets what is remembered. */
const PATIENCE_MS = 250
const RETRY_AFTER_SECONDS = 2
const RETRY_EVERY_MS = 1_000

/** The one rule for how old an answer from memory may be, and for what becomes of it when the store is away. */
export interface CachePolicy {
  /** Up to this age a record is answered as it is. */
  readonly ttlMs: number
  /** Up to this age it is answered while it is being read again; beyond it a reader waits for the store. */
  readonly staleWhileRevalidateMs: number
  /** Whether an even older one is answered when the store fails or takes longer than 250 ms. */
  readonly staleIfError: boolean
  /** How long it is remembered that a key has no record. */
  readonly negativeTtlMs: number
  /**
   * How long a reader waits when nothing is remembered: a hung store must not hold a request until the driver gives up.
   * Null leaves it to the driver.
   */
  readonly loadTimeoutMs: number | null
}

export interface StaleWhileRevalidateCacheOptions<Key, Value> {
  readonly load: (key: Key) => Promise<Value | null>
  readonly cachePolicy: CachePolicy
  readonly clock: Clock
  /** Beyond this the record read longest ago is dropped. */
  readonly maxEntries: number
  readonly maxNegativeEntries: number
}

/** Records of a store that are kept in memory. */
export interface StaleWhileRevalidateCache<Key, Value> {
  /** What is remembered and may be answered now; undefined when `find` has to be asked. */
  peek(key: Key): Value | null | undefined
  /**
   * Reads through to the store. When it fails or is slow: gives an old record where the rule says so, and rejects when there
   * is none.
   */
  find(key: Key): Promise<Value | null>
  /** Forgets the records for which `matches` holds, and everything about keys that were absent. */
  forget(matches: (value: Value) => boolean): void
}

interface Entry<Value> {
  readonly value: Value
  readonly loadedAtMs: number
}

/**
 * Makes an empty memory. Concurrent reads of one key share a load; a failed load is not remembered. Absence is remembered
 * apart from the records, so that a flood of made-up keys pushes no real one out.
 */
export function createStaleWhileRevalidateCache<Key, Value>(
  options: StaleWhileRevalidateCacheOptions<Key, Value>,
): StaleWhileRevalidateCache<Key, Value> {
  const { load, clock } = options
  const { ttlMs, staleWhileRevalidateMs, staleIfError, negativeTtlMs, loadTimeoutMs } = options.cachePolicy
  const records = new Map<Key, Entry<Value>>()
  const absentSinceMs = new Map<Key, number>()
  const loading = new Map<Key, Promise<Value | null>>()
  let generation = 0
  let failedAtMs: number | null = null

  const remember = (key: Key, value: Value | null): void => {
    failedAtMs = null
    if (value === null) {
      records.delete(key)
      if (negativeTtlMs > 0) put(absentSinceMs, key, clock.now(), options.maxNegativeEntries)
      return
    }
    absentSinceMs.delete(key)
    put(records, key, { value, loadedAtMs: clock.now() }, options.maxEntries)
  }
  const noteFailure = (): void => {
    failedAtMs = clock.now()
  }
  const loadOnce = (key: Key): Promise<Value | null> => {
    const running = loading.get(key)
    if (running !== undefined) return running
    const startedIn = generation
    const started = load(key)
      .then(
        (value) => {
          if (startedIn === generation) remember(key, value)
          return value
        },
        (error: unknown) => {
          noteFailure()
          throw error
        },
      )
      .finally(() => {
        if (loading.get(key) === started) loading.delete(key)
      })
    loading.set(key, started)
    return started
  }
  const refresh = (key: Key): void => {
    if (failedAtMs === null || !isRecent(clock.now(), failedAtMs, RETRY_EVERY_MS)) loadOnce(key).catch(() => undefined)
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
    refresh(key)
    return entry.value
  }

  return {
    peek,
    find: async (key) => {
      const remembered = peek(key)
      if (remembered !== undefined) return remembered
      const old = staleIfError ? records.get(key) : undefined
      if (old === undefined)
        return withPatience(loadOnce(key), loadTimeoutMs, () => {
          noteFailure()
          throw new AppError("store_unavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS })
        })
      try {
        return await withPatience(loadOnce(key), PATIENCE_MS, () => {
          noteFailure()
          return old.value
        })
      } catch {
        return old.value
      }
    },
    forget: (matches) => {
      generation++
      loading.clear()
      absentSinceMs.clear()
      for (const [key, { value }] of records) if (matches(value)) records.delete(key)
    },
  }
}

function put<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, maxSize: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > maxSize) map.delete(map.keys().next().value as Key)
}

/** The result of `work`, or of `otherwise` when `work` takes too long; its late failure is then ignored. */
async function withPatience<T>(work: Promise<T>, loadTimeoutMs: number | null, otherwise: () => T): Promise<T> {
  if (loadTimeoutMs === null) return work
  let timer: NodeJS.Timeout | undefined
  const tired = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, loadTimeoutMs)
  }).then(otherwise)
  work.catch(() => undefined)
  try {
    return await Promise.race([work, tired])
  } finally {
    clearTimeout(timer)
  }
}
