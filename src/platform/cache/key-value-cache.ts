/** Text by key with a time to live. What is absent may always be made again. */
export interface KeyValueCache {
  get(key: string): Promise<string | null>
  set(key: string, value: string, ttlSeconds: number): Promise<void>
  /** Gets and deletes at once: of those who take a key at the same time one has it. */
  take(key: string): Promise<string | null>
  delete(key: string): Promise<void>
  /** Deletes all keys that begin so, and are there all the while. Looks at every key there is: for what is rare. */
  deleteAll(prefix: string): Promise<void>
  /** About how much of this process's memory it takes, in bytes. */
  heldBytes(): number
  close(): Promise<void>
}
