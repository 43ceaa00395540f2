import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { createStorageReader } from "../../../src/features/ageing/storage/project-storage.cache.js"
import { createShareReader } from "../../../src/features/ageing/storage/stored-share.store.js"
import { asProjectId } from "../../../src/kernel/ids.js"
import { createManualClock } from "../../support/manual-clock.js"
import { NOW_MS, sent } from "../ingestion/batches/journey.js"
import { type AgeingStores, journeyOfProject, startAgeingStores } from "./ageing-app.js"

let stores: AgeingStores
beforeAll(async () => {
  stores = await startAgeingStores()
})
afterAll(() => stores.stop())

const measure = () => {
  const clock = createManualClock(NOW_MS)
  return { clock, read: createStorageReader(createShareReader(stores.clickHouse), clock) }
}

describe("what a project has stored", () => {
  test("is counted, and of the bytes of all it has the share of its rows", async () => {
    const [many, few] = [await journeyOfProject(stores), await journeyOfProject(stores)]
    for (const [journey, count] of [
      [many, 30],
      [few, 10],
    ] as const) {
      await journey.append(...Array.from({ length: count }, (_, index) => sent("seen", `somebody ${index}`)))
      await journey.work()
    }
    const { read } = measure()
    const [one, other] = [await read(many.projectId), await read(few.projectId)]
    expect([one.events.rows, other.events.rows]).toEqual([30, 10])
    expect([one.persons.rows, other.persons.rows]).toEqual([30, 10])
    const { rows } = await stores.clickHouse.query({
      sql: "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = currentDatabase() AND table = 'events'",
    })
    const bytes = Number(rows.flat()[0])
    expect(bytes).toBeGreaterThan(0)
    expect(one.events.bytes + other.events.bytes).toBe(bytes)
    expect(Math.abs(one.events.bytes - 0.75 * bytes)).toBeLessThan(1)
  })

  test("is nothing in a project that has sent nothing", async () => {
    const nothing = { rows: 0, bytes: 0 }
    const kinds = { events: nothing, recordings: nothing, persons: nothing, pluginLogs: nothing }
    expect(await measure().read(asProjectId(4711))).toEqual({ ...kinds, measuredAt: new Date(NOW_MS) })
  })

  test("is measured once for five minutes", async () => {
    const { clock, read } = measure()
    const first = await read(asProjectId(4711))
    clock.advance(299_000)
    expect(await read(asProjectId(4711))).toBe(first)
  })
})
