import { setImmediate } from "node:timers/promises"
import { describe, expect, test } from "@jest/globals"
import type { QueryEngine, RowStreamEngine } from "../../../../src/features/queries/engine/query-engine.types.js"
import { EXPORT_LIMITS } from "../../../../src/features/queries/execution/query-limits.js"
import { createQueryExports } from "../../../../src/features/queries/exports/query-exports.js"
import type { QueryRequest } from "../../../../src/features/queries/queries.types.js"
import type { QueryRun } from "../../../../src/features/queries/runs/query-run.js"
import type { QueryRunExecutor } from "../../../../src/features/queries/runs/query-run-executor.js"
import type { QueryRunTracker } from "../../../../src/features/queries/runs/query-run-tracker.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import { FairConcurrencyLimiter } from "../../../../src/platform/limits/fair-concurrency-limiter.js"
import { createManualClock } from "../../../support/manual-clock.js"

const PROJECT = asProjectId(7)
const REQUEST: QueryRequest = { query: { kind: "TrendsQuery" }, clientQueryId: null, refresh: "blocking" }

/** Exports of a kind that is calculated at once, whose runs only tell how they ended. */
function createExports() {
  const limiter = new FairConcurrencyLimiter(EXPORT_LIMITS)
  const outcomes: string[] = []
  const runExecutor: Pick<QueryRunExecutor, "begin"> = {
    begin: async (_run, signal) => ({
      signal,
      finish: async (work) => {
        try {
          const answer = await (await work).result
          outcomes.push("complete")
          return answer
        } catch (failure) {
          outcomes.push("failed")
          throw failure
        }
      },
    }),
  }
  let lastId = 0
  const exports = createQueryExports({
    kindsOver: () => [{ kind: "TrendsQuery", run: async () => ({ columns: ["day"], results: [["2026-03-01"]] }) }],
    engine: {} as QueryEngine & RowStreamEngine,
    tracker: { start: async (asked: unknown) => asked as QueryRun } as unknown as QueryRunTracker,
    runExecutor: runExecutor as QueryRunExecutor,
    limiter,
    projects: { settings: async () => ({ timezone: "UTC", weekStartDay: 0 }) },
    clock: createManualClock(0),
    maxRows: 10,
    newId: () => `id-${++lastId}`,
  })
  const client = new AbortController()
  const open = () => exports.open(PROJECT, REQUEST, "jsonl", client.signal)
  return { open, limiter, outcomes, leave: () => client.abort(new Error("the client left")) }
}

describe("an export", () => {
  test("holds its slot until it has been read to the end", async () => {
    const { open, limiter, outcomes } = createExports()
    const { pieces } = await open()
    expect(limiter.running).toBe(1)
    const texts: string[] = []
    for await (const piece of pieces) texts.push(String(piece))
    await setImmediate()
    expect(texts.join("")).toContain("2026-03-01")
    expect([limiter.running, outcomes]).toEqual([0, ["complete"]])
  })

  test("that nobody has begun to read gives up its slot when the client leaves, and its run fails", async () => {
    const { open, limiter, outcomes, leave } = createExports()
    await open()
    leave()
    await setImmediate()
    expect([limiter.running, outcomes]).toEqual([0, ["failed"]])
  })
})
