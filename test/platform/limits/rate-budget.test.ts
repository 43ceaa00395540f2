import { describe, expect, test } from "@jest/globals"
import type { AppError } from "../../../src/kernel/errors.js"
import { RateBudget } from "../../../src/platform/limits/rate-budget.js"
import { createManualClock } from "../../support/manual-clock.js"

function createBudget(perHolder: number, holders = 10) {
  const clock = createManualClock(Date.UTC(2024, 1, 29, 12))
  let refusals = 0
  const onRefused = () => {
    refusals++
  }
  const budget = new RateBudget({ perHolder, holders, clock, onRefused })
  const waitOf = (holder: string, ask: "take" | "requireLeft" = "take"): number | null => {
    try {
      budget[ask](holder)
      return null
    } catch (refusal) {
      return (refusal as AppError).details.retryAfterSeconds ?? 0
    }
  }
  return { clock, waitOf, refusals: () => refusals }
}

describe("a budget of a minute", () => {
  test("lets each holder do it so often, then says when the next minute begins", () => {
    const { clock, waitOf, refusals } = createBudget(2)
    clock.advance(15_500)
    expect(["a", "a", "a", "b"].map((holder) => waitOf(holder))).toEqual([null, null, 45, null])
    clock.advance(45_000)
    expect([waitOf("a"), refusals()]).toEqual([null, 1])
  })

  test("bounds all holders together", () => {
    const { waitOf } = createBudget(2, 2)
    expect(["a", "b", "c", "d", "e"].map((holder) => waitOf(holder))).toEqual([null, null, null, null, 60])
  })

  test("can be asked without being used", () => {
    const { waitOf } = createBudget(1)
    expect([waitOf("a", "requireLeft"), waitOf("a"), waitOf("a", "requireLeft")]).toEqual([null, null, 60])
  })

  test("can be of an amount, where the last may go over", () => {
    const budget = new RateBudget<number>({
      perHolder: 100,
      holders: 10,
      clock: { now: () => 0 },
      onRefused: () => undefined,
    })
    budget.take(1, 99)
    budget.take(1, 500)
    expect(() => budget.take(1, 1)).toThrow(expect.objectContaining({ code: "rate_limited" }))
    budget.take(2, 1)
  })

  test("of 0 has no end", () => {
    const { waitOf } = createBudget(0)
    expect([waitOf("a"), waitOf("a")]).toEqual([null, null])
  })
})
