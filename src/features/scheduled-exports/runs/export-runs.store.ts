import type { Pool } from "pg"
import { endSession } from "../../../platform/postgres/end-session.js"
import type { ExportedFile, ExportRun, ScheduledExport } from "../scheduled-exports.types.js"
import type { Interval } from "./interval.js"

/** Which rows are in a file: those of batches of events, or those whose keys have one of some hashes. */
export type Cut = { readonly after: number; readonly until: number } | { readonly part: number; readonly parts: number }

/** The interval that an export is at. */
export interface OpenRun extends Pick<ExportRun, "id" | "intervalFrom" | "intervalTo" | "files" | "attempts"> {
  readonly format: ScheduledExport["format"]
  /** Batches of events that were begun when the interval ended are stored once this one is. */
  readonly awaitedBatch: number
  /** Null until it is known. */
  readonly cuts: readonly Cut[] | null
}

/** An export with the names of its project's types of groups, by their number. */
export type ExportAtWork = ScheduledExport & { readonly groupTypes: readonly string[] }

/** First key of the advisory locks that give each export to one process; the second one is the export. */
const EXPORT_LOCK = 0x6578706f
/** Exports that are worked on after one look; the next look takes the rest. */
const MAX_DUE = 100
/** Finished runs that are kept of each export. */
const KEPT_RUNS = 1_000
/** Pauses after failures, in seconds: the first one, and the longest. */
const PAUSE = { first: 30, longest: 3_600 } as const
const MAX_DOUBLINGS = 12

const LIST_DUE = `SELECT id FROM scheduled_export WHERE NOT is_paused AND due_at <= $1 ORDER BY due_at, id LIMIT ${MAX_DUE}`
const FIND = `SELECT id, project_id AS "projectId", name, content, frequency, format, target, sealed_secret AS "sealedSecret",
    is_paused AS "isPaused", exported_until AS "exportedUntil", after_batch::float8 AS "afterBatch", cut_at AS "cutAt",
    due_at AS "dueAt", failing_since AS "failingSince", created_at AS "createdAt", created_by_id AS "createdById",
    updated_at AS "updatedAt",
    array(SELECT coalesce(g.name, '') FROM generate_series(0, 4) AS i
            LEFT JOIN group_type g ON g.project_id = scheduled_export.project_id AND g.type_index = i
           ORDER BY i) AS "groupTypes"
  FROM scheduled_export WHERE id = $1 AND NOT is_paused`
const RUN_COLUMNS = `id::float8 AS id, interval_from AS "intervalFrom", interval_to AS "intervalTo", format,
  awaited_batch::float8 AS "awaitedBatch", cuts, files, attempts`
const FIND_RUN = `SELECT ${RUN_COLUMNS} FROM scheduled_export_run WHERE export_id = $1 AND status <> 'completed'`
const BEGIN = `INSERT INTO scheduled_export_run
    (export_id, interval_from, interval_to, format, status, awaited_batch, started_at)
  SELECT id, $2, $3, format, 'running', $4, $5 FROM scheduled_export WHERE id = $1 RETURNING ${RUN_COLUMNS}`
const KEEP_CUTS = "UPDATE scheduled_export_run SET cuts = $2 WHERE id = $1"
const KEEP_FILE = `UPDATE scheduled_export_run SET files = files || $2::jsonb, status = 'running', error = NULL WHERE id = $1`
/** Unless somebody wants the interval to end meanwhile. */
const POSTPONE = "UPDATE scheduled_export SET due_at = $2 WHERE id = $1 AND cut_at IS NOT DISTINCT FROM $3"
const FAIL = `WITH failed AS (
    UPDATE scheduled_export_run SET status = 'failed', error = $2, attempts = attempts + 1
     WHERE id = $1 RETURNING export_id, attempts)
  UPDATE scheduled_export SET failing_since = coalesce(failing_since, $3),
         due_at = $3::timestamptz + make_interval(secs =>
           least(${PAUSE.first} * 2 ^ least(failed.attempts - 1, ${MAX_DOUBLINGS}), ${PAUSE.longest}))
    FROM failed WHERE scheduled_export.id = failed.export_id`
