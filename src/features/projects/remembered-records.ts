import { type Clock, isRecent } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"

/** Up to this age a record is answered as it is. */
const FRESH_MS = 10_000
/** Up to this age it is answered while it is being read again; beyond it only when the store does not answer. */
const USABLE_MS = 30_000
const ABSENT_MS = 5_000
/** How long a reader waits for a store that may be hung before it gets what is remembered. */
const PATIENCE_MS = 250
/** How long when nothing is remembered. A hung store must not hold a client's request until the driver gives up on it. */
const LAST_PATIENCE_MS = 3_000
const RETRY_AFTER_SECONDS = 2
const RETRY_EVERY_MS = 1_000

export interface RememberedRecordsOptions<Key, Value> {
  readonly load: (key: Key) => Promise<Value | null>
  readonly clock: Clock
  readonly maxRecords: number
  readonly maxAbsent: number
}

/** Records of a store that are kept in memory and outlive an outage of the store. */
export interface RememberedRecords<Key, Value> {
  /** What is remembered and may be answered now; undefined when `find` has to be asked. */
  peek(key: Key): Value | null | undefined
  /** Reads through to the store; gives an old record when the store fails or is slow, and rejects when there is none. */
  find(key: Key): Promise<Value | null>
  /** Forgets the records for which `matches` holds, and everything about keys that were absent. */
  forget(matches: (value: Value) => boolean): void
}

interface Entry<Value> {
  readonly value: Value
  readonly loadedAtMs: number
}

/**
 * Makes an empty memory. Concurrent reads of one key share a load. Absence is remembered for 5 s and apart from the
 * records, so that a flood of made-up keys pushes no real one out.
 */
export function createRememberedRecords<Key, Value>(
  options: RememberedRecordsOptions<Key, Value>,
): RememberedRecords<Key, Value> {
  const { load, clock } = options
  const records = new Map<Key, Entry<Value>>()
  const absentSinceMs = new Map<Key, number>()
  const loading = new Map<Key, Promise<Value | null>>()
  let generation = 0
  let failedAtMs: number | null = null

  const remember = (key: Key, value: Value | null): void => {
    failedAtMs = null
    if (value === null) {
      records.delete(key)
      put(absentSinceMs, key, clock.now(), options.maxAbsent)
      return
    }
    absentSinceMs.delete(key)
    put(records, key, { value, loadedAtMs: clock.now() }, options.maxRecords)
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
      return sinceMs !== undefined && isRecent(nowMs, sinceMs, ABSENT_MS) ? null : undefined
    }
    if (isRecent(nowMs, entry.loadedAtMs, FRESH_MS)) return entry.value
    if (!isRecent(nowMs, entry.loadedAtMs, USABLE_MS) && failedAtMs === null) return undefined
    refresh(key)
    return entry.value
  }

  return {
    peek,
    find: async (key) => {
      const remembered = peek(key)
      if (remembered !== undefined) return remembered
      const old = records.get(key)
      if (old === undefined)
        return withPatience(loadOnce(key), LAST_PATIENCE_MS, () => {
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

/** The answer of `work`, or what `otherwise` gives when it takes too long; a late failure of `work` is then of no interest. */
async function withPatience<T>(work: Promise<T>, patienceMs: number, otherwise: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tired = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs)
  }).then(otherwise)
  work.catch(() => undefined)
  try {
    return await Promise.race([work, tired])
  } finally {
    clearTimeout(timer)
  }
}
