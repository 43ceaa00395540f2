import { describe, expect, test } from "@jest/globals"
import type { QueryRun } from "../../../../src/features/queries/runs/query-run.js"
import { createQueryRunExecutor } from "../../../../src/features/queries/runs/query-run-executor.js"
import type { QueryRunTracker } from "../../../../src/features/queries/runs/query-run-tracker.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"

const RUN = { projectId: asProjectId(1), id: "mine", engineQueryId: "e1" } as QueryRun
const NEVER = new AbortController().signal

const executorOver = (tracker: Partial<QueryRunTracker>) =>
  createQueryRunExecutor({
    tracker: {
      follow: async () => ({ leave: async () => undefined }),
      move: async (run: QueryRun) => run,
      ...tracker,
    } as QueryRunTracker,
    engine: { kill: async () => undefined, progress: async () => null },
    logger: silentLogger,
    newId: () => "error-1",
  })

describe("a run is executed here", () => {
  test("from its beginning until its outcome is stored", async () => {
    const seen: boolean[] = []
    const executor = executorOver({
      move: async (run) => {
        seen.push(executor.isExecuting(RUN))
        return run
      },
    })
    const answer = { results: [] } as never
    const beginning = executor.begin(RUN, NEVER)
    seen.push(executor.isExecuting(RUN))
    const { finish } = await beginning
    seen.push(executor.isExecuting(RUN))
    expect(await finish({ findEngineQueryId: async () => "e1", result: Promise.resolve(answer) })).toBe(answer)
    expect(seen).toEqual([true, true, true])
    expect(executor.isExecuting(RUN)).toBe(false)
  })

  test("until it is stored as failed when its work could not be started", async () => {
    const stored: string[] = []
    const executor = executorOver({
      move: async (run, to, change) => {
        stored.push(`${to}: ${change?.errorMessage}`)
        return run
      },
    })
    const { finish } = await executor.begin(RUN, NEVER)
    const failure = new Error("the settings could not be read")
    await expect(finish(Promise.reject(failure))).rejects.toBe(failure)
    expect(stored).toEqual(["failed: A server error occurred."])
    expect(executor.isExecuting(RUN)).toBe(false)
  })

  test("no longer when it cannot be followed, and never because an older run has its id", async () => {
    const failing = executorOver({ follow: () => Promise.reject(new Error("the store is away")) })
    await expect(failing.begin(RUN, NEVER)).rejects.toThrow("the store is away")
    expect(failing.isExecuting(RUN)).toBe(false)

    const executor = executorOver({})
    await executor.begin(RUN, NEVER)
    expect(executor.isExecuting({ ...RUN, engineQueryId: "e2" })).toBe(false)
    expect(executor.isExecuting(RUN)).toBe(true)
  })
})
