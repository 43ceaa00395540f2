import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type pg from "pg"
import { requireKnownBatches } from "../../../../src/features/ingestion/index.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { openPool } from "../../../../src/platform/postgres/open-pool.js"
import { type EmbeddedStores, startEmbeddedStores } from "../../../support/embedded-stores.js"

describe("PostgreSQL and ClickHouse that belong together", () => {
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
  const requireKnown = () => requireKnownBatches(pool, stores.clickHouse)
  const storeEventOfBatch = (batch: number) =>
    stores.clickHouse.insert({
      table: "events",
      rows: [{ project_id: 1, uuid: randomUUID(), event: "stored", timestamp: "2026-11-28T10:00:00Z", batch }],
    })

  test("are as old as each other when they are new, and when ClickHouse has what PostgreSQL knows of", async () => {
    await requireKnown()
    await storeEventOfBatch(0)
    await pool.query("SELECT setval('ingest_batch_number', 40)")
    await storeEventOfBatch(40)
    await requireKnown()
  })

  test("are refused when PostgreSQL is of before ClickHouse's last batch, until the operator says to go on", async () => {
    await storeEventOfBatch(47)
    await expect(requireKnown()).rejects.toThrow(
      /^PostgreSQL is older than ClickHouse, which has events of batch 47: restore both from one backup\. /,
    )
    await pool.query("SELECT setval('ingest_batch_number', 47)")
    await requireKnown()
  })
})
