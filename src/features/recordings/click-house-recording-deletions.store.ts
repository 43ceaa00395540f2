import { AppError } from "../../kernel/errors.js"
import { type ClickHouse, EngineError } from "../../platform/clickhouse/click-house.js"
import type { RecordingDeletions } from "./snapshot-sink.js"

const RETRY_AFTER_SECONDS = 2

/** Deleted sessions as ingestion asks for them. */
export function createClickHouseRecordingDeletions(clickHouse: ClickHouse): RecordingDeletions {
  return {
    async deletedOf(sessions) {
      const rows = await clickHouse
        .rows<{ project_id: number; session_id: string }>({
          sql: `SELECT project_id, session_id FROM session_recording_deletions
                WHERE project_id IN {projects:Array(Int64)} AND session_id IN {sessions:Array(String)}`,
          parameters: {
            projects: [...new Set(sessions.map(({ projectId }) => projectId))],
            sessions: sessions.map(({ sessionId }) => sessionId),
          },
        })
        .catch((error: unknown) => {
          // The statement is always right, so a refusal says something about the engine's state and not about the sessions.
          if (!(error instanceof EngineError)) throw error
          throw new AppError("store_unavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error })
        })
      return new Set(rows.map((row) => `${row.project_id} ${row.session_id}`))
    },
  }
}
