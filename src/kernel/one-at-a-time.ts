/** Runs work of the same key one after the other, in the order in which it is asked for; a failure does not stop the next. */
export function createQueues<Key>(): <Result>(key: Key, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<Key, Promise<unknown>>()
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.catch(() => undefined).then(work)
    last.set(key, mine)
    const leave = (): void => {
      if (last.get(key) === mine) last.delete(key)
    }
    mine.then(leave, leave)
    return mine
  }
}
