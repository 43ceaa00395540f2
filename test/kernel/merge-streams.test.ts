import { expect, test } from "@jest/globals"
import { mergeStreams } from "../../src/kernel/merge-streams.js"
import { streamUntilLeft } from "../../src/kernel/stream-until-left.js"

/** A stream of what is sent to it. */
function openSent<Item>() {
  const read: Item[] = []
  let sent: (Item | null | Error)[] = []
  let wake = (): void => undefined
  let isLeft = false
  async function* give(): AsyncGenerator<Item> {
    for (;;) {
      const item = sent.shift()
      if (item === undefined) await new Promise<void>((resolve) => (wake = resolve))
      else if (item === null) return
      else if (item instanceof Error) throw item
      else {
        read.push(item)
        yield item
      }
    }
  }
  const send = (...items: (Item | null | Error)[]): void => {
    sent = [...sent, ...items]
    wake()
  }
  const stream = streamUntilLeft(give(), async () => {
    isLeft = true
    send(null)
  })
  return { stream, send, read, isLeft: () => isLeft }
}

test("the items of all streams come as they are sent, and the end when all have ended", async () => {
  const [left, right] = [openSent<string>(), openSent<string>()]
  const merged = mergeStreams([left.stream, right.stream])
  right.send("a")
  expect(await merged.next()).toEqual({ done: false, value: "a" })
  const next = merged.next()
  left.send("b", null)
  expect(await next).toEqual({ done: false, value: "b" })
  right.send("c", null)
  expect(await merged.next()).toEqual({ done: false, value: "c" })
  expect((await merged.next()).done).toBe(true)
})

test("a busy stream keeps none of the others waiting, and is read no further than its reader is", async () => {
  const [busy, quiet] = [openSent<number>(), openSent<number>()]
  const merged = mergeStreams([busy.stream, quiet.stream])
  busy.send(1, 2, 3, 4)
  quiet.send(100)
  const taken = [(await merged.next()).value, (await merged.next()).value]
  expect(taken.toSorted()).toEqual([1, 100])
  expect(busy.read).not.toContain(4)
})

test("a reader that leaves ends a pending item, and every stream", async () => {
  const [left, right] = [openSent<string>(), openSent<string>()]
  const merged = mergeStreams([left.stream, right.stream])
  const pending = merged.next()
  await merged.return()
  expect((await pending).done).toBe(true)
  expect([left.isLeft(), right.isLeft()]).toEqual([true, true])
})

test("what one stream throws is thrown, and ends the others", async () => {
  const [left, right] = [openSent<string>(), openSent<string>()]
  const merged = mergeStreams([left.stream, right.stream])
  left.send(new Error("gone"))
  await expect(merged.next()).rejects.toThrow("gone")
  expect(right.isLeft()).toBe(true)
})

test("of no streams is over at once", async () => {
  expect((await mergeStreams([]).next()).done).toBe(true)
})
