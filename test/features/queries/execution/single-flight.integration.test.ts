import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals"
import { createQueryResultCache } from "../../../../src/features/queries/cache/query-result.cache.js"
import { createFlightAnnouncements } from "../../../../src/features/queries/execution/flight-announcements.cache.js"
import { createPostgresSingleFlight } from "../../../../src/features/queries/execution/postgres-single-flight.store.js"
import type { QueryExecution } from "../../../../src/features/queries/execution/query-execution.js"
import { QueryExecutor } from "../../../../src/features/queries/execution/query-executor.js"
import { toBackgroundLimits, toBlockingLimits } from "../../../../src/features/queries/execution/query-limits.js"
import type { QueryAnswer, QueryKind, RefreshMode } from "../../../../src/features/queries/queries.types.js"
import { AppError } from "../../../../src/kernel/errors.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import { createInProcessKeyValueCache } from "../../../../src/platform/cache/in-process-key-value-cache.js"
import { systemClock } from "../../../../src/platform/clock/system-clock.js"
import { FairConcurrencyLimiter } from "../../../../src/platform/limits/fair-concurrency-limiter.js"
import { startTestStores, type TestStores } from "../../../support/test-stores.js"
import { waitFor } from "../../../support/wait-for.js"

let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores([])
})
afterAll(() => stores.stop())

const PROJECT = asProjectId(1)
const QUERY = { kind: "Gated" }
const DAY_MS = 86_400_000
const NEVER = new AbortController().signal
const HUGE = "x".repeat(5 * 1024 * 1024)

/** A kind whose calculations end when the test says so, in the order in which they were started. */
function gatedKind(isLive = false) {
  const started: PromiseWithResolvers<QueryAnswer>[] = []
  const kind: QueryKind = {
    kind: QUERY.kind,
    isLive,
    run: (_query, { signal }) => {
      const gate = Promise.withResolvers<QueryAnswer>()
      signal.addEventListener("abort", () => gate.reject(signal.reason))
      started.push(gate)
      return gate.promise
    },
  }
  const until = (count: number) => waitFor(`${count} calculations`, () => started.length >= count)
  return { kind, started, until }
}

interface Asked extends Partial<QueryExecution> {
  readonly refresh?: RefreshMode
  readonly signal?: AbortSignal
}

let keys = 0

/** Two processes on the same stores that are asked for one query nobody has asked for before. */
function twoProcesses({ isLive = false } = {}) {
  const { kind, started, until } = gatedKind(isLive)
  const cacheKey = `flight-${++keys}`
  const cache = createInProcessKeyValueCache(systemClock)
  const failures: unknown[] = []
  const onFailure = (failure: unknown) => void failures.push(failure)
  const place = { projectId: PROJECT, cacheKey, generation: 0 }
  const results = createQueryResultCache(cache, async () => 0, onFailure)
  const create = () =>
    new QueryExecutor({
      kinds: [kind],
      cache: results,
      watermark: { dataThroughMs: async () => systemClock.now() },
      engine: { progress: async () => null },
      limiters: {
        blocking: new FairConcurrencyLimiter(toBlockingLimits(4, 10)),
        background: new FairConcurrencyLimiter(toBackgroundLimits(4)),
      },
      singleFlight: {
        ...createPostgresSingleFlight(stores.database.pool, onFailure),
        ...createFlightAnnouncements(cache, onFailure),
      },
      blockingSeconds: 60,
      clock: systemClock,
    })
  const [one, other] = [create(), create()]
  const start = (process: QueryExecutor, { refresh = "blocking", signal = NEVER, ...some }: Asked = {}) => {
    const execution: QueryExecution = {
      ...place,
      query: QUERY,
      request: { query: QUERY, clientQueryId: null, refresh },
      settings: { timezone: "UTC", weekStartDay: 0 },
      rangeEndMs: null,
      id: "run",
      engineQueryId: "e",
      isBackground: false,
      ...some,
    }
    return process.start(execution, signal)
  }
  const ask = async (...given: Parameters<typeof start>): Promise<unknown> =>
    (await start(...given).result).answer.results
  /** A result of the same query that is too old to be served. */
  const keepOld = () =>
    results.keep(place, { answer: { results: "old" }, calculatedAtMs: systemClock.now() - DAY_MS, dataThroughMs: 0 })
  return { one, other, start, ask, started, until, failures, keepOld }
}

const waitersOfLocks = async (): Promise<number> => {
  const sql = "SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
  return (await stores.database.pool.query<{ count: number }>(sql)).rows[0]?.count ?? 0
}
const somebodyToWait = () => waitFor("a process to wait", async () => (await waitersOfLocks()) > 0)
const nobodyToHold = () =>
  waitFor("the locks to be given back", async () => {
    const sql = "SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory'"
    return (await stores.database.pool.query<{ count: number }>(sql)).rows[0]?.count === 0
  })

afterEach(nobodyToHold)

