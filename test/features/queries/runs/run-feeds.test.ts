import { describe, expect, test } from "@jest/globals"
import type { QueryRun, RunState } from "../../../../src/features/queries/runs/query-run.js"
import { RunFeeds } from "../../../../src/features/queries/runs/run-feeds.js"
import { watchRuns } from "../../../../src/features/queries/runs/watch-runs.js"
import { asProjectId } from "../../../../src/kernel/ids.js"

const toName = (id: string) => ({ projectId: asProjectId(1), id })
const NAME = toName("r")

/** Stored runs and a channel for each, with counts of how often they were used. */
function createSources() {
  const stored = new Map<string, QueryRun>()
  const listeners = new Map<string, () => void>()
  const used = { reads: 0, atOnce: 0, mostAtOnce: 0, subscriptions: 0 }
  let failure: Error | null = null
  const failures: unknown[] = []
  const feeds = new RunFeeds({
    findAll: async (names) => {
      used.reads++
      used.mostAtOnce = Math.max(used.mostAtOnce, ++used.atOnce)
      await letPromisesRun()
      used.atOnce--
      if (failure !== null) throw failure
      return names.flatMap(({ id }) => stored.get(id) ?? [])
    },
    listSequences: async () => [...stored.values()],
    subscribe: async ({ id }, listener) => {
      used.subscriptions++
      listeners.set(id, listener)
      return async () => void listeners.delete(id)
    },
    onFailure: (seen) => failures.push(seen),
  })
  const store = (state: RunState, sequence: number, id = NAME.id) => {
    stored.set(id, { ...toName(id), state, sequence } as QueryRun)
  }
  const publish = async () => {
    for (const listener of listeners.values()) listener()
    await letPromisesRun()
    await letPromisesRun()
  }
  const fail = (next: Error | null) => (failure = next)
  return { feeds, used, listeners, store, publish, fail, failures, forget: () => stored.delete(NAME.id) }
}

const letPromisesRun = () => new Promise<void>((resolve) => setImmediate(resolve))

describe("a followed run", () => {
  test("is read once for each change, however many follow it", async () => {
    const { feeds, used, listeners, store, publish } = createSources()
    store("running", 1)
    const heard = Array.from({ length: 1000 }, () => [] as number[])
    const all = await Promise.all(heard.map((own) => feeds.follow([NAME], (run) => own.push(run?.sequence ?? -1))))
    await Promise.all(all.map(({ hasPresent }) => hasPresent))
    const readsBefore = used.reads
    store("running", 2)
    await publish()
    store("complete", 3)
    await publish()
    expect(used.reads - readsBefore).toBe(2)
    expect(used.subscriptions).toBe(1)
    expect(heard.every((own) => own.join() === "1,2,3")).toBe(true)
    expect(feeds.counts).toEqual({ runs: 1, followers: 1000 })
    await Promise.all(all.map(({ leave }) => leave()))
    expect(feeds.counts).toEqual({ runs: 0, followers: 0 })
    expect(listeners.size).toBe(0)
  })

  test("tells no state twice and none that is older than one told", async () => {
    const { feeds, store, publish } = createSources()
    const heard: number[] = []
    store("running", 5)
    const following = await feeds.follow([NAME], (run) => heard.push(run?.sequence ?? -1))
    await following.hasPresent
    await publish()
    store("running", 4)
    await publish()
    store("running", 6)
    await publish()
    expect(heard).toEqual([5, 6])
    await following.leave()
  })

  test("tells a change although its message was lost, by looking from time to time", async () => {
    const { feeds, store } = createSources()
    store("running", 1)
    const { promise, resolve } = Promise.withResolvers<void>()
    const following = await feeds.follow([NAME], (run) => run?.state === "complete" && resolve())
    await following.hasPresent
    store("complete", 2)
    await promise
    await following.leave()
    expect(feeds.counts.runs).toBe(0)
  })

  test("tells its state late when it cannot be read at first, and says so", async () => {
    const { feeds, store, fail, failures } = createSources()
    store("running", 1)
    const away = new Error("away")
    fail(away)
    const { promise, resolve } = Promise.withResolvers<QueryRun | null>()
    const following = await feeds.follow([NAME], resolve)
    await expect(following.hasPresent).rejects.toBe(away)
    expect(failures).toContain(away)
    fail(null)
    expect(await promise).toMatchObject({ sequence: 1 })
    await following.leave()
  })
})

