import type { Pool } from "pg"
import { type Clock, isRecent } from "../../../kernel/clock.js"
import type { IngestionLag } from "../ingestion.types.js"
import { SHARD_COUNT, SHARD_LOCK } from "../shards.js"
import { RowSightings } from "./row-sightings.js"

/** Readiness probes, metrics and dashboards may all ask; the log is counted once in this time. */
const FRESH_MS = 250

const SELECT_LAG = `SELECT
  (SELECT coalesce(sum(stored + dropped), 0) FROM ingest_progress)::float8 AS done,
  (SELECT coalesce(sum(event_count), 0) FROM ingest_log)::float8 AS waiting,
  (SELECT (extract(epoch FROM received_at) * 1000)::float8 FROM ingest_log ORDER BY id LIMIT 1) AS "oldestMs",
  (SELECT max(id) FROM ingest_log)::float8 AS "newestId",
  (SELECT id FROM ingest_log ORDER BY id LIMIT 1)::float8 AS "oldestId",
  ${SHARD_COUNT} AS shards,
  (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = ${SHARD_LOCK} AND objid < ${SHARD_COUNT} AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))::int AS owners`

interface LagRow {
  readonly done: number
  readonly waiting: number
  readonly oldestMs: number | null
  readonly oldestId: number | null
  readonly newestId: number | null
  readonly shards: number
  readonly owners: number
}

/** How far ingestion is behind, over all processes and restarts: one statement, so its numbers fit together. */
export class IngestionLagReader {
  private readonly sightings = new RowSightings()
  private readAtMs = Number.NEGATIVE_INFINITY
  private reading: Promise<IngestionLag> | null = null

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** At most a quarter of a second old. Rejects when PostgreSQL does not answer. */
  read(): Promise<IngestionLag> {
    const nowMs = this.clock.now()
    if (this.reading !== null && isRecent(nowMs, this.readAtMs, FRESH_MS)) return this.reading
    this.readAtMs = nowMs
    this.reading = this.query(nowMs)
    this.reading.catch(() => {
      this.reading = null
    })
    return this.reading
  }

  private async query(nowMs: number): Promise<IngestionLag> {
    const { rows } = await this.pool.query<LagRow>(SELECT_LAG)
    const [row] = rows
    if (row === undefined) throw new Error("a statement of sums always answers a row")
    const { done, waiting, oldestMs, oldestId, newestId, shards, owners } = row
    const waitedMs = this.sightings.note(oldestId, newestId, performance.now())
    return {
      accepted: done + waiting,
      stored: done,
      oldestUnstoredSeconds: oldestMs === null ? 0 : Math.max(waitedMs, nowMs - oldestMs) / 1000,
      shardsWithoutOwner: shards - owners,
      shardCount: shards,
      measuredAt: new Date(nowMs),
    }
  }
}
