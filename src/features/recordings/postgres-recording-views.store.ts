import type { Pool } from "pg"
import { asUserId, type UserId } from "../../kernel/ids.js"
import { whenReachable } from "../../platform/postgres/when-reachable.js"
import type { RecordingViews } from "./recordings.types.js"

/** Views in PostgreSQL. Methods throw AppError store_unavailable when it is away. */
export function createPostgresRecordingViews(pool: Pool): RecordingViews {
  return {
    mark: (projectId, sessionId, userId, at) =>
      whenReachable(async () => {
        await pool.query(
          `INSERT INTO session_recording_view (project_id, session_id, user_id, viewed_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT DO NOTHING`,
          [projectId, sessionId, userId, at],
        )
      }),
    viewersOf: (projectId, sessionIds) =>
      whenReachable(async () => {
        const { rows } = await pool.query<{ session_id: string; user_ids: number[] }>(
          `SELECT session_id, array_agg(user_id ORDER BY viewed_at, user_id) AS user_ids FROM session_recording_view
            WHERE project_id = $1 AND session_id = ANY ($2::text[]) GROUP BY session_id`,
          [projectId, sessionIds],
        )
        return new Map<string, UserId[]>(rows.map((row) => [row.session_id, row.user_ids.map(asUserId)]))
      }),
  }
}
