import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals"
import { HeartbeatMonitor } from "../../../../src/features/queries/runs/heartbeat-monitor.js"
import type { QueryRun } from "../../../../src/features/queries/runs/query-run.js"
import type { JsonObject } from "../../../../src/kernel/json.js"
import { createInProcessKeyValueCache } from "../../../../src/platform/cache/in-process-key-value-cache.js"
import { systemClock } from "../../../../src/platform/clock/system-clock.js"
import { waitFor } from "../../../support/wait-for.js"
import {
  ENDLESS,
  OTHER_PROJECT,
  PROJECT,
  type QueriesApp,
  type QueriesProcess,
  startQueriesApp,
} from "../queries-app.js"

let app: QueriesApp
beforeAll(async () => {
  app = await startQueriesApp()
})
afterAll(() => app.stop())

const started: QueriesProcess[] = []
afterEach(async () => {
  for (const { worker, service } of started.splice(0)) {
    await worker.stop()
    service.stop()
  }
  await app.database.pool.query("DELETE FROM query_run")
})

function newProcess(some: Parameters<QueriesApp["process"]>[0] = {}): QueriesProcess {
  const made = app.process(some)
  started.push(made)
  return made
}

/** Of a process that executes no run itself. */
const NOT_HERE = (): boolean => false

const inState = ({ service }: QueriesProcess, id: string, state: QueryRun["state"], project = PROJECT) =>
  waitFor(`${id} to be ${state}`, async () => {
    const run = await service.status(project, id)
    return run.state === state ? run : null
  })

const engineRuns = async (): Promise<number> => {
  const sql =
    "SELECT count() AS c FROM system.processes WHERE query LIKE '%sipHash64%' AND query NOT LIKE '%system.processes%'"
  return (await app.clickHouse.rows<{ c: number | string }>({ sql })).map(({ c }) => Number(c))[0] ?? 0
}
const engineIsFree = () => waitFor("the engine to be free", async () => (await engineRuns()) === 0, 1_000)

describe("a run in the form of a later release", () => {
  test("is left to a worker of that release, however long others are free", async () => {
    const { ask, worker, service } = newProcess()
    await ask("SELECT 1", { id: "later", refresh: "force_async" })
    await app.database.pool.query("UPDATE query_run SET format = 2")
    await ask("SELECT 2", { id: "known", refresh: "force_async" })
    await worker.start()
    await waitFor("the other run", async () => (await service.status(PROJECT, "known")).state === "complete")
    expect(await service.status(PROJECT, "later")).toMatchObject({ state: "queued" })
  })
})

