import type { Pool } from "pg"
import type { ProjectId } from "../../../kernel/ids.js"
import { createPeriodicTask } from "../../../kernel/periodic-task.js"

/** What was accepted and is not yet stored. */
export interface WatchedBacklog {
  /** Bytes as they lie in the ingest log, compressed where that was worth it; about a second old, of millions of rows some. */
  bytes(): number
  /** Those of one project. */
  bytesOf(projectId: ProjectId): number
  close(): Promise<void>
}

const READ_EVERY_MS = 1_000
/** Of a backlog of millions of rows a reading takes long; it never takes more of the time than one part in this many. */
const PAUSE_PER_READING = 20

/** The length of a value that lies outside of its row is in the row, so none of them is read. */
const SELECT_BYTES = `SELECT project_id AS "projectId", sum(octet_length(requests))::float8 AS bytes
  FROM ingest_log GROUP BY project_id`

/** Watches how large the backlog is until `close`. While PostgreSQL cannot be asked, the last answer counts. */
export function watchBacklog(pool: Pool): WatchedBacklog {
  let ofProjects: ReadonlyMap<ProjectId, number> = new Map()
  let bytes = 0
  let pauseUntilMs = 0
  const readings = createPeriodicTask(READ_EVERY_MS, async () => {
    const beganMs = performance.now()
    if (beganMs < pauseUntilMs) return
    const answer = await pool.query<{ projectId: ProjectId; bytes: number }>(SELECT_BYTES).catch(() => null)
    pauseUntilMs = beganMs + (performance.now() - beganMs) * PAUSE_PER_READING
    if (answer === null) return
    ofProjects = new Map(answer.rows.map(({ projectId, bytes: own }) => [projectId, own]))
    bytes = answer.rows.reduce((sum, { bytes: own }) => sum + own, 0)
  })
  readings.start()
  return { bytes: () => bytes, bytesOf: (projectId) => ofProjects.get(projectId) ?? 0, close: readings.stop }
}
