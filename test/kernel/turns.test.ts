import { describe, expect, test } from "@jest/globals"
import { Turns } from "../../src/kernel/turns.js"

/** Works the pieces off in turns; answers which pieces were done whenever somebody else had a turn. */
async function workOff(costs: readonly number[], turns: Turns): Promise<number[]> {
  const doneAtTurns: number[] = []
  let done = 0
  let isAtWork = true
  const others = () => {
    if (!isAtWork) return
    doneAtTurns.push(done)
    setImmediate(others)
  }
  setImmediate(others)
  for (const cost of costs) {
    done++
    if (turns.isOver(cost)) await turns.next()
  }
  isAtWork = false
  return doneAtTurns
}

describe("work in turns", () => {
  test("lets others have theirs whenever so much was spent, and begins to count anew", async () => {
    expect(await workOff([1, 1, 1, 1, 1, 1, 1], new Turns(3))).toEqual([3, 6])
  })

  test("counts what a piece costs, also a piece dearer than a whole turn", async () => {
    expect(await workOff([2, 9, 2, 1], new Turns(4))).toEqual([2])
  })

  test("that costs less than one turn is done without any wait", async () => {
    expect(await workOff([1, 1], new Turns(3))).toEqual([])
  })
})