describe("many followed runs", () => {
  const NAMES = Array.from({ length: 250 }, (_, number) => toName(`r${number}`))

  test("are read by one statement at a time, for a hundred of them at most", async () => {
    const { feeds, used, store, publish } = createSources()
    for (const { id } of NAMES) store("running", 1, id)
    const heard: string[] = []
    const all = await Promise.all(
      NAMES.map((name) => feeds.follow([name], (run) => heard.push(`${run?.id} ${run?.sequence}`))),
    )
    await Promise.all(all.map(({ hasPresent }) => hasPresent))
    expect([used.reads, used.mostAtOnce]).toEqual([3, 1])
    for (const { id } of NAMES) store("running", 2, id)
    for (let turn = 0; turn < 3; turn++) await publish()
    expect(heard).toHaveLength(2 * NAMES.length)
    expect(used.mostAtOnce).toBe(1)
    await Promise.all(all.map(({ leave }) => leave()))
  })
})

describe("a watch", () => {
  test("gives the present state first and ends after the final one", async () => {
    const { feeds, listeners, store, publish } = createSources()
    store("queued", 0)
    const states = await watchRuns(feeds, [NAME])
    expect((await states.next()).value?.state).toBe("queued")
    const next = states.next()
    store("complete", 2)
    await publish()
    expect((await next).value?.state).toBe("complete")
    expect((await states.next()).done).toBe(true)
    expect(listeners.size).toBe(0)
  })

  test("of several runs gives the states of each and ends after the last", async () => {
    const { feeds, store, publish } = createSources()
    store("complete", 3, "first")
    store("running", 1, "second")
    const states = await watchRuns(feeds, [toName("first"), toName("second")])
    const seen = [(await states.next()).value, (await states.next()).value].map((run) => `${run?.id} ${run?.state}`)
    expect(seen).toEqual(["first complete", "second running"])
    const next = states.next()
    store("failed", 2, "second")
    await publish()
    expect((await next).value).toMatchObject({ id: "second", state: "failed" })
    expect((await states.next()).done).toBe(true)
  })

  test("gives a slow reader the newest state", async () => {
    const { feeds, store, publish } = createSources()
    store("running", 1)
    const states = await watchRuns(feeds, [NAME])
    await states.next()
    for (const sequence of [2, 3, 4]) {
      store("running", sequence)
      await publish()
    }
    expect((await states.next()).value?.sequence).toBe(4)
    await states.return()
  })

  test("ends at once and leaves nothing behind when its reader goes", async () => {
    const { feeds, listeners, store } = createSources()
    store("running", 1)
    const states = await watchRuns(feeds, [NAME])
    await states.next()
    const pending = states.next()
    await states.return()
    expect((await pending).done).toBe(true)
    expect([listeners.size, feeds.counts.followers]).toEqual([0, 0])
  })

  test("of a run that becomes unknown ends", async () => {
    const { feeds, store, publish, forget } = createSources()
    store("running", 1)
    const states = await watchRuns(feeds, [NAME])
    await states.next()
    forget()
    const next = states.next()
    await publish()
    expect((await next).done).toBe(true)
    expect(feeds.counts).toEqual({ runs: 0, followers: 0 })
  })

  test("cannot begin with a run that is not known, nor while runs cannot be read", async () => {
    const { feeds, store, fail } = createSources()
    store("running", 1)
    await expect(watchRuns(feeds, [NAME, toName("other")])).rejects.toMatchObject({ code: "not_found" })
    fail(new Error("away"))
    await expect(watchRuns(feeds, [NAME])).rejects.toThrow("away")
    expect(feeds.counts).toEqual({ runs: 0, followers: 0 })
  })
})
