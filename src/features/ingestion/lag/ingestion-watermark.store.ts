import type { Pool } from "pg"
import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import {
  type CachePolicy,
  createStaleWhileRevalidateCache,
  type StaleWhileRevalidateCache,
} from "../../../platform/cache/stale-while-revalidate-cache.js"

/** What is stored stays stored, so an older answer is still true; it only promises less (decision 0033). */
const CACHE_POLICY: CachePolicy = {
  ttlMs: 100,
  staleWhileRevalidateMs: 1_000,
  staleIfError: false,
  negativeTtlMs: 0,
  loadTimeoutMs: null,
}
const MAX_REMEMBERED_PROJECTS = 1_000

const SELECT_OLDEST = `SELECT (extract(epoch FROM received_at) * 1000)::float8 AS "receivedAtMs" FROM ingest_log
  WHERE project_id = $1 ORDER BY id LIMIT 1`

/** How far the events of one project have been stored. Reads one row, however long the log is. */
export class IngestionWatermarkReader {
  readonly #remembered: StaleWhileRevalidateCache<ProjectId, number>

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {
    this.#remembered = createStaleWhileRevalidateCache({
      cachePolicy: CACHE_POLICY,
      clock,
      maxEntries: MAX_REMEMBERED_PROJECTS,
      load: (projectId: ProjectId) => this.#read(projectId),
    })
  }

  /**
   * Milliseconds since the epoch: every event of the project that was accepted until then can be queried, by whoever asks the
   * engine after this answer. A second old at most, and then read again for the next one who asks. Rejects when PostgreSQL
   * does not answer.
   */
  async dataThroughMs(projectId: ProjectId): Promise<number> {
    const through = await this.#remembered.find(projectId)
    if (through === null) throw new Error("how far a project is stored is always known")
    return through
  }

  async #read(projectId: ProjectId): Promise<number> {
    const nowMs = this.clock.now()
    const statement = { name: "ingestion.watermark", text: SELECT_OLDEST, values: [projectId] }
    const { rows } = await this.pool.query<{ receivedAtMs: number }>(statement)
    const oldest = rows[0]
    return oldest === undefined ? nowMs : Math.min(nowMs, Math.floor(oldest.receivedAtMs) - 1)
  }
}
