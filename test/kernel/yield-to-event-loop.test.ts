import { describe, expect, test } from "@jest/globals"
import { YieldBudget, yieldToEventLoop } from "../../src/kernel/yield-to-event-loop.js"

/** Does work of these costs; answers how many pieces were done whenever the event loop served somebody else. */
async function doneAtYields(costs: readonly number[], budget: YieldBudget): Promise<number[]> {
  const yields: number[] = []
  let done = 0
  let isAtWork = true
  const others = () => {
    if (!isAtWork) return
    yields.push(done)
    setImmediate(others)
  }
  setImmediate(others)
  for (const cost of costs) {
    done++
    if (budget.spend(cost)) await yieldToEventLoop()
  }
  isAtWork = false
  return yields
}

describe("work with a yield budget", () => {
  test("yields whenever the budget is spent, and begins to count anew", async () => {
    expect(await doneAtYields([1, 1, 1, 1, 1, 1, 1], new YieldBudget(3))).toEqual([3, 6])
  })

  test("counts what a piece costs, also a piece dearer than the whole budget", async () => {
    expect(await doneAtYields([2, 9, 2, 1], new YieldBudget(4))).toEqual([2])
  })

  test("that costs less than the budget never yields", async () => {
    expect(await doneAtYields([1, 1], new YieldBudget(3))).toEqual([])
  })
})
