import { describe, expect, test } from "@jest/globals"
import type { QueryRun } from "../../../src/features/queries/runs/query-run.js"
import type { RunBoard } from "../../../src/features/queries/runs/run-board.js"
import { createRunPerformer } from "../../../src/features/queries/runs/run-performer.js"
import { asProjectId } from "../../../src/kernel/ids.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"

const RUN = { projectId: asProjectId(1), id: "mine", engineQueryId: "e1" } as QueryRun

const performerOver = (board: Partial<RunBoard>) =>
  createRunPerformer({
    board: { follow: async () => async () => undefined, move: async (run: QueryRun) => run, ...board } as RunBoard,
    engine: { kill: async () => undefined, progress: async () => null },
    logger: silentLogger,
    newId: () => "error-1",
  })

describe("a run is performed here", () => {
  test("from its beginning until its end is written down", async () => {
    const seen: boolean[] = []
    const performer = performerOver({
      move: async (run) => {
        seen.push(performer.isPerforming(RUN))
        return run
      },
    })
    const answer = { results: [] } as never
    const done = performer.perform(RUN, new AbortController().signal, () => {
      seen.push(performer.isPerforming(RUN))
      return { runsUnder: async () => "e1", answer: Promise.resolve(answer) }
    })
    seen.push(performer.isPerforming(RUN))
    expect(await done).toBe(answer)
    expect(seen).toEqual([true, true, true])
    expect(performer.isPerforming(RUN)).toBe(false)
  })

  test("no longer when it cannot be followed, and never because an older run has its id", async () => {
    const failing = performerOver({ follow: () => Promise.reject(new Error("the store is away")) })
    const begin = () => Promise.reject(new Error("must not begin"))
    await expect(failing.perform(RUN, new AbortController().signal, begin)).rejects.toThrow("the store is away")
    expect(failing.isPerforming(RUN)).toBe(false)

    const performer = performerOver({})
    const hanging = performer.perform(RUN, new AbortController().signal, () => new Promise(() => undefined))
    expect(performer.isPerforming({ ...RUN, engineQueryId: "e2" })).toBe(false)
    expect(performer.isPerforming(RUN)).toBe(true)
    void hanging
  })
})
