import { AppError } from "../../kernel/errors.js"

export interface BatchedLookUpsOptions<Key, Value> {
  /** Reads the records of several keys at once; a key without one is left out. */
  readonly findMany: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>
  /** Keys of one read. */
  readonly maxBatch: number
  /** Keys that may wait for their read; more are refused. */
  readonly maxWaiting: number
}

interface LookUp<Key, Value> {
  readonly key: Key
  readonly resolve: (value: Value | null) => void
  readonly reject: (fault: unknown) => void
}

const RETRY_AFTER_SECONDS = 2

/**
 * Looks keys up with one read of the store at a time: what is asked for meanwhile waits for the next, which reads many at once. So
 * any number of callers takes one connection, and the more there are the less each costs.
 */
export class BatchedLookUps<Key, Value> {
  readonly #options: BatchedLookUpsOptions<Key, Value>
  #waiting: LookUp<Key, Value>[] = []
  #isReading = false

  constructor(options: BatchedLookUpsOptions<Key, Value>) {
    this.#options = options
  }

  /** The record of a key, null when it has none. @throws AppError store_unavailable when too many wait; else what the read throws. */
  find(key: Key): Promise<Value | null> {
    if (this.#waiting.length >= this.#options.maxWaiting)
      return Promise.reject(new AppError("store_unavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS }))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject })
      if (!this.#isReading) void this.#readAll()
    })
  }

  async #readAll(): Promise<void> {
    this.#isReading = true
    while (this.#waiting.length > 0) await this.#read(this.#waiting.splice(0, this.#options.maxBatch))
    this.#isReading = false
  }

  /** Never rejects: each look-up has its own outcome. */
  async #read(lookUps: readonly LookUp<Key, Value>[]): Promise<void> {
    try {
      const found = await this.#options.findMany(lookUps.map(({ key }) => key))
      for (const { key, resolve } of lookUps) resolve(found.get(key) ?? null)
    } catch (fault) {
      for (const { reject } of lookUps) reject(fault)
    }
  }
}
