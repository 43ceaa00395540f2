import { toDateTimeText } from "../../kernel/time-text.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import { READ_SETTINGS } from "./click-house-read-settings.js"
import type { RecordingStore } from "./recordings.types.js"

/** Tables that hold data of sessions, with the condition that finds it. */
const DATA_OF_SESSIONS = [
  ["session_snapshots", "session_id IN {sessions:Array(String)}"],
  ["session_replay_events", "session_id IN {sessions:Array(String)}"],
  ["log_entries", "log_source = 'session_replay' AND log_source_id IN {sessions:Array(String)}"],
] as const

/** Finds recordings to remove, and removes them for good. */
export const createRecordingRemoval = (
  clickHouse: ClickHouse,
): Pick<RecordingStore, "deletedOf" | "sessionsOf" | "delete"> => ({
  async deletedOf(projectId, sessionIds) {
    const rows = await clickHouse.rows<{ session_id: string }>({
      sql: `SELECT DISTINCT session_id FROM session_recording_deletions
            WHERE project_id = {project:Int64} AND session_id IN {sessions:Array(String)}`,
      parameters: { project: projectId, sessions: sessionIds },
      settings: READ_SETTINGS,
    })
    return new Set(rows.map((row) => row.session_id))
  },

  async sessionsOf(projectId, distinctIds, begunUntilMs, afterSessionId, limit) {
    const rows = await clickHouse.rows<{ session_id: string }>({
      sql: `SELECT session_id FROM session_replay_events
            WHERE project_id = {project:Int64} AND distinct_id IN {ids:Array(String)} AND session_id > {after:String}
            GROUP BY session_id HAVING toUnixTimestamp64Milli(min(first_timestamp)) <= {until:Int64}
            ORDER BY session_id LIMIT {limit:UInt64}`,
      parameters: { project: projectId, ids: distinctIds, until: begunUntilMs, after: afterSessionId, limit },
      settings: READ_SETTINGS,
    })
    return rows.map((row) => row.session_id)
  },

  async delete(projectId, sessionIds, nowMs) {
    await clickHouse.insert({
      table: "session_recording_deletions",
      rows: sessionIds.map((id) => ({ project_id: projectId, session_id: id, deleted_at: toDateTimeText(nowMs) })),
    })
    for (const [table, condition] of DATA_OF_SESSIONS)
      await clickHouse.command({
        sql: `ALTER TABLE ${table} DELETE WHERE project_id = {project:Int64} AND ${condition}`,
        parameters: { project: projectId, sessions: sessionIds },
      })
  },
})
