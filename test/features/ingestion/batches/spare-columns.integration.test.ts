import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { BatchLog } from "../../../../src/features/ingestion/batches/batch.types.js"
import { SpareCatalogue } from "../../../../src/features/ingestion/spares/spare-catalogue.js"
import type { JsonObject } from "../../../../src/kernel/json.js"
import { createManualClock } from "../../../support/manual-clock.js"
import { type RealStores, startRealStores } from "../real-stores.js"
import { Crash, Journey, NOW_MS, sent } from "./journey.js"

let stores: RealStores
beforeAll(async () => {
  stores = await startRealStores()
})
afterAll(() => stores.stop())

/** A process in which every event counts, and each batch may earn. */
const startProcess = () =>
  new SpareCatalogue(createManualClock(NOW_MS), { everyEvents: 1, countedEvents: 1, minEvents: 1 })

const append = (journey: Journey, ...all: readonly JsonObject[]): Promise<void> =>
  journey.append(...all.map((properties) => sent("bought", "user", { properties })))

/** What the rows of a project have in their first spare columns, in the order they were sent. */
async function listRows(journey: Journey): Promise<unknown[]> {
  const { rows } = await stores.clickHouse.query({
    sql: `SELECT spare_count, spare_1, spare_2, spare_3 FROM events
          WHERE project_id = {project:Int64} ORDER BY uuid`,
    parameters: { project: journey.projectId },
  })
  return [...rows]
}

async function listGiven(journey: Journey): Promise<string[]> {
  const { rows } = await stores.pool.query<{ name: string }>(
    "SELECT spare || ' ' || name AS name FROM property_spare WHERE project_id = $1 ORDER BY spare",
    [journey.projectId],
  )
  return rows.map(({ name }) => name)
}

describe("a property with a spare column", () => {
  test("has it from the batch after the one that earned it, and keeps it", async () => {
    const journey = new Journey(stores)
    const spares = startProcess()
    await append(journey, { plan: "pro" })
    await journey.work({ spares })
    await append(journey, { plan: "team\t\\N", size: 3 }, { size: 12.5 }, { plan: null })
    await journey.work({ spares })
    await append(journey, { plan: ["a"], size: true })
    await journey.work({ spares })
    expect(await listGiven(journey)).toEqual(["1 plan", "2 size"])
    expect(await listRows(journey)).toEqual([
      [0, null, null, null],
      [1, "team\t\\N", null, null],
      [1, null, null, null],
      [1, null, null, null],
      [2, '["a"]', "true", null],
    ])
  })

  test("is one of sixteen", async () => {
    const journey = new Journey(stores)
    const spares = startProcess()
    for (const letter of ["a", "b"]) {
      await append(journey, Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`${letter}${index}`, 1])))
      await journey.work({ spares })
    }
    await append(journey, { a0: "first", b10: "sixteenth", b9: "none" })
    await journey.work({ spares })
    const given = await listGiven(journey)
    expect(given).toHaveLength(16)
    expect([given[0], given[15]]).toEqual(["1 a0", "16 b11"])
    expect((await listRows(journey)).at(-1)).toEqual([16, "first", null, null])
  })

  test("is another one in another project", async () => {
    const [journey, other] = [new Journey(stores), new Journey(stores)]
    const spares = startProcess()
    await append(journey, { plan: "pro" })
    await journey.work({ spares })
    await append(other, { size: 1, plan: "free" })
    await other.work({ spares })
    await append(other, { plan: "free", size: 2 })
    await other.work({ spares })
    expect([await listGiven(journey), await listGiven(other)]).toEqual([["1 plan"], ["1 plan", "2 size"]])
    expect(await listRows(other)).toEqual([
      [0, null, null, null],
      [2, "free", "2", null],
    ])
  })

  test("has none when the batch that earned it fails, and no row says otherwise", async () => {
    const journey = new Journey(stores)
    const wrap = (log: BatchLog): BatchLog => ({
      ...log,
      transaction: (work) =>
        log.transaction((transaction) => work({ ...transaction, finish: () => Promise.reject(new Crash()) })),
    })
    await append(journey, { lost: 1 })
    const spares = startProcess()
    await expect(journey.work({ spares, wrap })).rejects.toThrow()
    expect(await listGiven(journey)).toEqual([])
    await append(journey, { lost: 1 })
    expect(await journey.work({ spares })).toEqual({ stored: 1, dropped: 0 })
    expect(await listRows(journey)).toEqual([[0, null, null, null]])
  })

  test("leaves a replayed event stored once, by a process that knows other columns", async () => {
    const journey = new Journey(stores)
    const old = startProcess()
    await append(journey, { plan: "pro" })
    await journey.work({ spares: old })
    const events = Array.from({ length: 30 }, (_, index) => ({ plan: "x".repeat(10 * index), size: index }))
    await append(journey, ...events)
    const wrap = (log: BatchLog): BatchLog => ({
      ...log,
      transaction: (work) =>
        log.transaction((transaction) => work({ ...transaction, finish: () => Promise.reject(new Crash()) })),
    })
    // The first attempt knows no columns, and stores chunks that depend on the size of rows.
    const unaware = { read: async () => new Map(), count: () => undefined, takeEarned: () => new Map() }
    const maxRowBytes = 5_000
    await expect(journey.work({ spares: unaware, wrap, maxRowBytes })).rejects.toThrow()
    expect(await journey.work({ spares: old, maxRowBytes })).toEqual({ stored: 30, dropped: 0 })
    expect(await journey.events()).toHaveLength(31)
    expect((await listRows(journey)).at(-1)).toEqual([0, null, null, null])
  })
})