const COMPLETE = `WITH completed AS (
    UPDATE scheduled_export_run SET status = 'completed', error = NULL, attempts = attempts + 1, finished_at = $2
     WHERE id = $1 RETURNING export_id, interval_to)
  UPDATE scheduled_export SET failing_since = NULL, due_at = $2, exported_until = completed.interval_to,
         after_batch = coalesce($3, after_batch)
    FROM completed WHERE scheduled_export.id = completed.export_id`
const FORGET = `DELETE FROM scheduled_export_run WHERE export_id = $1 AND status = 'completed' AND id <= (
  SELECT id FROM scheduled_export_run WHERE export_id = $1 ORDER BY id DESC OFFSET ${KEPT_RUNS} LIMIT 1)`

export type ExportRunStore = ReturnType<typeof createExportRunStore>

/** What is known of runs while they are worked on: each step is kept at once, for whoever has to go on. */
export const createExportRunStore = (pool: Pool) => ({
  /** Those that have something to do, the longest due first. */
  async listDue(now: Date): Promise<number[]> {
    return (await pool.query<{ id: number }>(LIST_DUE, [now])).rows.map(({ id }) => id)
  },

  /**
   * Works on an export unless another process does. The session of a connection is the claim: it ends with the process, and
   * nobody who changes the export meanwhile waits for it.
   * @param work ends early when its signal aborts: the claim is lost.
   */
  async claim(exportId: number, work: (lost: AbortSignal) => Promise<void>): Promise<void> {
    const client = await pool.connect()
    const lost = new AbortController()
    client.on("error", (failure) => lost.abort(failure))
    try {
      const sql = `SELECT pg_try_advisory_lock(${EXPORT_LOCK}, $1) AS "isClaimed"`
      const { rows } = await client.query<{ isClaimed: boolean }>(sql, [exportId])
      if (rows[0]?.isClaimed === true) await work(lost.signal)
    } finally {
      await endSession(client)
    }
  },

  /** Null for one that was deleted or paused meanwhile. */
  async find(exportId: number): Promise<ExportAtWork | null> {
    return (await pool.query<ExportAtWork>(FIND, [exportId])).rows[0] ?? null
  },
  /** The run that is not finished. */
  async findRun(exportId: number): Promise<OpenRun | null> {
    return (await pool.query<OpenRun>(FIND_RUN, [exportId])).rows[0] ?? null
  },
  /** Null when the export was deleted meanwhile. */
  async begin(exportId: number, { from, to }: Interval, awaitedBatch: number, now: Date): Promise<OpenRun | null> {
    return (await pool.query<OpenRun>(BEGIN, [exportId, from, to, awaitedBatch, now])).rows[0] ?? null
  },
  async keepCuts(runId: number, cuts: readonly Cut[]): Promise<void> {
    await pool.query(KEEP_CUTS, [runId, JSON.stringify(cuts)])
  },
  async keepFile(runId: number, file: ExportedFile): Promise<void> {
    await pool.query(KEEP_FILE, [runId, JSON.stringify([file])])
  },
  async postpone({ id, cutAt }: Pick<ScheduledExport, "id" | "cutAt">, until: Date): Promise<void> {
    await pool.query(POSTPONE, [id, until, cutAt])
  },
  /** The next attempt comes later each time. */
  async fail(runId: number, error: string, now: Date): Promise<void> {
    await pool.query(FAIL, [runId, error, now])
  },
  /** @param afterBatch the last batch that is out; null where none was. */
  async complete({ id: runId }: OpenRun, exportId: number, afterBatch: number | null, now: Date): Promise<void> {
    await pool.query(COMPLETE, [runId, now, afterBatch])
    await pool.query(FORGET, [exportId])
  },
})
