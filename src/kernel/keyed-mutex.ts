/** A mutex per key: work under one key runs one after the other, in call order; a failure does not stop the next. */
export function createKeyedMutex<Key>(): <Result>(key: Key, work: () => Promise<Result>) => Promise<Result> {
  const tails = new Map<Key, Promise<unknown>>()
  return (key, work) => {
    const previous = tails.get(key) ?? Promise.resolve()
    const current = previous.catch(() => undefined).then(work)
    tails.set(key, current)
    const release = (): void => {
      if (tails.get(key) === current) tails.delete(key)
    }
    current.then(release, release)
    return current
  }
}