describe("a client_query_id", () => {
  test("that comes twice is one run", async () => {
    const { ask } = newProcess()
    await ask("SELECT 1", { id: "twice", refresh: "force_async" })
    await ask("SELECT 1", { id: "twice", refresh: "async" })
    const { rows } = await app.database.pool.query("SELECT sequence FROM query_run")
    expect(rows).toEqual([{ sequence: 0 }])
  })

  test("of two projects is two runs that know nothing of each other", async () => {
    const one = newProcess()
    await one.worker.start()
    await one.ask("SELECT 'one'", { id: "same", refresh: "force_async" })
    await one.ask("SELECT 'two'", { id: "same", refresh: "force_async", project: OTHER_PROJECT })
    const answers = await Promise.all(
      [PROJECT, OTHER_PROJECT].map(
        async (project) => (await inState(one, "same", "complete", project)).answer?.results,
      ),
    )
    expect(answers).toEqual([[["one"]], [["two"]]])
    await one.service.cancel(PROJECT, "same")
    expect((await one.service.status(OTHER_PROJECT, "same")).state).toBe("complete")
  })

  test("that comes to two processes at once is one run with one answer for both", async () => {
    const sharedCache = createInProcessKeyValueCache(systemClock)
    const [one, other] = [newProcess({ sharedCache }), newProcess({ sharedCache })]
    const text = "SELECT sum(sipHash64(number)) FROM numbers(40000000)"
    const first = one.ask(text, { id: "both" })
    await inState(one, "both", "running")
    const [answer, joined] = await Promise.all([first, other.ask(text, { id: "both" })])
    expect(joined.results).toEqual(answer.results)
    const { rows } = await app.database.pool.query("SELECT id, state FROM query_run")
    expect(rows).toEqual([{ id: "both", state: "complete" }])
  })

  test("that is under way answers for no other query", async () => {
    const { ask } = newProcess()
    await ask("SELECT 1", { id: "taken", refresh: "force_async" })
    const conflict = { code: "conflict", details: { attr: "client_query_id" } }
    await expect(ask("SELECT 2", { id: "taken", refresh: "force_async" })).rejects.toMatchObject(conflict)
    await expect(ask("SELECT 2", { id: "taken" })).rejects.toMatchObject(conflict)
  })

  test("of a run that failed starts a new one", async () => {
    const one = newProcess()
    await one.worker.start()
    await one.ask("SELECT nope FROM events", { id: "again", refresh: "async" })
    const failed = await inState(one, "again", "failed")
    expect(failed).toMatchObject({
      errorMessage: expect.stringContaining("nope"),
      error: { code: "hogql_query_error" },
    })
    await one.ask("SELECT 5", { id: "again", refresh: "async" })
    const complete = await inState(one, "again", "complete")
    expect(complete).toMatchObject({ errorMessage: null, error: null, answer: { results: [[5]] } })
    expect(complete.sequence).toBeGreaterThan(failed.sequence)
  })

  test("with a blocking query makes its status known, from the cache too", async () => {
    const { ask, service } = newProcess()
    await ask("SELECT 6", { id: "first" })
    await ask("SELECT 6", { id: "second" })
    for (const [id, isCached] of [
      ["first", false],
      ["second", true],
    ] as const)
      expect(await service.status(PROJECT, id)).toMatchObject({
        state: "complete",
        answer: { results: [[6]], is_cached: isCached },
      })
  })

  test("keeps a NUL of its query, and is itself refused with one by not being found", async () => {
    const { ask, service } = newProcess()
    await ask("SELECT 'a\0b'", { id: "nul", refresh: "force_async" })
    expect((await service.status(PROJECT, "nul")).request.query.query).toBe("SELECT 'a\0b'")
    await expect(service.status(PROJECT, "a\0b")).rejects.toMatchObject({ code: "not_found" })
  })
})

describe("equal queries", () => {
  test("that come at once are one piece of the engine's work", async () => {
    const { ask } = newProcess()
    const text = "SELECT sum(sipHash64(number)) FROM numbers(30000000)"
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(text)))
    expect(new Set(answers.map(({ last_refresh }) => last_refresh)).size).toBe(1)
    expect((await ask(text)).is_cached).toBe(true)
  })

  test("of which one fails are not kept", async () => {
    const { ask } = newProcess()
    for (let count = 0; count < 2; count++)
      await expect(ask("SELECT nope")).rejects.toMatchObject({ code: "hogql_query_error" })
    expect((await ask("SELECT nope", { refresh: "force_cache" })).results).toBeUndefined()
  })
})

