import { setImmediate } from "node:timers/promises"
import { describe, expect, test } from "@jest/globals"
import { parse } from "graphql"
import { type Asked, type Outcome, SharedOutcomes } from "../../../src/transport/graphql/shared-outcomes.js"

const asked = (change: Partial<Asked> = {}): Asked => ({
  ...{ document: DOCUMENT, operationName: undefined, variables: { id: "a" }, credential: "Bearer phx_one" },
  ...change,
})
const DOCUMENT = parse("subscription { tick }")

/** Counts executions; each has an outcome of its own. */
function executions() {
  let count = 0
  const execute = async (): Promise<Outcome> => ({ result: { data: { execution: ++count } }, isLast: false })
  return { execute, count: () => count }
}

describe("outcomes of an event", () => {
  test("are executed once for all who asked the same with the same key in one turn", async () => {
    const shared = new SharedOutcomes()
    const { execute, count } = executions()
    const event = {}
    const audiences = [asked(), asked({ variables: { id: "a" } })].map((each) => shared.audienceOf(each))
    const [one, other] = await Promise.all(audiences.map((audience) => shared.of(event, audience, execute)))
    expect(one).toBe(other)
    expect(count()).toBe(1)
  })

  test.each<[string, Asked]>([
    ["another key", asked({ credential: "Bearer phx_two" })],
    ["no key", asked({ credential: "" })],
    ["other variables", asked({ variables: { id: "b" } })],
    ["another operation of the document", asked({ operationName: "Other" })],
    ["another document", asked({ document: parse("subscription { tick }") })],
  ])("are executed anew for %s", async (_difference, other) => {
    const shared = new SharedOutcomes()
    const { execute, count } = executions()
    const event = {}
    await Promise.all([asked(), other].map((each) => shared.of(event, shared.audienceOf(each), execute)))
    expect(count()).toBe(2)
  })

  test("are executed anew for another event, even an equal one", async () => {
    const shared = new SharedOutcomes()
    const { execute, count } = executions()
    const audience = shared.audienceOf(asked())
    await Promise.all([{}, {}, 1, 1].map((event) => shared.of(event, audience, execute)))
    expect(count()).toBe(4)
  })

  test("are executed anew for whoever comes to the event in a later turn, so that a key is checked again", async () => {
    const shared = new SharedOutcomes()
    const { execute, count } = executions()
    const event = {}
    const audience = shared.audienceOf(asked())
    await shared.of(event, audience, execute)
    await setImmediate()
    await shared.of(event, audience, execute)
    expect(count()).toBe(2)
  })

  test("fail for all who share them, and for nobody later", async () => {
    const shared = new SharedOutcomes()
    const event = {}
    const audience = shared.audienceOf(asked())
    const fault = new Error("a store is down")
    const failing = [1, 2].map(() => shared.of(event, audience, () => Promise.reject(fault)))
    expect(await Promise.allSettled(failing)).toEqual([1, 2].map(() => ({ status: "rejected", reason: fault })))
    await setImmediate()
    expect(await shared.of(event, audience, executions().execute)).toMatchObject({ isLast: false })
  })
})
