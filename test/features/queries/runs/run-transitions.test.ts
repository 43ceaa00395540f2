import { describe, expect, test } from "@jest/globals"
import { isFinal, type RunState, statesBefore } from "../../../../src/features/queries/runs/query-run.js"

const STATES: readonly RunState[] = ["queued", "running", "complete", "failed", "cancelled"]

/** Written by hand from the contract: which state may follow which. */
const ALLOWED: readonly (readonly [from: RunState, to: RunState])[] = [
  ["queued", "running"],
  ["queued", "failed"],
  ["queued", "cancelled"],
  ["running", "running"],
  ["running", "complete"],
  ["running", "failed"],
  ["running", "cancelled"],
]

describe("the states of a run", () => {
  test.each(STATES.flatMap((from) => STATES.map((to) => [from, to] as const)))("%s to %s", (from, to) => {
    const isAllowed = ALLOWED.some(([before, after]) => before === from && after === to)
    expect(statesBefore(to).includes(from)).toBe(isAllowed)
  })

  test("that are final are complete, failed and cancelled", () => {
    expect(STATES.filter(isFinal)).toEqual(["complete", "failed", "cancelled"])
  })
})