describe("workers", () => {
  test("run at most as many as they may, and leave a place to other projects", async () => {
    const busy = newProcess({ maxConcurrentRuns: 3 })
    for (let count = 0; count < 4; count++)
      await busy.ask(`${ENDLESS} -- ${count}`, { id: `a${count}`, refresh: "force_async" })
    await busy.worker.start()
    await inState(busy, "a1", "running")
    await busy.ask("SELECT 7", { id: "b", refresh: "force_async", project: OTHER_PROJECT })
    await inState(busy, "b", "complete", OTHER_PROJECT)
    const { rows } = await app.database.pool.query("SELECT id FROM query_run WHERE state = 'running' ORDER BY id")
    expect(rows).toEqual([{ id: "a0" }, { id: "a1" }])
  })

  test("of two processes leave a place to other projects however many runs of one are in line", async () => {
    const processes = [newProcess({ maxConcurrentRuns: 2 }), newProcess({ maxConcurrentRuns: 2 })]
    const [first] = processes as [QueriesProcess]
    for (let count = 0; count < 10; count++)
      await first.ask(`${ENDLESS} -- of ten ${count}`, { id: `t${count}`, refresh: "force_async" })
    for (const { worker } of processes) await worker.start()
    const running = async () =>
      (await app.database.pool.query("SELECT id FROM query_run WHERE state = 'running'")).rows.length
    await waitFor("both to be at work", async () => (await running()) === 2)
    for (const id of ["u", "v"]) {
      await first.ask(`SELECT '${id}'`, { id, refresh: "force_async", project: OTHER_PROJECT })
      await inState(first, id, "complete", OTHER_PROJECT)
    }
    expect(await running()).toBe(2)
  })

  test("of two processes share the queue", async () => {
    const processes = [newProcess(), newProcess()]
    const [first] = processes as [QueriesProcess]
    for (let count = 0; count < 30; count++)
      await first.ask(`SELECT ${count}`, { id: `r${count}`, refresh: "force_async" })
    for (const { worker } of processes) await worker.start()
    for (let count = 0; count < 30; count++)
      expect((await inState(first, `r${count}`, "complete")).answer?.results).toEqual([[count]])
  })

  test("of two processes that claim at the same time get each run once", async () => {
    const processes = [newProcess(), newProcess()]
    const ids = Array.from({ length: 30 }, (_, count) => `c${count}`)
    for (const id of ids) await processes[0]?.ask(`SELECT '${id}'`, { id, refresh: "force_async" })
    const claimed = await Promise.all(
      processes.map(async ({ tracker }, worker) => {
        const own: string[] = []
        const claim = () => tracker.claimNext(`worker ${worker}`, ids.length)
        for (let run = await claim(); run !== null; run = await claim()) own.push(run.id)
        return own
      }),
    )
    expect(claimed.flat().sort()).toEqual(ids.sort())
  })

  test("that fall silent lose their runs, which end as failed with the reason", async () => {
    const dead = newProcess()
    await dead.ask(ENDLESS, { id: "orphan", refresh: "force_async" })
    expect(await dead.tracker.claimNext("a worker that is gone", 3)).toMatchObject({ state: "running" })
    const alive = newProcess()
    const monitor = new HeartbeatMonitor(5_000)
    expect(await alive.tracker.sweep(monitor, 0, NOT_HERE)).toEqual([])
    expect(await alive.tracker.sweep(monitor, 4_999, NOT_HERE)).toEqual([])
    expect((await alive.tracker.sweep(monitor, 5_000, NOT_HERE)).map(({ id }) => id)).toEqual(["orphan"])
    expect(await alive.service.status(PROJECT, "orphan")).toMatchObject({
      state: "failed",
      errorMessage: expect.stringContaining("interrupted"),
      error: { code: "query_interrupted", start: null, end: null },
      endedAt: expect.any(Date),
    })
  })

  test("that are only slow to tell of their own runs keep them", async () => {
    const { ask, tracker, service } = newProcess()
    await ask(ENDLESS, { id: "quiet", refresh: "force_async" })
    await tracker.claimNext("a worker of this process", 3)
    const monitor = new HeartbeatMonitor(5_000)
    for (const monotonicMs of [0, 5_000, 10_000])
      expect(await tracker.sweep(monitor, monotonicMs, () => true)).toEqual([])
    expect(await service.status(PROJECT, "quiet")).toMatchObject({ state: "running" })
  })

  test("that stop end their runs as failed with the reason", async () => {
    const stopping = newProcess()
    await stopping.worker.start()
    await stopping.ask(ENDLESS, { id: "stopped", refresh: "force_async" })
    await inState(stopping, "stopped", "running")
    await stopping.worker.stop()
    expect(await stopping.service.status(PROJECT, "stopped")).toMatchObject({
      state: "failed",
      errorMessage: expect.stringContaining("the server stopped"),
    })
    await engineIsFree()
  })

  test("give up runs that nobody took in time", async () => {
    const { ask, tracker, service } = newProcess()
    await ask("SELECT 1", { id: "old", refresh: "force_async" })
    await app.database.pool.query("UPDATE query_run SET queued_at = now() - interval '11 minutes'")
    await tracker.sweep(new HeartbeatMonitor(5_000), 0, NOT_HERE)
    expect(await service.status(PROJECT, "old")).toMatchObject({
      state: "failed",
      errorMessage: expect.stringContaining("waited"),
    })
  })
})

