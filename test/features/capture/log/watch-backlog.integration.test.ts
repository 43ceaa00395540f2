import { afterAll, beforeAll, expect, test } from "@jest/globals"
import type pg from "pg"
import { watchBacklog } from "../../../../src/features/capture/log/watch-backlog.store.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { openPool } from "../../../../src/platform/postgres/open-pool.js"
import { type EmbeddedStores, startEmbeddedStores } from "../../../support/embedded-stores.js"
import { waitFor } from "../../../support/wait-for.js"

let stores: EmbeddedStores
let pool: pg.Pool
beforeAll(async () => {
  stores = await startEmbeddedStores()
  pool = openPool(stores.postgresUrl, 4, silentLogger)
})
afterAll(async () => {
  await pool.end()
  await stores.stop()
})

test("the backlog is as large as the rows that wait in the ingest log, long ones included", async () => {
  const backlog = watchBacklog(pool)
  const insert = `INSERT INTO ingest_log (project_id, received_at, event_count, byte_count, requests)
    VALUES ($2, now(), 1, 9, $1)`
  for (const [project, length] of [
    [1, 1_000],
    [2, 100_000],
  ] as const)
    await pool.query(insert, [Buffer.alloc(length), project])
  await waitFor("the rows to count", () => backlog.bytes() === 101_000)
  expect([1, 2, 3].map((project) => backlog.bytesOf(asProjectId(project)))).toEqual([1_000, 100_000, 0])
  await pool.query("DELETE FROM ingest_log WHERE octet_length(requests) = 1000")
  await waitFor("the stored row to count no longer", () => backlog.bytes() === 100_000)
  await backlog.close()
})
