import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { EVENT_COLUMNS } from "../../../../src/features/ingestion/rows/event-row.js"
import { toRowBytes } from "../../../../src/features/ingestion/rows/event-rows.js"
import { createSpareFill } from "../../../../src/features/ingestion/spares/spare-fill.store.js"
import { type JsonObject, toStorableJson } from "../../../../src/kernel/json.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { createManualClock } from "../../../support/manual-clock.js"
import { waitFor } from "../../../support/wait-for.js"
import { type RealStores, startRealStores } from "../real-stores.js"
import { propertyValues, toRow } from "../rows/rows-of-properties.js"

const GIVEN_AT_MS = Date.UTC(2026, 2, 1, 12)
const NAMES = ["plan", 'it\'s a \\ "name"\t', "seats"]

describe("spare columns of events stored before their project had them", () => {
  let stores: RealStores
  const clock = createManualClock(GIVEN_AT_MS)
  beforeAll(async () => {
    stores = await startRealStores()
  })
  afterAll(() => stores.stop())
  beforeEach(async () => {
    clock.advance(GIVEN_AT_MS - clock.now())
    await stores.pool.query("DELETE FROM property_spare")
    await stores.clickHouse.command({ sql: "TRUNCATE TABLE events" })
  })

  const store = async (projectId: number, all: readonly JsonObject[]): Promise<void> => {
    const rows = all.map((properties, index) => toRow(projectId, properties, index))
    await stores.clickHouse.insert({ table: "events", columns: EVENT_COLUMNS, blocks: [toRowBytes(rows)] })
  }
  const give = async (projectId: number, ...names: string[]): Promise<void> => {
    const sql = `INSERT INTO property_spare (project_id, spare, name, given_at)
      SELECT $1, spare, name, $3 FROM unnest($2::text[]) WITH ORDINALITY AS given (name, spare) ON CONFLICT DO NOTHING`
    await stores.pool.query(sql, [projectId, names, new Date(clock.now())])
  }
  const create = () => createSpareFill({ ...stores, clock, logger: silentLogger })
  const fillAll = async (): Promise<void> => {
    clock.advance(600_001)
    const { fill } = create()
    await waitFor("all to be filled", fill)
  }
  const read = (columns: string, projectId = 1) =>
    stores.clickHouse.rows<Record<string, unknown>>({
      sql: `SELECT ${columns} FROM events WHERE project_id = ${projectId} ORDER BY uuid`,
    })

  test("hold what the text says, whatever that is", async () => {
    const given = fc.dictionary(fc.constantFrom(...NAMES), propertyValues, { noNullPrototype: true })
    const all = fc.sample(given, { numRuns: 300, seed: 4 }).map((found) => toStorableJson(found))
    await store(1, all)
    await give(1, ...NAMES)
    await fillAll()
    const differences = NAMES.map((_, index) => {
      const text = `JSONExtract(properties, {name_${index}:String}, 'Nullable(String)')`
      return `countIf(spare_${index + 1} IS DISTINCT FROM ${text})`
    })
    const [found] = await stores.clickHouse.rows({
      sql: `SELECT count() AS events, countIf(spare_count = 3) AS filled, countIf(spare_1 IS NOT NULL) > 0 AS has_some,
        ${differences.join(" + ")} AS differences FROM events`,
      parameters: Object.fromEntries(NAMES.map((name, index) => [`name_${index}`, name])),
    })
    expect(found).toEqual({ events: 300, filled: 300, has_some: 1, differences: 0 })
  })

  test("are those of the event's own project, and of no other", async () => {
    for (const projectId of [1, 2, 3]) await store(projectId, [{ plan: "pro", seats: 5 }])
    await give(1, "plan")
    await give(2, "seats", "plan")
    await fillAll()
    expect(await read("spare_count, spare_1, spare_2")).toEqual([{ spare_count: 1, spare_1: "pro", spare_2: null }])
    expect(await read("spare_count, spare_1, spare_2", 2)).toEqual([{ spare_count: 2, spare_1: "5", spare_2: "pro" }])
    expect(await read("spare_count, spare_1, spare_2", 3)).toEqual([{ spare_count: 0, spare_1: null, spare_2: null }])
  })

  test("are filled again when the project was given more", async () => {
    await store(1, [{ plan: "pro", seats: 5 }])
    await give(1, "plan")
    await fillAll()
    await give(1, "plan", "seats")
    await fillAll()
    expect(await read("spare_count, spare_1, spare_2")).toEqual([{ spare_count: 2, spare_1: "pro", spare_2: "5" }])
  })

  test("wait until all who store events know them", async () => {
    await store(1, [{ plan: "pro" }])
    await give(1, "plan")
    clock.advance(599_999)
    expect(await create().fill()).toBe(true)
    expect(await read("spare_count, spare_1")).toEqual([{ spare_count: 0, spare_1: null }])
  })

  test("stay as they are where the writer knew them", async () => {
    await store(1, [{ plan: "pro" }, { plan: "free" }])
    await give(1, "plan")
    await stores.clickHouse.command({
      sql: "ALTER TABLE events UPDATE spare_count = 1, spare_1 = 'as written' WHERE properties LIKE '%pro%'",
      settings: { mutations_sync: 1 },
    })
    await fillAll()
    expect(await read("spare_count, spare_1")).toEqual([
      { spare_count: 1, spare_1: "as written" },
      { spare_count: 1, spare_1: "free" },
    ])
  })

  test("are filled a month at a time, the newest first", async () => {
    const at = (month: string, uuid: number) => ({
      project_id: 1,
      uuid: `0190d001-0000-7000-8000-${String(uuid).padStart(12, "0")}`,
      event: "e",
      properties: '{"plan":"pro"}',
      timestamp: `2024-${month}-10T00:00:00.000Z`,
    })
    await stores.clickHouse.insert({ table: "events", rows: [at("01", 1), at("03", 3), at("02", 2)] })
    await give(1, "plan")
    clock.advance(600_001)
    const { fill } = create()
    const filled = async () => (await read("spare_count")).map(({ spare_count: count }) => count)
    for (const expected of [
      [0, 0, 1],
      [0, 1, 1],
      [1, 1, 1],
    ]) {
      expect(await fill()).toBe(false)
      await waitFor("the month to be filled", async () => String(await filled()) === String(expected))
    }
    expect(await fill()).toBe(true)
  })
})
