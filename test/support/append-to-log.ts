import { zstdCompressSync } from "node:zlib"
import type { Pool } from "pg"
import { packRequests } from "../../src/features/capture/index.js"

/** A request as a test writes it into the log. */
export interface RequestOfTest {
  readonly receivedAtMs: number
  /** As it stands in the log: JSON of its events, or something else where a test wants that. */
  readonly eventsJson: string
  readonly eventCount: number
  readonly clientIp?: string
}

/** Appends one row with these requests to the ingest log, as capture does. */
export async function appendToLog(pool: Pool, projectId: number, requests: readonly RequestOfTest[]): Promise<void> {
  const packed = await packRequests(
    requests.map(({ receivedAtMs, eventsJson, eventCount, clientIp = "203.0.113.7" }) => ({
      receivedAtMs,
      clientIp,
      historicalMigration: false,
      eventCount,
      text: [Buffer.from(eventsJson)],
      textBytes: Buffer.byteLength(eventsJson),
    })),
    async (pieces) => zstdCompressSync(Buffer.concat(pieces)),
  )
  await pool.query(
    `INSERT INTO ingest_log (project_id, received_at, event_count, byte_count, requests) VALUES ($1, $2, $3, $4, $5)`,
    [
      projectId,
      new Date(Math.min(...requests.map(({ receivedAtMs }) => receivedAtMs))),
      requests.reduce((sum, { eventCount }) => sum + eventCount, 0),
      packed.byteCount,
      packed.bytes,
    ],
  )
}