describe("a change", () => {
  test("is stored before anybody is told of it", async () => {
    const { ask, tracker, service } = newProcess()
    await ask("SELECT 1", { id: "told", refresh: "force_async" })
    const run = await service.status(PROJECT, "told")
    const storedWhenTold: string[] = []
    const following = await tracker.follow(
      run,
      () => void service.status(PROJECT, "told").then(({ state }) => storedWhenTold.push(state)),
    )
    await waitFor("the present state", () => storedWhenTold.length === 1)
    await tracker.move(run, "cancelled")
    await waitFor("the change", () => storedWhenTold.length === 2)
    expect(storedWhenTold).toEqual(["queued", "cancelled"])
    await following.leave()
    expect(tracker.followed).toEqual({ runs: 0, followers: 0 })
  })

  test("is seen by another process that was sent no message", async () => {
    const [here, there] = [newProcess(), newProcess()]
    await here.ask("SELECT 1", { id: "elsewhere", refresh: "force_async" })
    const states = await there.service.watch(PROJECT, ["elsewhere"])
    expect((await states.next()).value?.state).toBe("queued")
    await here.service.cancel(PROJECT, "elsewhere")
    expect((await states.next()).value?.state).toBe("cancelled")
    expect((await states.next()).done).toBe(true)
    expect(there.tracker.followed).toEqual({ runs: 0, followers: 0 })
  })
})

describe("cancelling", () => {
  const eventsOf = async ({ service }: QueriesProcess, id: string): Promise<string[]> => {
    const states: string[] = []
    for await (const { state } of await service.watch(PROJECT, [id])) states.push(state)
    return states
  }
  const finals = (states: readonly string[]) =>
    states.filter((state) => ["complete", "failed", "cancelled"].includes(state))

  test("before anybody took the run ends it, and nobody takes it any more", async () => {
    const one = newProcess()
    await one.ask(ENDLESS, { id: "early", refresh: "force_async" })
    const following = eventsOf(one, "early")
    await one.service.cancel(PROJECT, "early")
    await one.worker.start()
    expect(finals(await following)).toEqual(["cancelled"])
    expect(await one.tracker.claimNext("w", 3)).toBeNull()
    expect(await engineRuns()).toBe(0)
  })

  test("a background run frees the engine within a second, from another process too", async () => {
    const [working, asking] = [newProcess(), newProcess()]
    await working.worker.start()
    await working.ask(ENDLESS, { id: "during", refresh: "force_async" })
    await inState(working, "during", "running")
    await waitFor("the engine to work", async () => (await engineRuns()) === 1)
    const following = eventsOf(working, "during")
    await asking.service.cancel(PROJECT, "during")
    await engineIsFree()
    expect(finals(await following)).toEqual(["cancelled"])
    expect((await working.service.status(PROJECT, "during")).state).toBe("cancelled")
  })

  test("a blocking query under its id ends it with query_cancelled and frees the engine", async () => {
    const { ask, service } = newProcess()
    const answer = ask(ENDLESS, { id: "blocked" }).catch((fault: { code: string }) => fault.code)
    await waitFor("the engine to work", async () => (await engineRuns()) === 1)
    await service.cancel(PROJECT, "blocked")
    expect(await answer).toBe("query_cancelled")
    await engineIsFree()
  })

  test("one of two equal blocking queries leaves the other its answer", async () => {
    const { ask, service } = newProcess()
    const text = "SELECT sum(sipHash64(number)) FROM numbers(60000000)"
    const one = ask(text, { id: "one" }).catch((fault: { code: string }) => fault.code)
    const other = ask(text, { id: "other" })
    await waitFor("both to be known", async () => {
      const known = await Promise.all(["one", "other"].map((id) => service.status(PROJECT, id).catch(() => null)))
      return known.every((run) => run !== null)
    })
    await service.cancel(PROJECT, "one")
    expect(await one).toBe("query_cancelled")
    expect(((await other) as JsonObject).results).toHaveLength(1)
  })

  test("a finished run drops its status", async () => {
    const { ask, service } = newProcess()
    await ask("SELECT 1", { id: "late" })
    expect((await service.cancel(PROJECT, "late")).state).toBe("complete")
    await expect(service.status(PROJECT, "late")).rejects.toMatchObject({ code: "not_found" })
    await expect(service.cancel(PROJECT, "late")).rejects.toMatchObject({ code: "not_found" })
  })

  test("only from the queue leaves a run alone that was picked up", async () => {
    const one = newProcess()
    await one.ask("SELECT 1", { id: "waiting", refresh: "force_async" })
    expect((await one.service.cancel(PROJECT, "waiting", true)).state).toBe("cancelled")
    await one.ask("SELECT 2", { id: "taken", refresh: "force_async" })
    await one.tracker.claimNext("w", 3)
    expect((await one.service.cancel(PROJECT, "taken", true)).state).toBe("running")
  })

  test("and asking again under the same id is not undone by the first attempt's end", async () => {
    const one = newProcess()
    await one.worker.start()
    await one.ask(ENDLESS, { id: "reused", refresh: "force_async" })
    await inState(one, "reused", "running")
    await one.service.cancel(PROJECT, "reused")
    await one.ask("SELECT 8", { id: "reused", refresh: "force_async" })
    expect((await inState(one, "reused", "complete")).answer?.results).toEqual([[8]])
    await engineIsFree()
  })
})

