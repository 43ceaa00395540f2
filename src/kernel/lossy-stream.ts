import { type Stream, streamUntilLeft } from "./stream-until-left.js"

/** What a slow reader is given: an item with the number of those that were left out before it. */
export type Delivered<Item> = Item & { readonly missedBefore: number }

/** Adds items for a reader. `missedAlready` counts items that the sender had left out before these. */
export type AddItems<Item> = (items: readonly Item[], missedAlready?: number) => void

/** Ends a reader's stream with a failure, once it has read what was added before. */
export type FailStream = (failure: unknown) => void

/**
 * A stream of what a subscription adds; it ends by itself only when that fails. For a slow reader at most `maxWaiting`
 * items are kept: beyond them the oldest are left out, and counted. `return()` ends a pending `next()` and the
 * subscription, also before anything was read.
 * @param subscribe begins the subscription and returns how to end it; the stream rejects with what it throws.
 */
export async function openLossyStream<Item extends object>(
  maxWaiting: number,
  subscribe: (add: AddItems<Item>, fail: FailStream) => Promise<() => Promise<void>>,
): Promise<Stream<Delivered<Item>>> {
  const waiting: Item[] = []
  let missed = 0
  let wake = (): void => undefined
  let failed: { readonly failure: unknown } | null = null
  let hasLeft = false
  const unsubscribe = await subscribe(
    (items, missedAlready = 0) => {
      waiting.push(...items)
      missed += missedAlready + waiting.splice(0, waiting.length - maxWaiting).length
      wake()
    },
    (failure) => {
      failed = { failure }
      wake()
    },
  )
  async function* read(): AsyncGenerator<Delivered<Item>> {
    while (!hasLeft) {
      const item = waiting.shift()
      if (item !== undefined) {
        const missedBefore = missed
        missed = 0
        yield { ...item, missedBefore }
      } else if (failed !== null) throw failed.failure
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  return streamUntilLeft(read(), () => {
    hasLeft = true
    wake()
    return unsubscribe()
  })
}
