import { describe, expect, test } from "@jest/globals"
import { ByteBudget } from "../../../src/platform/limits/byte-budget.js"

const SIZES = { totalBytes: 1_000, smallBytes: 10, reserveBytes: 25 }

describe("a byte budget", () => {
  test("refuses what would go beyond it, and tells when to come again", () => {
    let refused = 0
    const budget = new ByteBudget({ ...SIZES, onRefused: () => refused++ })
    budget.open("a").hold(500)
    budget.open("b").hold(400)
    expect(() => budget.open("c").hold(101)).toThrow(
      expect.objectContaining({ code: "overloaded", details: { retryAfterSeconds: 1 } }),
    )
    expect([refused, budget.heldBytes]).toEqual([1, 900])
    budget.open("c").hold(100)
  })

  test("gives one holder half of it, however many requests they make", () => {
    const budget = new ByteBudget(SIZES)
    budget.open("a").hold(300)
    budget.open("a").hold(200)
    expect(() => budget.open("a").hold(11)).toThrow("retry")
    budget.open("b").hold(500)
  })

  test("lets small requests pass when large ones have taken all, up to a reserve of their own", () => {
    const budget = new ByteBudget(SIZES)
    budget.open("a").hold(500)
    budget.open("b").hold(500)
    budget.open("c").hold(10)
    budget.open("c").hold(10)
    expect(() => budget.open("c").hold(10)).toThrow("retry")
  })

  test("counts a request that grows with the large ones, and gives its place among the small ones back", () => {
    const budget = new ByteBudget(SIZES)
    const growing = budget.open("a")
    growing.hold(10)
    growing.hold(480)
    expect(() => growing.hold(11)).toThrow("retry")
    for (const holder of ["b", "c"]) budget.open(holder).hold(10)
    expect(budget.heldBytes).toBe(510)
  })

  test("has everything back once all requests are released, also those that were refused, and twice", () => {
    const budget = new ByteBudget(SIZES)
    const leases = ["a", "a", "b"].map((holder) => budget.open(holder))
    for (const lease of leases) for (const bytes of [5, 200, 200]) attempt(() => lease.hold(bytes))
    for (const lease of [...leases, ...leases]) lease.release()
    expect(budget.heldBytes).toBe(0)
    budget.open("a").hold(500)
  })
})

function attempt(work: () => void): void {
  try {
    work()
  } catch {}
}
