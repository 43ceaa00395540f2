import { Repeater } from "@graphql-yoga/subscription"

/** Hands an item to the reader; resolves when the reader asks for the next one. */
export type Push<Item> = (item: Item) => Promise<unknown>

/** Ends the source; does nothing the second time. */
export type EndSource = () => Promise<void>

/**
 * A stream that `run` makes of a source. Unlike that of an async generator its `return()` does not wait for a pending
 * `next()`: it ends the source, also before anything was read, and nothing that is pushed afterwards arrives. The source ends
 * with `run` too. What `run` throws is thrown to the reader.
 */
export function repeatFrom<Item>(
  source: AsyncIterator<unknown>,
  run: (push: Push<Item>, end: EndSource) => Promise<void>,
): Repeater<Item, undefined> {
  let ending: Promise<void> | null = null
  const end = (): Promise<void> => {
    ending ??= Promise.resolve(source.return?.()).then(() => undefined)
    return ending
  }
  const repeater = new Repeater<Item, undefined>(async (push, stop) => {
    void stop.then(end)
    try {
      await run(push, end)
    } finally {
      stop()
    }
    return undefined
  })
  const returnAtOnce = repeater.return.bind(repeater)
  return Object.assign(repeater, {
    return: async () => {
      const returned = returnAtOnce()
      // A repeater that nobody has read from has not begun, so that nothing else would end its source.
      await end()
      return returned
    },
  })
}
