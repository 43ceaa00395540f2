import { describe, expect, test } from "@jest/globals"
import type { QueryRun, RunState } from "../../../../src/features/queries/runs/query-run.js"
import { RunFeeds } from "../../../../src/features/queries/runs/run-feeds.js"
import { watchRun } from "../../../../src/features/queries/runs/watch-run.js"
import { asProjectId } from "../../../../src/kernel/ids.js"

const NAME = { projectId: asProjectId(1), id: "r" }

/** One stored run and a channel, with counts of how often each was used. */
function createSources() {
  let stored: QueryRun | null = null
  const listeners = new Set<() => void>()
  const used = { reads: 0, subscriptions: 0 }
  const feeds = new RunFeeds({
    find: async () => {
      used.reads++
      return stored
    },
    listSequences: async () => (stored === null ? [] : [{ ...NAME, sequence: stored.sequence }]),
    subscribe: async (_run, listener) => {
      used.subscriptions++
      listeners.add(listener)
      return async () => void listeners.delete(listener)
    },
    onFailure: (failure) => {
      throw failure
    },
  })
  const store = (state: RunState, sequence: number) => {
    stored = { ...NAME, state, sequence } as QueryRun
  }
  const publish = async () => {
    for (const listener of listeners) listener()
    await letPromisesRun()
  }
  return { feeds, used, listeners, store, publish, forget: () => (stored = null) }
}

const letPromisesRun = () => new Promise<void>((resolve) => setImmediate(resolve))

describe("a followed run", () => {
  test("is read once for each change, however many follow it", async () => {
    const { feeds, used, listeners, store, publish } = createSources()
    store("running", 1)
    const heard = Array.from({ length: 1000 }, () => [] as number[])
    const leave = await Promise.all(heard.map((own) => feeds.follow(NAME, (run) => own.push(run?.sequence ?? -1))))
    await letPromisesRun()
    const readsBefore = used.reads
    store("running", 2)
    await publish()
    store("complete", 3)
    await publish()
    expect(used.reads - readsBefore).toBe(2)
    expect(used.subscriptions).toBe(1)
    expect(heard.every((own) => own.join() === "1,2,3")).toBe(true)
    expect(feeds.counts).toEqual({ runs: 1, followers: 1000 })
    await Promise.all(leave.map((end) => end()))
    expect(feeds.counts).toEqual({ runs: 0, followers: 0 })
    expect(listeners.size).toBe(0)
  })

  test("tells no state twice and none that is older than one told", async () => {
    const { feeds, store, publish } = createSources()
    const heard: number[] = []
    store("running", 5)
    const leave = await feeds.follow(NAME, (run) => heard.push(run?.sequence ?? -1))
    await letPromisesRun()
    await publish()
    store("running", 4)
    await publish()
    store("running", 6)
    await publish()
    expect(heard).toEqual([5, 6])
    await leave()
  })

  test("tells a change although its message was lost, by looking from time to time", async () => {
    const { feeds, store } = createSources()
    store("running", 1)
    const { promise, resolve } = Promise.withResolvers<void>()
    const leave = await feeds.follow(NAME, (run) => run?.state === "complete" && resolve())
    await letPromisesRun()
    store("complete", 2)
    await promise
    await leave()
    expect(feeds.counts.runs).toBe(0)
  })
})

describe("a watch", () => {
  const watch = (sources: ReturnType<typeof createSources>) =>
    watchRun((listener) => sources.feeds.follow(NAME, listener))

  test("gives the present state first and ends after the final one", async () => {
    const sources = createSources()
    sources.store("queued", 0)
    const states = watch(sources)
    expect((await states.next()).value?.state).toBe("queued")
    const next = states.next()
    sources.store("complete", 2)
    await sources.publish()
    expect((await next).value?.state).toBe("complete")
    expect((await states.next()).done).toBe(true)
    expect(sources.listeners.size).toBe(0)
  })

  test("gives a slow reader the newest state", async () => {
    const sources = createSources()
    sources.store("running", 1)
    const states = watch(sources)
    await states.next()
    for (const sequence of [2, 3, 4]) {
      sources.store("running", sequence)
      await sources.publish()
    }
    expect((await states.next()).value?.sequence).toBe(4)
    await states.return?.()
  })

  test("ends at once and leaves nothing behind when its reader goes", async () => {
    const sources = createSources()
    sources.store("running", 1)
    const states = watch(sources)
    await states.next()
    const pending = states.next()
    await states.return?.()
    expect((await pending).done).toBe(true)
    expect([sources.listeners.size, sources.feeds.counts.followers]).toEqual([0, 0])
  })

  test("of a run that is not known, or known no more, ends", async () => {
    const sources = createSources()
    expect((await watch(sources).next()).done).toBe(true)
    sources.store("running", 1)
    const states = watch(sources)
    await states.next()
    sources.forget()
    const next = states.next()
    await sources.publish()
    expect((await next).done).toBe(true)
    expect(sources.feeds.counts).toEqual({ runs: 0, followers: 0 })
  })
})
