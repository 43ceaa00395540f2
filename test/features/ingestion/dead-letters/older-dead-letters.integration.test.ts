import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { applyMigrations } from "../../../../src/platform/migrations/apply-migrations.js"
import { migrationsDirectory } from "../../../../src/platform/migrations/load-migrations.js"
import { postgresMigrationTarget } from "../../../../src/platform/migrations/postgres-migration-target.js"
import { openPool } from "../../../../src/platform/postgres/open-pool.js"

const UUID = "0198f7c0-0000-7000-8000-00000000abcd"
const AGAIN = "0198f7c0-0000-7000-8000-00000000abce"
const FORGOTTEN = "0198f7c0-0000-7000-8000-00000000abcf"

describe("dead letters of an older version", () => {
  let dataDirectory: string
  let server: EmbeddedPostgres

  beforeAll(async () => {
    dataDirectory = mkdtempSync(join(tmpdir(), "waymark-older-letters-"))
    server = await startEmbeddedPostgres({ dataDirectory, logger: silentLogger })
  })
  afterAll(async () => {
    await server.stop()
    rmSync(dataDirectory, { recursive: true, force: true })
  })

  test("say what they are, and which of their uuids are noted for them", async () => {
    const current = migrationsDirectory("postgres")
    const older = join(dataDirectory, "older")
    for (const file of readdirSync(current).filter((name) => name < "0026"))
      cpSync(join(current, file), join(older, file))
    const migrate = (directory: string) =>
      applyMigrations({ target: postgresMigrationTarget(server.url), directory, logger: silentLogger })
    await migrate(older)
    const pool = openPool(server.url, 2, silentLogger)
    const processed = (uuid: string) =>
      JSON.stringify({
        uuid,
        event: "größe",
        receivedAtMs: 1_795_262_400_123,
        clientIp: "::1",
        historicalMigration: true,
      })
    await pool.query(
      "INSERT INTO event_uuid (project_id, uuid, seen_on) VALUES (1, $1, '2026-11-21'), (1, $2, '2026-11-25')",
      [UUID, AGAIN],
    )
    await pool.query(
      `INSERT INTO ingest_dead_letter (project_id, reason, created_at, event)
       SELECT 1, 'said', '2026-11-21T00:00:01Z', unnest($1::text[])`,
      [[processed(UUID), processed(AGAIN), processed(FORGOTTEN), '{"event":7}', "[1]", "[{", "damaged:b29wcw=="]],
    )
    await migrate(current)
    await pool.query("INSERT INTO ingest_dead_letter (project_id, reason, event) VALUES (1, 'later', '{}')")
    const { rows } = await pool.query(
      `SELECT reason_code, event_name, client_ip, historical_migration, noted_uuid, received_at::text
         FROM ingest_dead_letter ORDER BY id`,
    )
    const { received_at: _, ...unknown } = rows.pop()
    expect(unknown).toMatchObject({ reason_code: "unknown", noted_uuid: null })
    const facts = { reason_code: "unprocessable", event_name: "größe", client_ip: "::1", historical_migration: true }
    const none = { event_name: null, client_ip: "", historical_migration: false, noted_uuid: null }
    const processedAt = { received_at: "2026-11-21 12:00:00.123+00" }
    const failedAt = { received_at: "2026-11-21 00:00:01+00" }
    expect(rows).toEqual([
      { ...facts, ...processedAt, noted_uuid: UUID },
      { ...facts, ...processedAt, noted_uuid: null },
      { ...facts, ...processedAt, noted_uuid: null },
      { ...none, ...failedAt, reason_code: "not_an_event", event_name: "7" },
      { ...none, ...failedAt, reason_code: "unreadable_request" },
      { ...none, ...failedAt, reason_code: "unreadable_request" },
      { ...none, ...failedAt, reason_code: "unreadable_row" },
    ])
    await pool.end()
  })
})
