import { setImmediate } from "node:timers/promises"

/** Resolves once everything that waits for this process has had its turn: requests, timers, answers of stores. */
export const nextTurn = (): Promise<void> => setImmediate()

/** Divides long work into turns of about the same cost, between which this process answers whoever waits. */
export class Turns {
  private spent = 0

  /** @param costOfTurn what a turn may cost, in whatever the work is counted in: items, characters. */
  constructor(private readonly costOfTurn: number) {}

  /** To be called after each piece of the work with its cost: whether others are to have their turn now. */
  isOver(cost: number): boolean {
    this.spent += cost
    return this.spent >= this.costOfTurn
  }

  /** Lets the others have their turn, and begins a new one. */
  next(): Promise<void> {
    this.spent = 0
    return nextTurn()
  }
}
