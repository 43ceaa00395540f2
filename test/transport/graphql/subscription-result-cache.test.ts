import { setImmediate } from "node:timers/promises"
import { describe, expect, test } from "@jest/globals"
import { parse } from "graphql"
import {
  type EventResult,
  type SubscriptionIdentity,
  SubscriptionResultCache,
} from "../../../src/transport/graphql/subscription-result-cache.js"

const asked = (change: Partial<SubscriptionIdentity> = {}): SubscriptionIdentity => ({
  document: DOCUMENT,
  operationName: undefined,
  variables: { id: "a" },
  credential: "Bearer phx_one",
  ...change,
})
const DOCUMENT = parse("subscription { tick }")

/** Counts executions; each has an outcome of its own. */
function executions() {
  let count = 0
  const execute = async (): Promise<EventResult> => ({ result: { data: { execution: ++count } }, isLast: false })
  return { execute, count: () => count }
}

describe("outcomes of an event", () => {
  test("are executed once for all who asked the same with the same key in one turn", async () => {
    const cache = new SubscriptionResultCache()
    const { execute, count } = executions()
    const event = {}
    const keys = [asked(), asked({ variables: { id: "a" } })].map((each) => cache.toKey(each))
    const [one, other] = await Promise.all(keys.map((key) => cache.getOrExecute(event, key, execute)))
    expect(one).toBe(other)
    expect(count()).toBe(1)
  })

  test.each<[string, SubscriptionIdentity]>([
    ["another key", asked({ credential: "Bearer phx_two" })],
    ["no key", asked({ credential: "" })],
    ["other variables", asked({ variables: { id: "b" } })],
    ["another operation of the document", asked({ operationName: "Other" })],
    ["another document", asked({ document: parse("subscription { tick }") })],
  ])("are executed anew for %s", async (_difference, other) => {
    const cache = new SubscriptionResultCache()
    const { execute, count } = executions()
    const event = {}
    await Promise.all([asked(), other].map((each) => cache.getOrExecute(event, cache.toKey(each), execute)))
    expect(count()).toBe(2)
  })

  test("are executed anew for another event, even an equal one", async () => {
    const cache = new SubscriptionResultCache()
    const { execute, count } = executions()
    const key = cache.toKey(asked())
    await Promise.all([{}, {}, 1, 1].map((event) => cache.getOrExecute(event, key, execute)))
    expect(count()).toBe(4)
  })

  test("are executed anew for whoever comes to the event in a later turn, so that a key is checked again", async () => {
    const cache = new SubscriptionResultCache()
    const { execute, count } = executions()
    const event = {}
    const key = cache.toKey(asked())
    await cache.getOrExecute(event, key, execute)
    await setImmediate()
    await cache.getOrExecute(event, key, execute)
    expect(count()).toBe(2)
  })

  test("fail for all who share them, and for nobody later", async () => {
    const cache = new SubscriptionResultCache()
    const event = {}
    const key = cache.toKey(asked())
    const fault = new Error("a store is down")
    const failing = [1, 2].map(() => cache.getOrExecute(event, key, () => Promise.reject(fault)))
    expect(await Promise.allSettled(failing)).toEqual([1, 2].map(() => ({ status: "rejected", reason: fault })))
    await setImmediate()
    expect(await cache.getOrExecute(event, key, executions().execute)).toMatchObject({ isLast: false })
  })
})
