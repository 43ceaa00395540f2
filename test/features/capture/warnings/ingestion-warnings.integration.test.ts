import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Pool } from "pg"
import type { IngestionWarning } from "../../../../src/features/capture/index.js"
import { PostgresIngestionWarningHistory } from "../../../../src/features/capture/warnings/postgres-ingestion-warning-history.store.js"
import { PostgresIngestionWarnings } from "../../../../src/features/capture/warnings/postgres-ingestion-warnings.store.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import { firstRows } from "../../../../src/kernel/paging.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { openPool } from "../../../../src/platform/postgres/open-pool.js"
import { createManualClock } from "../../../support/manual-clock.js"
import { NOW_MS } from "../cases/in-memory-driver.js"
import { startTestPostgres, type TestPostgres } from "../ingest-log-in-postgres.js"

const DAY_MS = 86_400_000
const warning = (fields: Partial<IngestionWarning> = {}): IngestionWarning => ({
  severity: "dropped",
  reason: "missing_distinct_id",
  event: "größe",
  distinctId: null,
  uuid: null,
  detail: null,
  ...fields,
})

describe("ingestion warnings in PostgreSQL", () => {
  let postgres: TestPostgres
  const clock = createManualClock(NOW_MS)

  beforeAll(async () => {
    postgres = await startTestPostgres()
  })
  afterAll(() => postgres.close())

  const read = async (projectId: number): Promise<Record<string, unknown>[]> =>
    (
      await postgres.pool.query("SELECT * FROM ingestion_warning WHERE project_id = $1 ORDER BY day, reason", [
        projectId,
      ])
    ).rows
  const createWarnings = () => new PostgresIngestionWarnings({ pool: postgres.pool, clock, logger: silentLogger })

  test("are counted by day, rule and event name, with the newest example", async () => {
    const warnings = createWarnings()
    warnings.record(asProjectId(1), [warning(), warning({ distinctId: "second" })])
    await warnings.flush()
    warnings.record(asProjectId(1), [
      warning({ distinctId: "third" }),
      warning({ severity: "changed", reason: "event_name_cut" }),
    ])
    await warnings.flush()
    expect(await read(1)).toMatchObject([
      { reason: "event_name_cut", severity: "changed", occurrences: "1" },
      {
        reason: "missing_distinct_id",
        severity: "dropped",
        occurrences: "3",
        event: "größe",
        last_distinct_id: "third",
      },
    ])
  })

  test("are written in one order, whichever was told first, so that two writers never dead-lock", async () => {
    const written: string[] = []
    const query = async (_sql: string, [rows]: [string]) => written.push(rows)
    const pool = { query } as unknown as Pool
    for (const reasons of [
      ["invalid_uuid", "event_name_cut"],
      ["event_name_cut", "invalid_uuid"],
    ] as const) {
      const warnings = new PostgresIngestionWarnings({ pool, clock, logger: silentLogger })
      for (const projectId of [12, 7])
        warnings.record(
          asProjectId(projectId),
          reasons.map((reason) => warning({ reason })),
        )
      await warnings.flush()
    }
    const orders = written
      .filter((rows) => rows.startsWith("["))
      .map((rows) =>
        (JSON.parse(rows) as { project_id: number; reason: string }[]).map((row) => row.project_id + row.reason),
      )
    expect(orders).toEqual([
      ["12event_name_cut", "12invalid_uuid", "7event_name_cut", "7invalid_uuid"],
      ["12event_name_cut", "12invalid_uuid", "7event_name_cut", "7invalid_uuid"],
    ])
  })

  test("are read back newest first, page by page, of one project only", async () => {
    const history = new PostgresIngestionWarningHistory(postgres.pool)
    const page = await history.list(asProjectId(1), { ...firstRows(1), offset: 1 })
    expect(page.items).toMatchObject([{ reason: "missing_distinct_id", occurrences: 3, distinctId: "third" }])
    expect(await page.countAll()).toBe(2)
    expect(await (await history.list(asProjectId(99), firstRows(10))).countAll()).toBe(0)
  })

  test("take any text a client can send, and no more than a part of it", async () => {
    const warnings = createWarnings()
    warnings.record(asProjectId(2), [warning({ event: null, detail: `\u0000\ud800${"x".repeat(10_000)}` })])
    await warnings.flush()
    expect(await read(2)).toMatchObject([{ event: "", last_detail: `\uFFFD\uFFFD${"x".repeat(198)}` }])
  })

  test("do not grow with the event names that one client makes up", async () => {
    const warnings = createWarnings()
    const names = Array.from({ length: 5_000 }, (_, index) => warning({ event: `name ${index}` }))
    warnings.record(asProjectId(3), names)
    await warnings.flush()
    const rows = await read(3)
    expect(rows.length).toBeLessThanOrEqual(1_001)
    expect(rows.reduce((total, { occurrences }) => total + Number(occurrences), 0)).toBe(5_000)
  })

  test("are forgotten after 30 days", async () => {
    const warnings = createWarnings()
    warnings.record(asProjectId(4), [warning()])
    await warnings.flush()
    clock.advance(31 * DAY_MS)
    await warnings.flush()
    expect(await read(4)).toEqual([])
  })

  test("never fail a caller when PostgreSQL is away", async () => {
    const nowhere = openPool("postgresql://postgres@%2Fnonexistent/waymark", 1, silentLogger)
    const warnings = new PostgresIngestionWarnings({ pool: nowhere, clock, logger: silentLogger })
    warnings.record(asProjectId(5), [warning()])
    await warnings.flush()
    await nowhere.end()
  })
})