describe("an answer", () => {
  test("too large for the cache says so each time, and is calculated each time", async () => {
    const { ask } = newProcess()
    const text = "SELECT repeat('x', 100000) FROM numbers(45)"
    for (let count = 0; count < 2; count++) {
      const answer = await ask(text)
      expect(answer).toMatchObject({ is_cached: false, is_cacheable: false })
      expect(answer.warnings).toEqual([expect.stringContaining("too large for the result cache")])
    }
  })

  test("says that it misses events when ingestion is behind", async () => {
    const through = Date.now() - 60_000
    const { ask } = newProcess({ dataThroughMs: () => through })
    expect(await ask("SELECT 1")).toMatchObject({ is_stale: true, data_through: new Date(through).toISOString() })
    expect(await newProcess().ask("SELECT 1")).toMatchObject({ is_stale: false })
  })

  test("stays for minutes after its run has ended, however long that waited and took", async () => {
    const one = newProcess()
    await one.ask("SELECT 10", { id: "waited", refresh: "force_async" })
    await app.database.pool.query("UPDATE query_run SET expires_at = now() + interval '1 minute'")
    const minutesAfter = async (time: "picked_up_at" | "ended_at") => {
      const sql = `SELECT round(extract(epoch FROM expires_at - ${time}) / 60)::int AS minutes FROM query_run`
      return (await app.database.pool.query<{ minutes: number }>(sql)).rows[0]?.minutes
    }
    const run = await one.tracker.claimNext("w", 3)
    expect(await minutesAfter("picked_up_at")).toBe(20)
    await app.database.pool.query("UPDATE query_run SET expires_at = now() + interval '1 minute'")
    await one.tracker.move(run as QueryRun, "complete", { answer: { results: [[10]] } })
    expect(await minutesAfter("ended_at")).toBe(10)
  })

  test("is found in the cache after its status has expired", async () => {
    const one = newProcess()
    await one.ask("SELECT 9", { id: "expired" })
    await app.database.pool.query("UPDATE query_run SET expires_at = now() - interval '1 second'")
    await one.tracker.deleteExpired()
    expect(await one.service.status(PROJECT, "expired")).toMatchObject({
      state: "complete",
      answer: { results: [[9]], is_cached: true },
    })
    await app.database.pool.query("UPDATE query_run SET expires_at = now() - interval '2 days'")
    await one.tracker.deleteExpired()
    await expect(one.service.status(PROJECT, "expired")).rejects.toMatchObject({ code: "not_found" })
  })
})