describe("a query that is asked for in two processes at the same time", () => {
  test("is calculated once, and both get the answer", async () => {
    const { one, other, ask, started, until } = twoProcesses()
    const first = ask(one)
    await until(1)
    const second = ask(other)
    await somebodyToWait()
    started[0]?.resolve({ results: "once" })
    expect(await Promise.all([first, second])).toEqual(["once", "once"])
    expect(started).toHaveLength(1)
  })

  test("is calculated by both when the second wants a calculation of its own", async () => {
    const { one, other, ask, started, until } = twoProcesses()
    const first = ask(one)
    await until(1)
    const second = ask(other, { refresh: "force_blocking" })
    await until(2)
    for (const [at, gate] of started.entries()) gate.resolve({ results: at })
    expect(await Promise.all([first, second])).toEqual([0, 1])
  })

  test.each<[string, Asked]>([
    ["another query or project", { cacheKey: "something else" }],
    ["limits of the background", { isBackground: true }],
  ])("does not wait for one with %s", async (_difference, difference) => {
    const { one, other, ask, started, until } = twoProcesses()
    const first = ask(one)
    await until(1)
    const second = ask(other, difference)
    await until(2)
    for (const [at, gate] of started.entries()) gate.resolve({ results: at })
    expect(await Promise.all([first, second])).toEqual([0, 1])
  })

  test("is calculated by both when its answers are never kept", async () => {
    const { one, other, ask, started, until } = twoProcesses({ isLive: true })
    const answers = [ask(one), ask(other)]
    await until(2)
    for (const gate of started) gate.resolve({ results: "live" })
    expect(await Promise.all(answers)).toEqual(["live", "live"])
  })

  test.each<[string, (gate: PromiseWithResolvers<QueryAnswer> | undefined) => void]>([
    ["fails", (gate) => gate?.reject(new AppError("query_timeout"))],
    ["has an answer too large to be kept", (gate) => gate?.resolve({ results: HUGE })],
  ])("is calculated by the second once the first %s", async (_what, end) => {
    const { one, other, ask, started, until } = twoProcesses()
    const first = ask(one).catch(() => "failed")
    await until(1)
    const second = ask(other)
    await somebodyToWait()
    end(started[0])
    await until(2)
    started[1]?.resolve({ results: "second" })
    expect(await second).toBe("second")
    await first
  })

  test.each([
    ["blocking", false],
    ["background", true],
  ])(
    "is calculated by the second once the first fails, although an older result is kept (%s)",
    async (_, isBackground) => {
      const { one, other, ask, started, until, keepOld } = twoProcesses()
      await keepOld()
      const first = ask(one, { isBackground }).catch(() => "failed")
      await until(1)
      const second = ask(other, { isBackground })
      await somebodyToWait()
      started[0]?.reject(new AppError("query_timeout"))
      await until(2)
      started[1]?.resolve({ results: "second" })
      expect(await second).toBe("second")
      expect(await first).toBe("failed")
    },
  )

  test("fails in the second with a reason of its own when it fails again", async () => {
    const { one, other, ask, started, until } = twoProcesses()
    const first = ask(one).catch(({ code }) => code)
    await until(1)
    const second = ask(other).catch(({ code }) => code)
    await somebodyToWait()
    started[0]?.reject(new AppError("query_timeout"))
    await until(2)
    started[1]?.reject(new AppError("query_memory_limit"))
    expect([await first, await second]).toEqual(["query_timeout", "query_memory_limit"])
  })

  test("is known in the second by the id under which the engine runs it for the first, as long as it does", async () => {
    const { one, other, start, started, until } = twoProcesses()
    const first = start(one, { engineQueryId: "of the first" })
    const firstEnd = first.result.catch(({ code }) => code)
    await until(1)
    const second = start(other, { engineQueryId: "of the second" })
    await somebodyToWait()
    await waitFor("the second to know", async () => (await second.findEngineQueryId()) === "of the first")
    expect(await first.findEngineQueryId()).toBe("of the first")
    started[0]?.reject(new AppError("query_timeout"))
    await until(2)
    expect(await second.findEngineQueryId()).toBe("of the second")
    started[1]?.resolve({ results: "second" })
    expect([await firstEnd, (await second.result).answer.results]).toEqual(["query_timeout", "second"])
  })

  test("is calculated by the second once the first has died", async () => {
    const { one, other, ask, started, until } = twoProcesses()
    const first = ask(one)
    await until(1)
    const second = ask(other)
    await somebodyToWait()
    // What becomes of the sessions of a process that ends.
    await stores.database.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted AND mode = 'ExclusiveLock'",
    )
    await until(2)
    started[1]?.resolve({ results: "second" })
    expect(await second).toBe("second")
    started[0]?.resolve({ results: "first" })
    expect(await first).toBe("first")
  })

  test("is waited for no longer once the second has left, and the first goes on", async () => {
    const { one, other, ask, started, until } = twoProcesses()
    const first = ask(one)
    await until(1)
    const leaving = new AbortController()
    const second = ask(other, { signal: leaving.signal })
    await somebodyToWait()
    const left = new AppError("query_cancelled")
    leaving.abort(left)
    await expect(second).rejects.toBe(left)
    started[0]?.resolve({ results: "first" })
    expect(await first).toBe("first")
    expect(started).toHaveLength(1)
  })

  test("is calculated all the same when PostgreSQL cannot tell", async () => {
    const { started, until, ask, one, failures } = twoProcesses()
    await stores.database.pool.query("ALTER FUNCTION pg_try_advisory_lock(bigint) RENAME TO hidden_lock")
    try {
      const first = ask(one)
      await until(1)
      started[0]?.resolve({ results: "alone" })
      expect(await first).toBe("alone")
    } finally {
      await stores.database.pool.query("ALTER FUNCTION hidden_lock(bigint) RENAME TO pg_try_advisory_lock")
    }
    expect(failures).not.toEqual([])
  })
})
