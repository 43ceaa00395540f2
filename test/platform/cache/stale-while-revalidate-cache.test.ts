import { beforeEach, describe, expect, test } from "@jest/globals"
import {
  type CachePolicy,
  createStaleWhileRevalidateCache,
  type StaleWhileRevalidateCache,
} from "../../../src/platform/cache/stale-while-revalidate-cache.js"
import { createManualClock, type ManualClock } from "../../support/manual-clock.js"

interface Sample {
  readonly id: number
}

const OUTLIVING: CachePolicy = {
  ttlMs: 10_000,
  staleWhileRevalidateMs: 30_000,
  staleIfError: true,
  negativeTtlMs: 5_000,
  loadTimeoutMs: 3_000,
}

describe("records in a stale-while-revalidate cache", () => {
  let stored: Map<string, Sample>
  let behaviour: "answers" | "fails" | "hangs"
  let loads: string[]
  let clock: ManualClock
  let records: StaleWhileRevalidateCache<string, Sample>
  /** Never answers what is older than 10 s, nor that a key is unknown. */
  let strict: StaleWhileRevalidateCache<string, Sample>

  beforeEach(() => {
    stored = new Map([["phc_known", { id: 1 }]])
    behaviour = "answers"
    loads = []
    clock = createManualClock(Date.UTC(2026, 1, 28))
    const load = async (key: string): Promise<Sample | null> => {
      loads.push(key)
      if (behaviour === "fails") throw new Error("store down")
      if (behaviour === "hangs") return new Promise(() => undefined)
      return stored.get(key) ?? null
    }
    const options = { load, clock, maxEntries: 3, maxNegativeEntries: 2 }
    records = createStaleWhileRevalidateCache({ ...options, cachePolicy: OUTLIVING })
    strict = createStaleWhileRevalidateCache({
      ...options,
      cachePolicy: {
        ttlMs: 10_000,
        staleWhileRevalidateMs: 10_000,
        staleIfError: false,
        negativeTtlMs: 0,
        loadTimeoutMs: null,
      },
    })
  })

  test("answer without waiting once a record was found", async () => {
    expect(records.peek("phc_known")).toBeUndefined()
    expect(await records.find("phc_known")).toEqual({ id: 1 })
    expect(records.peek("phc_known")).toEqual({ id: 1 })
    expect(loads).toEqual(["phc_known"])
  })

  test("share one load among readers of one key", async () => {
    await Promise.all([records.find("phc_known"), records.find("phc_known"), records.find("phc_known")])
    expect(loads).toHaveLength(1)
  })

  test("remember that a key is unknown for 5 s at most", async () => {
    expect(await records.find("phc_new")).toBeNull()
    expect(records.peek("phc_new")).toBeNull()
    clock.advance(4_999)
    expect(records.peek("phc_new")).toBeNull()
    clock.advance(1)
    stored.set("phc_new", { id: 2 })
    expect(records.peek("phc_new")).toBeUndefined()
    expect(await records.find("phc_new")).toEqual({ id: 2 })
  })

  test("are not pushed out by a flood of unknown keys", async () => {
    await records.find("phc_known")
    for (let index = 0; index < 50; index++) await records.find(`phc_made_up_${index}`)
    expect(records.peek("phc_known")).toEqual({ id: 1 })
    expect(records.peek("phc_made_up_0")).toBeUndefined()
  })

  test("are read again after 30 s while the store answers", async () => {
    await records.find("phc_known")
    stored.delete("phc_known")
    clock.advance(30_001)
    expect(records.peek("phc_known")).toBeUndefined()
    expect(await records.find("phc_known")).toBeNull()
  })

  test("are read again in the background before that", async () => {
    await records.find("phc_known")
    stored.set("phc_known", { id: 7 })
    clock.advance(10_001)
    expect(records.peek("phc_known")).toEqual({ id: 1 })
    await records.find("phc_known")
    expect(loads).toHaveLength(2)
    await Promise.resolve()
    expect(records.peek("phc_known")).toEqual({ id: 7 })
  })

  test("are read again after the machine's clock was set back", async () => {
    await records.find("phc_known")
    await records.find("phc_unknown")
    clock.advance(-86_400_000)
    expect(records.peek("phc_known")).toBeUndefined()
    expect(records.peek("phc_unknown")).toBeUndefined()
  })

  test("go on being answered while the store fails, and a key that is not among them is an error", async () => {
    await records.find("phc_known")
    behaviour = "fails"
    clock.advance(3_600_000)
    expect(await records.find("phc_known")).toEqual({ id: 1 })
    expect(records.peek("phc_known")).toEqual({ id: 1 })
    await expect(records.find("phc_other")).rejects.toThrow("store down")
  })

  test("go on being answered while the store hangs, the first time after a short wait and then at once", async () => {
    await records.find("phc_known")
    behaviour = "hangs"
    clock.advance(3_600_000)
    expect(records.peek("phc_known")).toBeUndefined()
    expect(await records.find("phc_known")).toEqual({ id: 1 })
    expect(records.peek("phc_known")).toEqual({ id: 1 })
  })

  test("ask a failing store at most once a second", async () => {
    await records.find("phc_known")
    behaviour = "fails"
    clock.advance(60_000)
    await records.find("phc_known")
    const asked = loads.length
    for (let index = 0; index < 10; index++) await records.find("phc_known")
    expect(loads).toHaveLength(asked)
    clock.advance(1_000)
    await records.find("phc_known")
    expect(loads).toHaveLength(asked + 1)
  })

  test("take what is new as soon as the store is back", async () => {
    await records.find("phc_known")
    behaviour = "fails"
    clock.advance(60_000)
    await records.find("phc_known")
    behaviour = "answers"
    stored.set("phc_known", { id: 8 })
    clock.advance(1_000)
    await records.find("phc_known")
    await Promise.resolve()
    await Promise.resolve()
    expect(await records.find("phc_known")).toEqual({ id: 8 })
  })

  test("forget a changed record and every unknown key, even one that is being read", async () => {
    await records.find("phc_known")
    await records.find("phc_unknown")
    const slow = records.find("phc_late")
    records.invalidate(({ id }) => id === 1)
    await slow
    expect(records.peek("phc_known")).toBeUndefined()
    expect(records.peek("phc_unknown")).toBeUndefined()
    expect(records.peek("phc_late")).toBeUndefined()
  })

  test("that must not outlive an outage are refused once they are old, and read as soon as the store is back", async () => {
    await strict.find("phc_known")
    behaviour = "fails"
    clock.advance(9_999)
    expect(await strict.find("phc_known")).toEqual({ id: 1 })
    clock.advance(1)
    for (let attempt = 0; attempt < 2; attempt++) await expect(strict.find("phc_known")).rejects.toThrow("store down")
    behaviour = "answers"
    expect(await strict.find("phc_known")).toEqual({ id: 1 })
  })

  test("may leave it out to remember that a key is unknown", async () => {
    expect(await strict.find("phc_new")).toBeNull()
    stored.set("phc_new", { id: 2 })
    expect(await strict.find("phc_new")).toEqual({ id: 2 })
  })

  test("beyond their number push out the one that was read longest ago", async () => {
    for (const key of ["a", "b", "c", "d"]) stored.set(key, { id: 3 })
    for (const key of ["a", "b", "c", "d"]) await records.find(key)
    expect(["a", "b", "c", "d"].map((key) => records.peek(key) !== undefined)).toEqual([false, true, true, true])
  })
})
