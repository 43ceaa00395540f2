import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type pg from "pg"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { type NamedStores, requireStorePair } from "../../../src/platform/migrations/require-store-pair.js"
import { openPool } from "../../../src/platform/postgres/open-pool.js"
import { type EmbeddedStores, startEmbeddedStores } from "../../support/embedded-stores.js"

const OTHER = "00000000-0000-4000-8000-0000000000aa"

describe("PostgreSQL and ClickHouse", () => {
  let stores: EmbeddedStores
  let named: NamedStores
  let pool: pg.Pool
  beforeAll(async () => {
    stores = await startEmbeddedStores()
    pool = openPool(stores.postgresUrl, 4, silentLogger)
    named = { pool, clickHouse: stores.clickHouse, postgresName: "PostgreSQL at a", clickHouseName: "ClickHouse at b" }
  })
  afterAll(async () => {
    await pool.end()
    await stores.stop()
  })

  const inPostgres = async () => (await pool.query("SELECT id, is_in_click_house FROM store_pair")).rows
  const inClickHouse = () => stores.clickHouse.rows<{ id: string }>({ sql: "SELECT id FROM store_pair" })
  const empty = () => stores.clickHouse.command({ sql: "TRUNCATE TABLE store_pair" })
  const forget = () => pool.query("UPDATE store_pair SET is_in_click_house = false")

  test("get one id when they first meet, and keep it", async () => {
    for (let start = 0; start < 2; start++) await requireStorePair(named)
    const [{ id }] = (await inClickHouse()) as [{ id: string }]
    expect(await inPostgres()).toEqual([{ id, is_in_click_house: true }])
    expect(await inClickHouse()).toHaveLength(1)
  })

  test("go on with it when the first start was broken off between them", async () => {
    await forget()
    await requireStorePair(named)
    expect(await inPostgres()).toMatchObject([{ is_in_click_house: true }])
    expect(await inClickHouse()).toHaveLength(1)
  })

  test("are refused by name when ClickHouse lost it, until the operator gives it up", async () => {
    await empty()
    await expect(requireStorePair(named)).rejects.toThrow(
      /^ClickHouse at b does not belong to PostgreSQL at a: it is empty, or another one than before\. /,
    )
    expect(await inClickHouse()).toEqual([])
    await forget()
    await requireStorePair(named)
    expect(await inClickHouse()).toHaveLength(1)
  })

  test("are refused by name when ClickHouse has another one, whether or not PostgreSQL is new", async () => {
    await empty()
    await stores.clickHouse.insert({ table: "store_pair", rows: [{ id: OTHER }] })
    for (let round = 0; round < 2; round++) {
      await expect(requireStorePair(named)).rejects.toThrow(
        "ClickHouse at b does not belong to PostgreSQL at a: it belongs to another PostgreSQL.",
      )
      await forget()
    }
  })
})
