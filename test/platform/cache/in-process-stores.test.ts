import { describe, expect, test } from "@jest/globals"
import { createInProcessKeyValueCache } from "../../../src/platform/cache/in-process-key-value-cache.js"
import { createInProcessCounters } from "../../../src/platform/counters/in-process-counters.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { createInProcessPubSub } from "../../../src/platform/pubsub/in-process-pub-sub.js"
import { describeCounters } from "../../contract/counters.contract.js"
import { describeKeyValueCache } from "../../contract/key-value-cache.contract.js"
import { describePubSub } from "../../contract/pub-sub.contract.js"
import { createManualClock } from "../../support/manual-clock.js"

const START_MS = Date.UTC(2026, 1, 28, 23, 59)

describePubSub("in process", () => createInProcessPubSub(silentLogger))

describeKeyValueCache("in process", async () => {
  const clock = createManualClock(START_MS)
  return { cache: createInProcessKeyValueCache(clock), letPass: async (ms) => clock.advance(ms) }
})

describeCounters("in process", async () => {
  const clock = createManualClock(START_MS)
  return { counters: createInProcessCounters(clock), letPass: async (ms) => clock.advance(ms) }
})

describe("bounds of the in-process stores", () => {
  test("the cache drops what was used longest ago when it is full", async () => {
    const cache = createInProcessKeyValueCache(createManualClock(START_MS), 20)
    await cache.set("a", "123456789", 60)
    await cache.set("b", "123456789", 60)
    await cache.get("a")
    await cache.set("c", "123456789", 60)
    expect(await Promise.all(["a", "b", "c"].map((key) => cache.get(key)))).toEqual(["123456789", null, "123456789"])
  })

  test("the cache does not keep a value larger than the whole cache", async () => {
    const cache = createInProcessKeyValueCache(createManualClock(START_MS), 10)
    await cache.set("key", "x".repeat(50), 60)
    expect(await cache.get("key")).toBeNull()
  })

  test("counters forget the oldest beyond their number", async () => {
    const counters = createInProcessCounters(createManualClock(START_MS), 2)
    for (const key of ["one", "two", "three"]) await counters.increment(key, 1, 60)
    expect(await Promise.all(["one", "two", "three"].map((key) => counters.read(key)))).toEqual([0, 1, 1])
  })

  test("nothing stays for good after the machine's clock was set back", async () => {
    const clock = createManualClock(START_MS)
    const [cache, counters] = [createInProcessKeyValueCache(clock), createInProcessCounters(clock)]
    await cache.set("key", "value", 60)
    await counters.increment("key", 1, 60)
    clock.advance(-3_600_000)
    expect([await cache.get("key"), await counters.read("key")]).toEqual([null, 0])
  })
})
