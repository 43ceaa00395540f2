import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Pool } from "pg"
import {
  type AcceptedEvent,
  type IngestBatch,
  type PackedRequests,
  readLoggedText,
  unpackRequests,
} from "../../../src/features/capture/index.js"
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
  for (const name of ["0002_ingest_log", "0018_requests_share_a_row", "0054_log_row_format"])
    await pool.query(readFileSync(new URL(`../../../migrations/postgres/${name}.sql`, import.meta.url), "utf8"))
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

async function readBatches(pool: Pool, projectId: number): Promise<IngestBatch[]> {
  const { rows } = await pool.query<PackedRequests>(
    'SELECT requests AS bytes, byte_count AS "byteCount" FROM ingest_log WHERE project_id = $1 ORDER BY id',
    [projectId],
  )
  const requests = (await Promise.all(rows.map(unpackRequests))).flat()
  return requests.map(({ text, ...facts }) => ({
    ...facts,
    projectId: asProjectId(projectId),
    events: readLoggedText(text) as AcceptedEvent[],
  }))
}
