import type { Pool } from "pg"
import { createPeriodicTask } from "../../../kernel/periodic-task.js"

/** What was accepted and is not yet stored. */
export interface WatchedBacklog {
  /** Bytes as they lie in the ingest log, compressed where that was worth it; about a second old, of millions of rows some. */
  bytes(): number
  close(): Promise<void>
}

const READ_EVERY_MS = 1_000
/** Of a backlog of millions of rows a reading takes long; it never takes more of the time than one part in this many. */
const PAUSE_PER_READING = 20

/** The length of a value that lies outside of its row is in the row, so none of them is read. */
const SELECT_BYTES = "SELECT coalesce(sum(octet_length(requests)), 0)::float8 AS bytes FROM ingest_log"

/** Watches how large the backlog is until `close`. While PostgreSQL cannot be asked, the last answer counts. */
export function watchBacklog(pool: Pool): WatchedBacklog {
  let bytes = 0
  let pauseUntilMs = 0
  const readings = createPeriodicTask(READ_EVERY_MS, async () => {
    const beganMs = performance.now()
    if (beganMs < pauseUntilMs) return
    const answer = await pool.query<{ bytes: number }>(SELECT_BYTES).catch(() => null)
    bytes = answer?.rows[0]?.bytes ?? bytes
    pauseUntilMs = beganMs + (performance.now() - beganMs) * PAUSE_PER_READING
  })
  readings.start()
  return { bytes: () => bytes, close: readings.stop }
}
