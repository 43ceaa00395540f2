import type { Pool } from "pg"
import { asUserId, type UserId } from "../../kernel/ids.js"
import { whenReachable } from "../../platform/postgres/when-reachable.js"
import type { RecordingViews } from "./recordings.types.js"

/** Views in PostgreSQL. Methods throw AppError store_unavailable when it is away. */
export function createPostgresRecordingViews(pool: Pool): RecordingViews {
  const run = (text: string, values: readonly unknown[]): Promise<void> =>
    whenReachable(async () => {
      await pool.query(text, [...values])
    })
  return {
    mark: (projectId, sessionIds, userId, at) =>
      run(
        `INSERT INTO session_recording_view (project_id, session_id, user_id, viewed_at)
         SELECT $1, session_id, $3, $4 FROM unnest($2::text[]) AS session_id ON CONFLICT DO NOTHING`,
        [projectId, sessionIds, userId, at],
      ),
    unmark: (projectId, sessionIds, userId) =>
      run(
        "DELETE FROM session_recording_view WHERE project_id = $1 AND session_id = ANY ($2::text[]) AND user_id = $3",
        [...[projectId, sessionIds, userId]],
      ),
    forget: (projectId, sessionIds) =>
      run("DELETE FROM session_recording_view WHERE project_id = $1 AND session_id = ANY ($2::text[])", [
        ...[projectId, sessionIds],
      ]),
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
