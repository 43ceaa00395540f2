import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Pool } from "pg"
import { type AcceptedEvent, type IngestBatch, readLoggedText } from "../../../src/features/capture/index.js"
import { asProjectId } from "../../../src/kernel/ids.js"
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { openPool } from "../../../src/platform/postgres/open-pool.js"

export interface TestPostgres {
  readonly server: EmbeddedPostgres
  readonly pool: Pool
  readBatches(projectId: number): Promise<IngestBatch[]>
  close(): Promise<void>
}

/** A PostgreSQL of its own with the tables of capture. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const dataDirectory = mkdtempSync(join(tmpdir(), "waymark-ingest-log-"))
  const server = await startEmbeddedPostgres({ dataDirectory, logger: silentLogger })
  const pool = openPool(server.url, 8, silentLogger)
  // Of its own, because tests end the connections that write.
  const reader = openPool(server.url, 1, silentLogger)
  await pool.query(readFileSync(new URL("../../../migrations/postgres/0002_ingest_log.sql", import.meta.url), "utf8"))
  return {
    server,
    pool,
    readBatches: (projectId) => readBatches(reader, projectId),
    close: async () => {
      await Promise.all([pool.end(), reader.end()])
      await server.stop()
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}

interface LogRow {
  readonly received_at: Date
  readonly client_ip: string
  readonly historical_migration: boolean
  readonly event_count: number
  readonly events: string
}

async function readBatches(pool: Pool, projectId: number): Promise<IngestBatch[]> {
  const { rows } = await pool.query<LogRow>("SELECT * FROM ingest_log WHERE project_id = $1 ORDER BY id", [projectId])
  return rows.map((row) => ({
    projectId: asProjectId(projectId),
    receivedAtMs: row.received_at.getTime(),
    clientIp: row.client_ip,
    historicalMigration: row.historical_migration,
    events: (readLoggedText(row.events) as AcceptedEvent[]).slice(0, row.event_count),
  }))
}
