/**
 * Makes work that many ask for at once run one after another per key, and share a run that has not begun yet: it will see
 * everything that was done before it was asked for. Rejects as the run does.
 */
export function createSharedRuns<Key>(run: (key: Key) => Promise<void>): (key: Key) => Promise<void> {
  const running = new Map<Key, Promise<void>>()
  const waiting = new Map<Key, Promise<void>>()

  const begin = (key: Key): Promise<void> => {
    waiting.delete(key)
    const work = run(key).finally(() => {
      if (running.get(key) === work) running.delete(key)
    })
    running.set(key, work)
    return work
  }

  return (key) => {
    const next = waiting.get(key)
    if (next !== undefined) return next
    const before = running.get(key)
    if (before === undefined) return begin(key)
    const after = before.catch(() => undefined).then(() => begin(key))
    waiting.set(key, after)
    return after
  }
}
