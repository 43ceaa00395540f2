import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import type { RecordingDeletions } from "./snapshot-sink.js"

/** Deleted sessions as ingestion asks for them. */
export function createRecordingDeletions(clickHouse: ClickHouse): RecordingDeletions {
  return {
    async deletedOf(sessions) {
      const rows = await clickHouse.rows<{ project_id: number; session_id: string }>({
        sql: `SELECT project_id, session_id FROM session_recording_deletions
              WHERE project_id IN {projects:Array(Int64)} AND session_id IN {sessions:Array(String)}`,
        parameters: {
          projects: [...new Set(sessions.map(({ projectId }) => projectId))],
          sessions: sessions.map(({ sessionId }) => sessionId),
        },
      })
      return new Set(rows.map((row) => `${row.project_id} ${row.session_id}`))
    },
  }
}
