import { expect, test } from "@jest/globals"
import { createQueryResultCache } from "../../../../src/features/queries/cache/query-result.cache.js"
import type { QueryExecution } from "../../../../src/features/queries/execution/query-execution.js"
import {
  QueryExecutor,
  type QueryExecutorDependencies,
} from "../../../../src/features/queries/execution/query-executor.js"
import { toBackgroundLimits, toBlockingLimits } from "../../../../src/features/queries/execution/query-limits.js"
import { WITHIN_ONE_PROCESS } from "../../../../src/features/queries/execution/single-flight.types.js"
import type { QueryKind, RefreshMode } from "../../../../src/features/queries/queries.types.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import { createInProcessKeyValueCache } from "../../../../src/platform/cache/in-process-key-value-cache.js"
import { systemClock } from "../../../../src/platform/clock/system-clock.js"
import { FairConcurrencyLimiter } from "../../../../src/platform/limits/fair-concurrency-limiter.js"
import { createManualClock } from "../../../support/manual-clock.js"
import { waitFor } from "../../../support/wait-for.js"

const PROGRESS = { rowsRead: 1, bytesRead: 1, estimatedRowsTotal: 1, elapsedMs: 1, memoryBytes: 1 }

const createExecutor = (given: Partial<QueryExecutorDependencies>) =>
  new QueryExecutor({
    kinds: [],
    cache: createQueryResultCache(
      createInProcessKeyValueCache(systemClock),
      async () => 0,
      () => undefined,
    ),
    watermark: { dataThroughMs: async () => systemClock.now() },
    limiters: {
      blocking: new FairConcurrencyLimiter(toBlockingLimits(1, 10)),
      background: new FairConcurrencyLimiter(toBackgroundLimits(1)),
    },
    engine: { progress: async () => null },
    singleFlight: WITHIN_ONE_PROCESS,
    blockingSeconds: 60,
    clock: systemClock,
    ...given,
  })

function toExecution(text: string, refresh: RefreshMode, isBackground = false): QueryExecution {
  const query = { kind: "Gated", text }
  return {
    projectId: asProjectId(1),
    query,
    request: { query, clientQueryId: null, refresh },
    settings: { timezone: "UTC", weekStartDay: 0 },
    cacheKey: text,
    generation: 0,
    rangeEndMs: null,
    id: text,
    engineQueryId: text,
    isBackground,
  }
}

test.each([false, true])(
  "a query that was given up keeps its place until the engine has stopped (background: %s)",
  async (isBackground) => {
    const begun: string[] = []
    let engineWorks = true
    let looks = 0
    const kind: QueryKind = {
      kind: "Gated",
      run: (query, { signal }) => {
        begun.push(String(query.text))
        return query.text === "endless"
          ? new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
          : Promise.resolve({ results: [] })
      },
    }
    const executor = createExecutor({
      kinds: [kind],
      limiters: {
        blocking: new FairConcurrencyLimiter(toBlockingLimits(isBackground ? 4 : 1, 10)),
        background: new FairConcurrencyLimiter(toBackgroundLimits(isBackground ? 1 : 4)),
      },
      engine: {
        progress: async () => {
          looks++
          return engineWorks ? PROGRESS : null
        },
      },
    })
    const start = (text: string, signal: AbortSignal) =>
      executor.start(toExecution(text, "force_blocking", isBackground), signal).result
    const leaving = new AbortController()
    const endless = start("endless", leaving.signal).catch((reason: unknown) => reason)
    await waitFor("the query to begin", () => begun.length === 1)
    const next = start("next", new AbortController().signal)
    leaving.abort(new Error("gone"))
    expect(await endless).toMatchObject({ message: "gone" })
    await waitFor("two looks at the engine", () => looks >= 2)
    expect(begun).toEqual(["endless"])
    engineWorks = false
    await next
    expect(begun).toEqual(["endless", "next"])
  },
)

test("a query that waited for an equal one has no more than its time limit, also when the clock is set meanwhile", async () => {
  const limits: number[] = []
  const clock = createManualClock(Date.UTC(2026, 0, 1))
  let isHeldElsewhere = true
  const executor = createExecutor({
    kinds: [
      {
        kind: "Gated",
        run: async (_query, { maxExecutionSeconds }) => {
          limits.push(maxExecutionSeconds)
          return { results: [] }
        },
      },
    ],
    singleFlight: {
      ...WITHIN_ONE_PROCESS,
      claim: async () => (isHeldElsewhere ? null : async () => undefined),
      waitForRelease: async () => {
        isHeldElsewhere = false
        clock.advance(-3_600_000)
      },
    },
    clock,
  })
  await executor.start(toExecution("waits", "blocking"), new AbortController().signal).result
  expect(limits).toEqual([60])
})
