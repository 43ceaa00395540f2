import type { QuerySchema } from "./query-schema.types.js"

/** A schema that knows whether anything was asked of it that changes from one moment to the next: cohorts and group types. */
export interface WatchedSchema {
  readonly schema: QuerySchema
  wasAskedForWhatChanges(): boolean
}

/** Watches one use of a schema. What is looked for and not there counts as well. */
export function watchSchema(schema: QuerySchema): WatchedSchema {
  let wasAsked = false
  const note = (): void => {
    wasAsked = true
  }
  const watched = {
    groupTypes: new WatchedMap(schema.groupTypes, note),
    cohorts: new WatchedMap(schema.cohorts, note),
    cohortsById: new WatchedMap(schema.cohortsById, note),
  }
  return { schema: { ...schema, ...watched }, wasAskedForWhatChanges: () => wasAsked }
}

class WatchedMap<Key, Value> implements ReadonlyMap<Key, Value> {
  constructor(
    private readonly inner: ReadonlyMap<Key, Value>,
    private readonly note: () => void,
  ) {}

  get size(): number {
    return this.asked().size
  }
  get(key: Key): Value | undefined {
    return this.asked().get(key)
  }
  has(key: Key): boolean {
    return this.asked().has(key)
  }
  forEach(use: (value: Value, key: Key, map: ReadonlyMap<Key, Value>) => void): void {
    for (const [key, value] of this.asked()) use(value, key, this)
  }
  entries(): MapIterator<[Key, Value]> {
    return this.asked().entries()
  }
  keys(): MapIterator<Key> {
    return this.asked().keys()
  }
  values(): MapIterator<Value> {
    return this.asked().values()
  }
  [Symbol.iterator](): MapIterator<[Key, Value]> {
    return this.entries()
  }

  private asked(): ReadonlyMap<Key, Value> {
    this.note()
    return this.inner
  }
}