describe("a status that is waited for", () => {
  const wait = { waitMs: 30_000, wakesOnProgress: false }

  test("comes with the next state", async () => {
    const one = newProcess()
    await one.ask("SELECT 1", { id: "polled", refresh: "force_async" })
    const next = one.service.status(PROJECT, "polled", wait)
    await waitFor("the wait to begin", () => one.tracker.followed.followers === 1)
    await one.tracker.claimNext("w", 3)
    expect((await next).state).toBe("running")
    expect(one.tracker.followed).toEqual({ runs: 0, followers: 0 })
  })

  test("comes at once when it is final", async () => {
    const one = newProcess()
    await one.ask("SELECT 1", { id: "done" })
    expect((await one.service.status(PROJECT, "done", wait)).state).toBe("complete")
  })

  test("comes as it is when the time is over or the server stops", async () => {
    const one = newProcess()
    await one.ask("SELECT 1", { id: "still", refresh: "force_async" })
    expect((await one.service.status(PROJECT, "still", { ...wait, waitMs: 1 })).state).toBe("queued")
    const waiting = one.service.status(PROJECT, "still", wait)
    await waitFor("the wait to begin", () => one.tracker.followed.followers === 1)
    one.service.stop()
    expect((await waiting).state).toBe("queued")
  })
})

describe("a run that waits for another process", () => {
  const engineToBeFree = () => waitFor("the engine to be free", async () => (await engineRuns()) === 0)
  const codeOf = ({ code }: { code: string }) => code

  /** A run that one process calculates, and a run of the same query in another one. */
  async function twoProcesses() {
    const sharedCache = createInProcessKeyValueCache(systemClock)
    const [one, other] = [newProcess({ sharedCache }), newProcess({ sharedCache })]
    const first = one.ask(ENDLESS, { id: "first" }).catch(codeOf)
    await waitFor("the engine to work", async () => (await engineRuns()) === 1)
    const second = other.ask(ENDLESS, { id: "second" }).catch(codeOf)
    await inState(other, "second", "running")
    const isShown = async () => (await other.service.status(PROJECT, "second")).progress !== null
    return { one, other, first, second, isShown }
  }

  test("shows the progress of that process", async () => {
    const { one, other, first, second, isShown } = await twoProcesses()
    const shown = await waitFor("progress", async () => (await isShown()) && other.service.status(PROJECT, "second"))
    expect(shown.progress?.rowsRead).toBeGreaterThan(0)
    expect(await engineRuns()).toBe(1)
    await Promise.all([one.service.cancel(PROJECT, "first"), other.service.cancel(PROJECT, "second")])
    expect([await first, await second]).toEqual(["query_cancelled", "query_cancelled"])
    await engineToBeFree()
  })

  test("ends when it is cancelled, and that process goes on", async () => {
    const { one, other, first, second, isShown } = await twoProcesses()
    await waitFor("the second to wait", isShown)
    await other.service.cancel(PROJECT, "second")
    expect(await second).toBe("query_cancelled")
    expect((await other.service.status(PROJECT, "second")).state).toBe("cancelled")
    expect(await engineRuns()).toBe(1)
    await one.service.cancel(PROJECT, "first")
    expect(await first).toBe("query_cancelled")
    await engineToBeFree()
  })

  test("goes on by itself when that process's run is cancelled", async () => {
    const { one, other, first, second, isShown } = await twoProcesses()
    await waitFor("the second to wait", isShown)
    await one.service.cancel(PROJECT, "first")
    expect(await first).toBe("query_cancelled")
    await waitFor("the engine to work for the second", async () => {
      const sql =
        "SELECT log_comment AS id FROM (SELECT Settings['log_comment'] AS log_comment, query FROM system.processes) WHERE query LIKE '%sipHash64%' AND query NOT LIKE '%system.processes%'"
      const ids = (await app.clickHouse.rows<{ id: string }>({ sql })).map(({ id }) => id)
      const { engineQueryId } = await other.service.status(PROJECT, "second")
      return ids.includes(engineQueryId)
    })
    await other.service.cancel(PROJECT, "second")
    expect(await second).toBe("query_cancelled")
    await engineToBeFree()
  })
})
