import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { IngestionWatermarkReader } from "../../../../src/features/ingestion/index.js"
import { createClickHouseQueryEngine } from "../../../../src/features/queries/engine/click-house-query-engine.store.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import { createManualClock } from "../../../support/manual-clock.js"
import { startTestStores, type TestStores } from "../../../support/test-stores.js"
import { waitFor } from "../../../support/wait-for.js"

let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores([])
})
afterAll(() => stores.stop())

describe("a limit of a query", () => {
  const faultOf = (sql: string, settings: Record<string, number | string>, signal?: AbortSignal) =>
    createClickHouseQueryEngine(stores.clickHouse)
      .select({ sql, settings: { readonly: 1, ...settings }, ...(signal && { signal }) })
      .catch((fault: unknown) => fault)
  const ENDLESS = "SELECT sum(sipHash64(number)) FROM numbers(1000000000000)"

  test("on its time is query_timeout, whether the engine or our own clock says so", async () => {
    expect(await faultOf(ENDLESS, { max_execution_time: 1 })).toMatchObject({ code: "query_timeout" })
    expect(await faultOf(ENDLESS, {}, AbortSignal.timeout(50))).toMatchObject({ code: "query_timeout" })
  })

  test("on its memory is query_memory_limit", async () => {
    const sql = "SELECT length(groupArray(number)) FROM numbers(100000000)"
    expect(await faultOf(sql, { max_memory_usage: 20_000_000 })).toMatchObject({ code: "query_memory_limit" })
  })

  test("on its temporary files is a fault of the request that names the limit", async () => {
    const sql = "SELECT count() FROM (SELECT number % 9999991 AS n, count() FROM numbers(20000000) GROUP BY n)"
    const settings = {
      max_threads: 1,
      max_bytes_before_external_group_by: 10_000_000,
      max_temporary_data_on_disk_size_for_query: 1_000_000,
    }
    expect(await faultOf(sql, settings)).toMatchObject({
      code: "invalid_input",
      details: { detail: expect.stringContaining("temporary files") },
    })
  })

  test("on the size of its result says so, and names the export as the way", async () => {
    const sql = "SELECT repeat(toString(number), 200) FROM numbers(50000)"
    expect(await faultOf(sql, { max_result_bytes: 20_000_000 })).toMatchObject({
      code: "result_too_large",
      message: expect.stringContaining("export"),
    })
  })

  test("on the size of its answer counts what is the same in every row, too", async () => {
    const statement = { sql: "SELECT repeat('x', 1000) FROM numbers(50000)", maxAnswerBytes: 40_000_000 }
    const engine = createClickHouseQueryEngine(stores.clickHouse)
    await expect(engine.select(statement)).rejects.toMatchObject({ code: "result_too_large" })
    expect((await engine.select({ ...statement, maxAnswerBytes: 60_000_000 })).rows).toHaveLength(50_000)
  })

  test("on its rows is a fault of the request that names the limit", async () => {
    const settings = { max_result_rows: 10, result_overflow_mode: "throw" }
    expect(await faultOf("SELECT number FROM numbers(1000)", settings)).toMatchObject({
      code: "invalid_input",
      details: { wireCode: "too_many_rows_or_bytes", detail: expect.stringContaining("rows") },
    })
  })
})

describe("the ingestion watermark of a project", () => {
  const NOW_MS = Date.UTC(2026, 0, 15, 12)
  const wait = (project: number, receivedAtMs: number, count = 1) =>
    stores.database.pool.query(
      `INSERT INTO ingest_log (project_id, received_at, event_count, byte_count, requests)
       SELECT $1, $2, 1, 0, '' FROM generate_series(1, $3)`,
      [project, new Date(receivedAtMs), count],
    )
  const readWatermark = (project: number) =>
    new IngestionWatermarkReader(stores.database.pool, createManualClock(NOW_MS)).dataThroughMs(asProjectId(project))

  test("is now when nothing of it waits, however much of others does", async () => {
    await wait(2, NOW_MS - 60_000, 100)
    expect(await readWatermark(1)).toBe(NOW_MS)
    expect(await readWatermark(6)).toBe(NOW_MS)
  })

  test("is just before its oldest event that waits", async () => {
    await wait(6, NOW_MS - 30_000)
    await wait(6, NOW_MS - 10_000)
    expect(await readWatermark(6)).toBe(NOW_MS - 30_001)
    expect(await readWatermark(2)).toBe(NOW_MS - 60_001)
  })

  test("is for a second what was read last, which is still true, and read again for the next who asks", async () => {
    const clock = createManualClock(NOW_MS)
    const reader = new IngestionWatermarkReader(stores.database.pool, clock)
    const read = () => reader.dataThroughMs(asProjectId(11))
    expect(await read()).toBe(NOW_MS)
    await wait(11, NOW_MS + 200)
    clock.advance(1_000)
    expect(await read()).toBe(NOW_MS + 199)
    await stores.database.pool.query("DELETE FROM ingest_log WHERE project_id = 11")
    clock.advance(500)
    expect(await read()).toBe(NOW_MS + 199)
    await waitFor("the watermark to be read again", async () => (await read()) === NOW_MS + 1_500)
  })

  test("is its own, however much of another project waits before it", async () => {
    await wait(1, NOW_MS - 50_000, 2_000)
    await wait(5, NOW_MS - 20_000)
    expect(await readWatermark(5)).toBe(NOW_MS - 20_001)
  })
})
