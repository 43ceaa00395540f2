import type { Pool } from "pg"
import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { SHARD_COUNT } from "../slices/slice.store.js"

/** As far as one read looks into a backlog; beyond it the answer is that everything before the last row is stored. */
const LOOK_AHEAD = 2_000
const FRESH_MS = 100
const MAX_REMEMBERED_PROJECTS = 1_000

const SELECT_OLDEST = `SELECT (extract(epoch FROM received_at) * 1000)::float8 AS "receivedAtMs"
  FROM (SELECT id, project_id, received_at, row_number() OVER (ORDER BY id) AS place
          FROM (SELECT id, project_id, received_at FROM ingest_log
                 WHERE project_id % ${SHARD_COUNT} = $1::int % ${SHARD_COUNT} ORDER BY id LIMIT ${LOOK_AHEAD}) AS oldest) AS placed
 WHERE project_id = $1 OR place = ${LOOK_AHEAD} ORDER BY id LIMIT 1`

/** How far the events of one project have been stored. Reads a few rows of the project's shard, however long the log is. */
export class IngestionReachReader {
  readonly #remembered = new Map<ProjectId, { readonly readAtMs: number; readonly through: Promise<number> }>()

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /**
   * Milliseconds since the epoch: every event of the project that was accepted until then can be queried. A tenth of a
   * second old at most. Rejects when PostgreSQL does not answer.
   */
  dataThroughMs(projectId: ProjectId): Promise<number> {
    const nowMs = this.clock.now()
    const known = this.#remembered.get(projectId)
    if (known !== undefined && nowMs >= known.readAtMs && nowMs - known.readAtMs < FRESH_MS) return known.through
    const through = this.#read(projectId, nowMs)
    if (this.#remembered.size >= MAX_REMEMBERED_PROJECTS) this.#remembered.clear()
    this.#remembered.set(projectId, { readAtMs: nowMs, through })
    through.catch(() => this.#remembered.delete(projectId))
    return through
  }

  async #read(projectId: ProjectId, nowMs: number): Promise<number> {
    const statement = { name: "ingestion.reach", text: SELECT_OLDEST, values: [projectId] }
    const { rows } = await this.pool.query<{ receivedAtMs: number }>(statement)
    const oldest = rows[0]
    return oldest === undefined ? nowMs : Math.min(nowMs, Math.floor(oldest.receivedAtMs) - 1)
  }
}
