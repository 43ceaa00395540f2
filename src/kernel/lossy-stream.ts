/** What a slow reader is given: an item with the number of those that were left out before it. */
export type Delivered<Item> = Item & { readonly missedBefore: number }

/**
 * A stream of items that never ends by itself. For a slow reader at most `maxWaiting` items are kept: beyond them the oldest are
 * left out, and counted. `return()` ends a pending `next()` at once and calls `leave` (an async generator would wait for the next
 * item and keep the subscription of a client that has left).
 */
export function createLossyStream<Item extends object>(maxWaiting: number, leave: () => Promise<void>) {
  const waiting: Item[] = []
  let missed = 0
  let ended = false
  let wake: () => void = () => undefined

  async function end(): Promise<IteratorResult<Delivered<Item>>> {
    if (!ended) {
      ended = true
      waiting.length = 0
      wake()
      await leave()
    }
    return { done: true, value: undefined }
  }

  const stream: AsyncIterableIterator<Delivered<Item>> = {
    async next() {
      while (!ended && waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      const item = waiting.shift()
      if (item === undefined) return { done: true, value: undefined }
      const missedBefore = missed
      missed = 0
      return { done: false, value: { ...item, missedBefore } }
    },
    return: end,
    [Symbol.asyncIterator]() {
      return this
    },
  }

  return {
    stream,
    /** Adds items for the reader. `missedAlready` counts items that the sender had left out before these. */
    add(items: readonly Item[], missedAlready = 0): void {
      if (ended) return
      waiting.push(...items)
      const tooMany = Math.max(0, waiting.length - maxWaiting)
      waiting.splice(0, tooMany)
      missed += missedAlready + tooMany
      if (waiting.length > 0) wake()
    },
  }
}
