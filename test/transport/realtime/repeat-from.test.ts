import { describe, expect, test } from "@jest/globals"
import { repeatFrom } from "../../../src/transport/realtime/repeat-from.js"

/** A source that gives these items and then nothing until it is ended. */
function createSource(items: readonly number[]) {
  const waiting = Promise.withResolvers<IteratorResult<number>>()
  const left = [...items]
  let ends = 0
  const source: AsyncIterableIterator<number> = {
    next: async () => {
      const value = left.shift()
      return value === undefined ? waiting.promise : { done: false, value }
    },
    return: async () => {
      ends += 1
      waiting.resolve({ done: true, value: undefined })
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
  const doubled = repeatFrom<number>(source, async (push) => {
    for await (const item of source) await push(item * 2)
  })
  return { doubled, ends: () => ends }
}

const DONE = { done: true, value: undefined }

describe("a stream from a source", () => {
  test("gives what is made of the items, one after the other", async () => {
    const { doubled } = createSource([1, 2])
    expect(await doubled.next()).toEqual({ done: false, value: 2 })
    expect(await doubled.next()).toEqual({ done: false, value: 4 })
  })

  test("is left at once by a reader that waits, and its source is told to end once", async () => {
    const { doubled, ends } = createSource([])
    const pending = doubled.next()
    expect(await doubled.return()).toEqual(DONE)
    expect(await pending).toEqual(DONE)
    expect(ends()).toBe(1)
  })

  test("ends its source also when nobody has read from it", async () => {
    const { doubled, ends } = createSource([1])
    await doubled.return()
    expect(ends()).toBe(1)
    expect(await doubled.next()).toEqual(DONE)
  })

  test("throws to its reader what making an item throws, and ends its source", async () => {
    const { doubled: source, ends } = createSource([1])
    const failing = repeatFrom<number>(source, async () => {
      for await (const _ of source) throw new RangeError("no item")
    })
    await expect(failing.next()).rejects.toThrow("no item")
    expect(ends()).toBe(1)
    expect(await failing.next()).toEqual(DONE)
  })

  test("that ends by itself ends its source", async () => {
    const { doubled: source, ends } = createSource([1])
    const once = repeatFrom<number>(source, async (push) => {
      await push(1)
    })
    await once.next()
    expect(await once.next()).toEqual(DONE)
    expect(ends()).toBe(1)
  })
})
