import { describe, expect, test } from "@jest/globals"
import { type AddItems, openLossyStream } from "../../src/kernel/lossy-stream.js"

interface Numbered {
  readonly number: number
}

const numbered = (...numbers: number[]): Numbered[] => numbers.map((number) => ({ number }))

async function openStream(maxWaiting: number) {
  let add: AddItems<Numbered> = () => undefined
  let endings = 0
  const stream = await openLossyStream<Numbered>(maxWaiting, async (given) => {
    add = given
    return async () => {
      endings += 1
    }
  })
  return {
    stream,
    add: (items: readonly Numbered[], missed?: number) => add(items, missed),
    readEndings: () => endings,
  }
}

describe("a stream for readers that may be slow", () => {
  test("gives what was added before it was read, and what comes later", async () => {
    const { stream, add } = await openStream(2)
    add(numbered(1))
    expect((await stream.next()).value).toEqual({ number: 1, missedBefore: 0 })
    const pending = stream.next()
    add(numbered(2))
    expect((await pending).value).toEqual({ number: 2, missedBefore: 0 })
  })

  test("leaves out the oldest beyond its bound, and counts them with those that the sender left out", async () => {
    const { stream, add } = await openStream(2)
    add(numbered(1, 2, 3), 5)
    add(numbered(4))
    expect((await stream.next()).value).toEqual({ number: 3, missedBefore: 7 })
    expect((await stream.next()).value).toEqual({ number: 4, missedBefore: 0 })
  })

  test("ends the subscription of a reader who leaves before reading anything", async () => {
    const { stream, readEndings } = await openStream(2)
    await stream.return()
    expect(readEndings()).toBe(1)
    expect(await stream.next()).toEqual({ done: true, value: undefined })
  })

  test("ends a pending read, and the subscription once, when its reader leaves", async () => {
    const { stream, add, readEndings } = await openStream(2)
    const pending = stream.next()
    await Promise.all([stream.return(), stream.return()])
    add(numbered(1))
    expect(await pending).toEqual({ done: true, value: undefined })
    expect(readEndings()).toBe(1)
  })

  test("cannot be opened when the subscription fails", async () => {
    await expect(openLossyStream(1, () => Promise.reject(new Error("away")))).rejects.toThrow("away")
  })
})
