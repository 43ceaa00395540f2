import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Counters } from "../../src/platform/counters/counters.js"

export interface CountersFixture {
  readonly counters: Counters
  /** Lets this much time pass for the counters. */
  letPass(ms: number): Promise<void>
}

/** What every Counters must do. */
export function describeCounters(name: string, create: () => Promise<CountersFixture>): void {
  describe(`Counters: ${name}`, () => {
    let fixture: CountersFixture
    beforeAll(async () => {
      fixture = await create()
    })
    afterAll(async () => {
      await fixture.counters.close()
    })

    test("read 0 for a counter that does not exist", async () => {
      expect(await fixture.counters.read("absent")).toBe(0)
    })

    test("add up and answer the new value", async () => {
      expect(await fixture.counters.increment("sum", 3, 60)).toBe(3)
      expect(await fixture.counters.increment("sum", 4, 60)).toBe(7)
      expect(await fixture.counters.read("sum")).toBe(7)
    })

    test("lose no increment among many at once", async () => {
      await Promise.all(Array.from({ length: 100 }, () => fixture.counters.increment("busy", 1, 60)))
      expect(await fixture.counters.read("busy")).toBe(100)
    })

    test("keep counters of different keys apart", async () => {
      await fixture.counters.increment("left", 1, 60)
      await fixture.counters.increment("right", 2, 60)
      expect(await fixture.counters.read("left")).toBe(1)
    })

    test("begin anew when the window that the first increment opened is over", async () => {
      await fixture.counters.increment("window", 5, 0.05)
      await fixture.letPass(100)
      expect(await fixture.counters.increment("window", 1, 60)).toBe(1)
    })

    test("do not prolong the window by later increments", async () => {
      await fixture.counters.increment("fixed", 1, 0.05)
      await fixture.counters.increment("fixed", 1, 60)
      await fixture.letPass(100)
      expect(await fixture.counters.read("fixed")).toBe(0)
    })
  })
}
