import { describe, expect, test } from "@jest/globals"
import { streamUntilLeft } from "../../src/kernel/stream-until-left.js"

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
  const read = (items: AsyncIterator<number, unknown>) => streamUntilLeft(items, () => source.return?.())
  return { source, doubled: read(double(source)), read, ends: () => ends }
}

async function* double(source: AsyncIterable<number>): AsyncGenerator<number> {
  for await (const item of source) yield item * 2
}

async function* only(item: number): AsyncGenerator<number> {
  yield item
}

const DONE = { done: true, value: undefined }

describe("a stream that is read until its reader leaves", () => {
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
    const { source, read, ends } = createSource([1])
    const failing = read(
      (async function* () {
        for await (const item of source) {
          if (item === 1) throw new RangeError("no item")
          yield item
        }
      })(),
    )
    await expect(failing.next()).rejects.toThrow("no item")
    expect(ends()).toBeGreaterThan(0)
    expect(await failing.next()).toEqual(DONE)
  })

  test("that ends by itself ends its source", async () => {
    const { read, ends } = createSource([1])
    const once = read(only(1))
    await once.next()
    expect(await once.next()).toEqual(DONE)
    expect(ends()).toBe(1)
  })

  test("gives nothing that was on its way when its reader left, and throws nothing", async () => {
    const { read } = createSource([])
    for (const settle of ["resolve", "reject"] as const) {
      const late = Promise.withResolvers<IteratorResult<number>>()
      const stream = read({ next: () => late.promise })
      const pending = stream.next()
      await stream.return()
      if (settle === "resolve") late.resolve({ done: false, value: 1 })
      else late.reject(new RangeError("too late"))
      expect(await pending).toEqual(DONE)
    }
  })
})
