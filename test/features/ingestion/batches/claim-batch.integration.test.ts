import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals"
import type pg from "pg"
import { createBatchLog } from "../../../../src/features/ingestion/batches/batch.store.js"
import { type ClaimBatch, createBatchClaims } from "../../../../src/features/ingestion/batches/claim-batch.store.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { openPool } from "../../../../src/platform/postgres/open-pool.js"
import { type EmbeddedStores, startEmbeddedStores } from "../../../support/embedded-stores.js"

const MIB = 1024 * 1024

let stores: EmbeddedStores
let pool: pg.Pool
let client: pg.PoolClient
let claim: ClaimBatch
beforeAll(async () => {
  stores = await startEmbeddedStores()
  pool = openPool(stores.postgresUrl, 4, silentLogger)
})
afterAll(async () => {
  await pool.end()
  await stores.stop()
})
beforeEach(async () => {
  await pool.query("TRUNCATE ingest_log, ingest_slice")
  client = await pool.connect()
  claim = createBatchClaims(client)
})
afterEach(() => client.release(true))

interface Row {
  readonly events?: number
  readonly bytes?: number
}

/** Appends rows as they stand in the log, without what would be read only later. */
async function append(projectId: number, count: number, { events = 1, bytes = 100 }: Row = {}): Promise<void> {
  await pool.query(
    `INSERT INTO ingest_log (project_id, received_at, event_count, byte_count, requests)
     SELECT $1, now(), $2, $3, '' FROM generate_series(1, $4)`,
    [projectId, events, bytes, count],
  )
}

/** Claims a batch of shard 0, lets its rows be stored, and answers how many each project had in it. */
async function serve(): Promise<Record<string, number> | null> {
  await client.query("BEGIN")
  const batch = await claim(0, crypto.randomUUID())
  await client.query("COMMIT")
  if (batch === null) return null
  await client.query("DELETE FROM ingest_slice")
  const { rows } = await client.query<{ projectId: number }>(
    `DELETE FROM ingest_log WHERE id = ANY ($1::bigint[]) RETURNING project_id AS "projectId"`,
    [batch.rowIds],
  )
  const { rows: left } = await client.query("SELECT FROM ingest_log WHERE project_id = $1 AND id < $2", [
    rows[0]?.projectId,
    batch.rowIds[0],
  ])
  expect(left).toEqual([])
  const counts = Map.groupBy(rows, ({ projectId }) => String(projectId))
  return Object.fromEntries([...counts].map(([project, own]) => [project, own.length]))
}

describe("a batch", () => {
  test("is nothing while the log of its shard is empty", async () => {
    await append(1, 3)
    expect(await serve()).toBeNull()
  })

  test("takes of a project that waits alone as much as a batch holds", async () => {
    await append(4, 80, { events: 1_000 })
    expect(await serve()).toEqual({ 4: 60 })
    expect(await serve()).toEqual({ 4: 20 })
    expect(await serve()).toBeNull()
  })

  test("takes what came last of one project beside the long backlog of another, and little of that", async () => {
    await append(4, 100, { events: 1_000 })
    await append(8, 2)
    expect(await serve()).toEqual({ 4: 15, 8: 2 })
    expect(await serve()).toEqual({ 4: 60 })
  })

  test("gives each project an equal part of a batch, in bytes as in events", async () => {
    await append(4, 100, { bytes: 4 * MIB })
    await append(8, 100, { bytes: 2 * MIB })
    await append(12, 100, { events: 1_000 })
    expect(await serve()).toEqual({ 4: 4, 8: 8, 12: 15 })
  })

  test("takes the oldest rows of a project", async () => {
    await append(4, 1, { events: 60_000 })
    await append(4, 1, { events: 1 })
    await append(8, 1)
    const { rows } = await pool.query<{ id: string }>("SELECT id FROM ingest_log WHERE project_id = 4 ORDER BY id")
    const batch = await claim(0, crypto.randomUUID())
    expect(batch?.rowIds).toContain(rows[0]?.id)
    expect(batch?.rowIds).not.toContain(rows[1]?.id)
  })

  test("goes on behind the last project when there are more than a batch holds, and begins anew at the end", async () => {
    const projects = Array.from({ length: 10 }, (_, index) => 4 * (index + 1))
    for (const project of projects) await append(project, 2, { events: 20_000 })
    const served: string[][] = []
    for (let batch = await serve(); batch !== null; batch = await serve()) served.push(Object.keys(batch))
    expect(served.slice(0, 4)).toEqual([["4", "8", "12"], ["16", "20", "24"], ["28", "32", "36"], ["40"]])
    expect(served.flat()).toHaveLength(20)
  })

  test("of more projects than it holds reads some of each, and none waits for ever", async () => {
    await pool.query(
      `INSERT INTO ingest_log (project_id, received_at, event_count, byte_count, requests)
       SELECT 4 * project, now(), 1, 100, '' FROM generate_series(1, 450) AS project`,
    )
    const sizes: number[] = []
    for (let batch = await serve(); batch !== null; batch = await serve()) sizes.push(Object.keys(batch).length)
    expect(sizes).toEqual([200, 200, 50])
  })

  test("leaves rows in the form of a later release, with what came behind them, and takes what other projects have", async () => {
    await append(4, 2)
    await append(8, 1)
    await pool.query(
      "UPDATE ingest_log SET format = 2 WHERE id IN (SELECT max(id) FROM ingest_log WHERE project_id = 4)",
    )
    await append(4, 3)
    expect(await serve()).toEqual({ 4: 1, 8: 1 })
    await append(8, 1)
    expect(await serve()).toEqual({ 8: 1 })
    expect(await serve()).toBeNull()
    expect((await pool.query("SELECT project_id FROM ingest_log")).rows).toEqual(Array(4).fill({ project_id: 4 }))
  })

  test("that a later release began is left to a process of that one", async () => {
    await append(4, 1)
    await pool.query("INSERT INTO ingest_slice (shard, token, row_ids, format) VALUES (0, $1, '{1}', 2)", [
      crypto.randomUUID(),
    ])
    const log = createBatchLog(client, {
      clock: { now: () => 0 },
      ids: { uuidV4: () => crypto.randomUUID() },
      mergeListeners: [],
      makeSalts: () => Promise.reject(new Error("not asked for")),
      crashPoints: null,
    })
    await expect(log.claim(0)).rejects.toThrow("A later release began a batch of shard 0")
    expect((await pool.query("SELECT format FROM ingest_slice")).rows).toEqual([{ format: 2 }])
  })

  test("is claimed from a long backlog without reading all of it", async () => {
    await append(4, 50_000)
    await append(8, 1)
    await client.query("BEGIN; SET LOCAL enable_seqscan = off")
    const before = await client.query<{ read: string }>(READ_ROWS)
    expect(await claim(0, crypto.randomUUID())).not.toBeNull()
    const after = await client.query<{ read: string }>(READ_ROWS)
    await client.query("ROLLBACK")
    expect(Number(after.rows[0]?.read) - Number(before.rows[0]?.read)).toBeLessThan(25_000)
  })
})

/** What this transaction has read of the log so far. */
const READ_ROWS = `SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::text AS read FROM pg_stat_xact_user_tables
  WHERE relname = 'ingest_log'`
