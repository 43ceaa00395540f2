/** What a reader follows for as long as it likes. */
export interface Stream<Item> extends AsyncIterableIterator<Item, undefined> {
  return(): Promise<IteratorReturnResult<undefined>>
  [Symbol.asyncIterator](): Stream<Item>
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined }

/**
 * Gives the items until the reader leaves. The `return()` of an async generator waits for a pending `next()`; that of
 * this stream does not: it calls `leave`, also before anything was read, and no item arrives afterwards.
 * @param leave ends what the items are made of, so that a pending item does not come; called once, also when the items
 * are over or fail. What the items throw is thrown to a reader that has not left.
 */
export function streamUntilLeft<Item>(
  items: AsyncIterator<Item, unknown>,
  leave: () => Promise<unknown> | undefined,
): Stream<Item> {
  let leaving: Promise<unknown> | null = null
  const end = async (): Promise<IteratorReturnResult<undefined>> => {
    leaving ??= Promise.resolve(leave())
    await leaving
    return DONE
  }
  return {
    next: async () => {
      if (leaving !== null) return end()
      try {
        const next = await items.next()
        if (leaving === null && !next.done) return next
      } catch (failure) {
        const hasLeft = leaving !== null
        await end()
        if (!hasLeft) throw failure
      }
      return end()
    },
    return: end,
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
