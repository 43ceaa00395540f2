import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { AcceptedEvent } from "../../../src/features/capture/index.js"
import { INGEST_LOG_LIMITS, PostgresIngestLog } from "../../../src/features/capture/log/postgres-ingest.log.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { openPool } from "../../../src/platform/postgres/open-pool.js"
import { batchOf, describeIngestLog } from "../../contract/ingest-log.contract.js"
import { InMemoryIngestLog } from "../../support/in-memory-ingest-log.js"
import { waitFor } from "../../support/wait-for.js"
import { startTestPostgres, type TestPostgres } from "./ingest-log-in-postgres.js"

describeIngestLog("memory", async () => {
  const log = new InMemoryIngestLog()
  return {
    log,
    read: async (projectId) => log.batches.filter((batch) => batch.projectId === projectId),
    close: async () => undefined,
  }
})

describeIngestLog("PostgreSQL", async () => {
  const postgres = await startTestPostgres()
  const log = new PostgresIngestLog({ pool: postgres.pool, logger: silentLogger })
  return { log, read: postgres.readBatches, close: postgres.close }
})

/** An event that is larger than a list may be. */
const withText = (event: AcceptedEvent): AcceptedEvent => ({ ...event, properties: { text: "x".repeat(900_000) } })

describe("an ingest log in a PostgreSQL that may fail", () => {
  const KILL_WRITERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE query ILIKE '%insert into ingest_log%' AND pid <> pg_backend_pid()`
  const UNAVAILABLE = { code: "store_unavailable", details: { retryAfterSeconds: expect.any(Number) } }
  let postgres: TestPostgres

  beforeAll(async () => {
    postgres = await startTestPostgres()
  })
  afterAll(() => postgres.close())

  test("tells its listener of each commit, after it and before the caller", async () => {
    const seen: Promise<number>[] = []
    const listening = new PostgresIngestLog({
      pool: postgres.pool,
      logger: silentLogger,
      onCommitted: () => void seen.push(postgres.readBatches(5).then(({ length }) => length)),
    })
    await Promise.all(["a", "b"].map((uuid) => listening.append(batchOf(5, uuid))))
    expect(await Promise.all(seen)).toEqual([2])
    await listening.append(batchOf(5, "c"))
    expect(await Promise.all(seen)).toEqual([2, 3])
  })

  test("asks about each batch, and hands the number of its row to whoever wants it, before the caller is told", async () => {
    const told: string[] = []
    const asked = new PostgresIngestLog({
      pool: postgres.pool,
      logger: silentLogger,
      onAppended: ({ events }) =>
        events[0]?.uuid === "nobody's" ? null : (rowId) => void told.push(`${events[0]?.uuid} ${rowId}`),
    })
    await Promise.all(["first", "nobody's", "last"].map((uuid) => asked.append(batchOf(6, uuid))))
    const { rows } = await postgres.pool.query<{ id: string }>(
      "SELECT id FROM ingest_log WHERE project_id = 6 ORDER BY id",
    )
    expect(rows).toHaveLength(1)
    expect(told).toEqual([`first ${rows[0]?.id}`, `last ${rows[0]?.id}`])
  })

  test("accepts events although a listener throws, logs that, and tells the other listeners", async () => {
    const told: string[] = []
    const logged: unknown[] = []
    const fail = (what: string) => (): never => {
      throw new Error(what)
    }
    const lookAt: Readonly<Record<string, () => () => void>> = {
      "fails at once": fail("before"),
      "fails later": () => fail("after"),
      succeeds: () => () => void told.push("succeeds"),
    }
    const asked = new PostgresIngestLog({
      pool: postgres.pool,
      logger: { ...silentLogger, error: (_message, fields) => void logged.push(fields) },
      onAppended: ({ events }) => lookAt[String(events[0]?.uuid)]?.() ?? null,
      onCommitted: fail("of all"),
    })
    await Promise.all(Object.keys(lookAt).map((uuid) => asked.append(batchOf(9, uuid))))
    expect(await postgres.readBatches(9)).toHaveLength(3)
    expect(told).toEqual(["succeeds"])
    expect(logged).toEqual(["before", "after", "of all"].map((what) => ({ err: new Error(what) })))
  })

  test("puts batches of one project into one row up to its bounds, and never those of two projects", async () => {
    const log = new PostgresIngestLog({ pool: postgres.pool, logger: silentLogger })
    const uuids = Array.from({ length: 1_100 }, (_, index) => `shared-${index}`)
    await Promise.all(uuids.flatMap((uuid) => [7, 8].map((project) => log.append(batchOf(project, uuid)))))
    const { rows } = await postgres.pool.query<{ project: number; events: number; bytes: number; packed: number }>(
      `SELECT project_id AS project, event_count AS events, byte_count AS bytes, octet_length(requests) AS packed
         FROM ingest_log WHERE project_id IN (7, 8) ORDER BY id`,
    )
    for (const project of [7, 8]) {
      const counts = rows.filter((row) => row.project === project).map(({ events }) => events)
      expect(counts.reduce((sum, events) => sum + events, 0)).toBe(1_100)
      expect(Math.max(...counts)).toBeLessThanOrEqual(500)
      expect((await postgres.readBatches(project)).map(({ events }) => events[0]?.uuid)).toEqual(uuids)
    }
    const long = rows.filter(({ bytes }) => bytes > 60_000)
    expect(long.length).toBeGreaterThan(0)
    for (const { bytes, packed } of long) expect(packed).toBeLessThan(bytes / 2)
  })

  test("keeps a large batch in one row, as lists that ingestion can read one at a time", async () => {
    const log = new PostgresIngestLog({ pool: postgres.pool, logger: silentLogger })
    const small = Array.from({ length: 6_000 }, (_, index) => `small-${index}`)
    const huge = { ...batchOf(10, "huge"), events: batchOf(10, "huge").events.map(withText) }
    const { events } = batchOf(10, ...small)
    const batch = { ...huge, historicalMigration: true, events: [...events, ...huge.events, ...events], isLarge: true }
    await log.append(batch)
    const lists = await postgres.readBatches(10)
    expect(lists.flatMap((list) => list.events)).toEqual(batch.events)
    for (const { events: _, ...facts } of lists)
      expect({ ...batch, ...facts, isLarge: true, events: batch.events }).toEqual(batch)
    const units = lists.map((list) => JSON.stringify(list.events).length)
    expect(units.filter((length) => length > 700_000)).toHaveLength(1)
    expect(lists.length).toBeLessThan(20)
    const { rows } = await postgres.pool.query("SELECT event_count FROM ingest_log WHERE project_id = 10")
    expect(rows).toEqual([{ event_count: batch.events.length }])
  })

  test("has every acknowledged batch after its connections were ended under load, and reported the others", async () => {
    const killer = openPool(postgres.server.url, 1, silentLogger)
    const victims = openPool(postgres.server.url, 8, silentLogger)
    const attacked = new PostgresIngestLog({ pool: victims, logger: silentLogger })
    const acknowledged: string[] = []
    const refused: string[] = []
    let isOver = false
    const sendUntilOver = async (client: number): Promise<void> => {
      for (let count = 0; !isOver; count++) {
        const uuid = `${client}-${count}`
        await attacked.append(batchOf(1, uuid)).then(
          () => acknowledged.push(uuid),
          (fault) => {
            expect(fault).toMatchObject(UNAVAILABLE)
            refused.push(uuid)
          },
        )
      }
    }
    const clients = Promise.all(Array.from({ length: 32 }, (_, client) => sendUntilOver(client)))
    try {
      for (let kills = 0; kills < 5 || refused.length === 0; kills++) {
        const acknowledgedBefore = acknowledged.length
        await killer.query(KILL_WRITERS)
        await waitFor("appends after the kill", () => acknowledged.length > acknowledgedBefore + 100)
      }
    } finally {
      isOver = true
    }
    await clients
    await Promise.all([killer.end(), victims.end()])
    const stored = new Set((await postgres.readBatches(1)).map(({ events }) => events[0]?.uuid))
    expect(acknowledged.filter((uuid) => !stored.has(uuid))).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(500)
  })

  test("reports a PostgreSQL that is stuck instead of waiting for it, and goes on when it is free", async () => {
    const impatient = new PostgresIngestLog({ pool: postgres.pool, logger: silentLogger, writeDeadlineMs: 100 })
    const blocker = openPool(postgres.server.url, 1, silentLogger)
    await blocker.query("BEGIN; LOCK TABLE ingest_log IN ACCESS EXCLUSIVE MODE")
    const outcomes = await Promise.allSettled(["a", "b"].map((uuid) => impatient.append(batchOf(2, uuid))))
    expect(outcomes).toMatchObject([{ reason: UNAVAILABLE }, { reason: UNAVAILABLE }])
    await blocker.end()
    await impatient.append(batchOf(2, "c"))
    expect((await postgres.readBatches(2)).map(({ events }) => events[0]?.uuid)).toContain("c")
  })

  test("turns batches away while more than it may hold is waiting", async () => {
    const small = new PostgresIngestLog({
      pool: postgres.pool,
      logger: silentLogger,
      limits: { ...INGEST_LOG_LIMITS, maxWaitingItems: 10 },
    })
    const uuids = Array.from({ length: 50 }, (_, index) => `full-${index}`)
    const outcomes = await Promise.allSettled(uuids.map((uuid) => small.append(batchOf(3, uuid))))
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(40)
    expect(await postgres.readBatches(3)).toHaveLength(10)
  })

  test("reports a PostgreSQL that is not there", async () => {
    const nowhere = openPool("postgresql://postgres@%2Fnonexistent/waymark", 2, silentLogger)
    const lost = new PostgresIngestLog({ pool: nowhere, logger: silentLogger })
    await expect(lost.append(batchOf(4, "a"))).rejects.toMatchObject(UNAVAILABLE)
    await lost.idle()
    await nowhere.end()
  })
})
