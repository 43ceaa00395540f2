import { Repeater } from "@graphql-yoga/subscription"

/** What a slow reader is given: an item with the number of those that were left out before it. */
export type Delivered<Item> = Item & { readonly missedBefore: number }

/** Adds items for a reader. `missedAlready` counts items that the sender had left out before these. */
export type AddItems<Item> = (items: readonly Item[], missedAlready?: number) => void

/**
 * A stream of what a subscription adds; it never ends by itself. For a slow reader at most `maxWaiting` items are kept: beyond them
 * the oldest are left out, and counted. `return()` ends a pending `next()` and the subscription, also before anything was read.
 * @param subscribe begins the subscription and returns how to end it; the stream rejects with what it throws.
 */
export async function openLossyStream<Item extends object>(
  maxWaiting: number,
  subscribe: (add: AddItems<Item>) => Promise<() => Promise<void>>,
): Promise<Repeater<Delivered<Item>>> {
  const waiting: Item[] = []
  let missed = 0
  let wake = (): void => undefined
  const unsubscribe = await subscribe((items, missedAlready = 0) => {
    waiting.push(...items)
    missed += missedAlready + waiting.splice(0, waiting.length - maxWaiting).length
    wake()
  })
  const stream = new Repeater<Delivered<Item>>(async (push, stop) => {
    let hasEnded = false
    void stop.then(() => {
      hasEnded = true
      wake()
    })
    // A repeater begins with its first read. That one is made below, so that a reader who never reads ends the subscription too.
    await push(undefined as never)
    while (!hasEnded) {
      const item = waiting.shift()
      if (item === undefined) await new Promise<void>((resolve) => (wake = resolve))
      else {
        const missedBefore = missed
        missed = 0
        await push({ ...item, missedBefore })
      }
    }
    await unsubscribe()
  })
  await stream.next()
  return stream
}
