import { setImmediate } from "node:timers/promises"

/** Resolves after pending I/O, timers and promises were served. Long work awaits it so that requests are answered meanwhile. */
export const yieldToEventLoop = (): Promise<void> => setImmediate()

/** Tells long work when to yield: `if (budget.spend(cost)) await yieldToEventLoop()`. */
export class YieldBudget {
  private spent = 0

  /** @param maxCost work between two yields, in whatever unit it is counted in: items, characters. */
  constructor(private readonly maxCost: number) {}

  /** Adds the cost of the work just done. True when the budget is used up; it is then whole again. */
  spend(cost: number): boolean {
    this.spent += cost
    if (this.spent < this.maxCost) return false
    this.spent = 0
    return true
  }
}
