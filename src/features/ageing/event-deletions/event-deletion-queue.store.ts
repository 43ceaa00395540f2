import type { Pool } from "pg"
import type { ProjectId } from "../../../kernel/ids.js"
import type { EventSelection } from "./event-deletions.types.js"

/** A deletion that is under way. */
export interface PendingEventDeletion {
  readonly requestId: string
  readonly projectId: ProjectId
  readonly selection: EventSelection
  readonly requestedAtMs: number
  /** Whether the rows of sessions have been noted that may know of deleted events: none of these can come any more. */
  readonly isSettled: boolean
  /** Whether events that were accepted before it may still wait in the log. */
  readonly isEarly: boolean
}

/** Longest pauses between two looks at a deletion: the first is a second, each later one twice as long. */
const LONGEST_PAUSE_SECONDS = { unfinished: 30, refused: 3_600 } as const
const MAX_DOUBLINGS = 12

const READ_DUE = `SELECT id::text AS "requestId", project_id AS "projectId", selection, is_settled AS "isSettled",
    (extract(epoch FROM requested_at) * 1000)::float8 AS "requestedAtMs",
    EXISTS (SELECT FROM ingest_log WHERE ingest_log.project_id = event_deletion.project_id
              AND received_at <= requested_at) AS "isEarly"
  FROM event_deletion WHERE finished_at IS NULL AND due_at <= $1 ORDER BY id`
const DELAY = `UPDATE event_deletion SET attempts = attempts + 1, remaining_count = coalesce($4, remaining_count),
    due_at = $2::timestamptz + make_interval(secs => least(2 ^ least(attempts, ${MAX_DOUBLINGS}), $3))
  WHERE id = $1`
const REQUEST_RETENTION = `
  INSERT INTO event_deletion (project_id, reason, selection, requested_at, event_count, remaining_count)
  VALUES ($1, 'retention', $2, $3, $4, $4) ON CONFLICT DO NOTHING`
const FORGET_RETENTION = "DELETE FROM event_deletion WHERE reason = 'retention' AND finished_at < $1"

export type EventDeletionQueue = ReturnType<typeof createEventDeletionQueue>

/** Deletions of events that are not done yet. */
export const createEventDeletionQueue = (pool: Pool) => ({
  /** Those that are to be worked on, the oldest first. */
  async readDue(nowMs: number): Promise<PendingEventDeletion[]> {
    return (await pool.query<PendingEventDeletion>(READ_DUE, [new Date(nowMs)])).rows
  },
  async markSettled(requestId: string): Promise<void> {
    await pool.query("UPDATE event_deletion SET is_settled = true WHERE id = $1", [requestId])
  },
  async finish(requestId: string, nowMs: number): Promise<void> {
    const sql = "UPDATE event_deletion SET remaining_count = 0, finished_at = $2 WHERE id = $1"
    await pool.query(sql, [requestId, new Date(nowMs)])
  },
  /** The next look comes later each time. @param remaining events that are left; null when that is not known. */
  async delay(
    requestId: string,
    nowMs: number,
    why: keyof typeof LONGEST_PAUSE_SECONDS,
    remaining: number | null,
  ): Promise<void> {
    await pool.query(DELAY, [requestId, new Date(nowMs), LONGEST_PAUSE_SECONDS[why], remaining])
  },
  /** Nothing when a deletion by retention is under way in the project. */
  async requestRetention(
    projectId: ProjectId,
    selection: EventSelection,
    eventCount: number,
    nowMs: number,
  ): Promise<void> {
    await pool.query(REQUEST_RETENTION, [projectId, JSON.stringify(selection), new Date(nowMs), eventCount])
  },
  /** Those that people asked for stay. */
  async forgetRetention(finishedBeforeMs: number): Promise<void> {
    await pool.query(FORGET_RETENTION, [new Date(finishedBeforeMs)])
  },
})
