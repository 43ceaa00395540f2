import { describe, expect, test } from "@jest/globals"
import { AppError } from "../../src/kernel/errors.js"
import { OrderedFeeds, type OrderedStore } from "../../src/kernel/ordered-feed.js"
import { isBeyond, type Place } from "../../src/kernel/place.js"

interface Item {
  readonly text: string
  readonly place: Place
}

const MAX_WAITING = 5

/** A store in memory of which at most `mostRead` items are read at once. */
function createStore({ mostRead = 100 } = {}) {
  const items: Item[] = []
  const listeners = new Set<() => void>()
  let last: Place = [0, 0]
  let reads = 0
  let failure: Error | null = null
  let unreadable: Error | null = null
  const store: OrderedStore<Item> = {
    findLast: async () => {
      if (failure !== null) throw failure
      return last
    },
    read: async (after, upTo) => {
      reads += 1
      if (unreadable !== null) throw unreadable
      const found = items.filter(({ place }) => isBeyond(place, after) && !isBeyond(place, upTo))
      return { items: found.slice(-mostRead), missed: Math.max(0, found.length - mostRead) }
    },
    onMore: async (listener) => {
      listeners.add(listener)
      return async () => void listeners.delete(listener)
    },
  }
  return {
    store,
    listeners,
    countReads: () => reads,
    fail: (next: Error | null) => {
      failure = next
    },
    failReads: (next: Error | null) => {
      unreadable = next
    },
    /** Stores a batch, and announces it unless that gets lost. */
    add: (batch: number, texts: readonly string[], { isAnnounced = true } = {}) => {
      items.push(...texts.map((text, position): Item => ({ text, place: [batch, position] })))
      last = [batch, Number.MAX_SAFE_INTEGER]
      if (isAnnounced) for (const listener of listeners) listener()
    },
  }
}

const createFeeds = () => {
  const failures: unknown[] = []
  return Object.assign(new OrderedFeeds<Item>(MAX_WAITING, (failure) => failures.push(failure)), { failures })
}

async function take(stream: AsyncIterator<Item & { missedBefore: number }>, count: number): Promise<string[]> {
  const texts: string[] = []
  while (texts.length < count) texts.push((await stream.next()).value.text)
  return texts
}

describe("what is stored in an order", () => {
  test("is followed from now on, each item once, in its order", async () => {
    const { store, add } = createStore()
    add(1, ["before"])
    const stream = await createFeeds().follow("all", store, null)
    add(2, ["a", "b"])
    expect(await take(stream, 2)).toEqual(["a", "b"])
    add(5, ["c"])
    expect((await stream.next()).value).toEqual({ text: "c", place: [5, 0], missedBefore: 0 })
  })

  test("goes on behind a place, without a gap or a repetition, whichever process gave that place", async () => {
    const { store, add } = createStore()
    add(1, ["a", "b"])
    const there = await createFeeds().follow("all", store, [0, 0])
    const [first] = [(await there.next()).value]
    add(2, ["c"])
    const here = createFeeds()
    const stream = await here.follow("all", store, first.place)
    add(3, ["d"])
    expect(await take(stream, 3)).toEqual(["b", "c", "d"])
    const other = await here.follow("all", store, [2, 0])
    add(4, ["e"])
    expect(await take(other, 2)).toEqual(["d", "e"])
    expect(await take(stream, 1)).toEqual(["e"])
  })

  test("goes on behind a place that this process has not read yet", async () => {
    const { store, add } = createStore()
    const feeds = createFeeds()
    const slow = await feeds.follow("all", store, null)
    add(1, ["a", "b", "c"], { isAnnounced: false })
    const stream = await feeds.follow("all", store, [1, 1])
    expect(await take(stream, 1)).toEqual(["c"])
    expect(await take(slow, 3)).toEqual(["a", "b", "c"])
  })

  test("cannot go on behind a place where nothing is stored yet", async () => {
    const { store, add, listeners } = createStore()
    add(1, ["a"])
    await expect(createFeeds().follow("all", store, [9, 0])).rejects.toThrow("since is no cursor")
    expect(listeners.size).toBe(0)
  })

  test("says how many were left out, of what came before the join and of what came at once", async () => {
    const { store, add } = createStore({ mostRead: 3 })
    add(1, ["a", "b", "c", "d"])
    const stream = await createFeeds().follow("all", store, [0, 0])
    expect((await stream.next()).value).toMatchObject({ text: "b", missedBefore: 1 })
    add(2, ["e", "f", "g"])
    expect(await take(stream, 5)).toEqual(["c", "d", "e", "f", "g"])
    for (const batch of [3, 4, 5]) add(batch, ["x", "y", "z"])
    expect((await stream.next()).value).toMatchObject({ place: [5, 0], missedBefore: 6 })
  })

  test("is read once for all who follow the same, and no more when the last has left", async () => {
    const { store, add, countReads, listeners } = createStore()
    const feeds = createFeeds()
    const [first, second] = [await feeds.follow("all", store, null), await feeds.follow("all", store, null)]
    add(1, ["a"])
    expect([await take(first, 1), await take(second, 1)]).toEqual([["a"], ["a"]])
    expect(countReads()).toBe(1)
    const waiting = first.next()
    await first.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(listeners.size).toBe(1)
    await second.return?.()
    expect(listeners.size).toBe(0)
  })

  test("is read again after the store was away, and loses nothing", async () => {
    const { store, add, fail } = createStore()
    const feeds = createFeeds()
    const stream = await feeds.follow("all", store, null)
    fail(new Error("away"))
    add(1, ["a"])
    await new Promise((resolve) => setImmediate(resolve))
    expect(feeds.failures).toEqual([new Error("away")])
    fail(null)
    add(2, ["b"])
    expect(await take(stream, 2)).toEqual(["a", "b"])
  })

  test("fails for those who follow what can never be read, after what came before, and for nobody else", async () => {
    const { store, add, failReads } = createStore()
    const feeds = createFeeds()
    const stream = await feeds.follow("all", store, null)
    add(1, ["a"])
    await new Promise((resolve) => setImmediate(resolve))
    const refused = new AppError("invalid_input", { attr: "properties" })
    failReads(refused)
    add(2, ["b"])
    expect(await take(stream, 1)).toEqual(["a"])
    const failing = stream.next()
    await expect(failing).rejects.toBe(refused)
    expect((await stream.next()).done).toBe(true)
    await expect(feeds.follow("all", store, [1, 0])).rejects.toBe(refused)
    failReads(null)
    const later = await feeds.follow("all", store, null)
    add(3, ["c"])
    expect(await take(later, 1)).toEqual(["c"])
    expect(feeds.failures).toEqual([])
  })

  test("is read again after a read that may be tried again", async () => {
    const { store, add, failReads } = createStore()
    const feeds = createFeeds()
    const stream = await feeds.follow("all", store, null)
    failReads(new AppError("store_unavailable"))
    add(1, ["a"])
    await new Promise((resolve) => setImmediate(resolve))
    failReads(null)
    add(2, ["b"])
    expect(await take(stream, 2)).toEqual(["a", "b"])
    expect(feeds.failures).toHaveLength(1)
  })

  test("can be followed again after the store could not be asked", async () => {
    const { store, add, fail, listeners } = createStore()
    const feeds = createFeeds()
    fail(new Error("away"))
    await expect(feeds.follow("all", store, null)).rejects.toThrow("away")
    expect(listeners.size).toBe(0)
    fail(null)
    const stream = await feeds.follow("all", store, null)
    add(1, ["a"])
    expect(await take(stream, 1)).toEqual(["a"])
  })
})
