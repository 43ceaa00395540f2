import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import { toDateTimeText } from "../../kernel/time-text.js"
import { type ClickHouse, EngineError, type QueryParameters } from "../../platform/clickhouse/click-house.js"
import { deleteRows } from "../../platform/clickhouse/mutate-rows.js"
import { READ_SETTINGS } from "./replay.store.js"

const RETRY_AFTER_SECONDS = 2

const HIDDEN = "(SELECT session_id FROM session_recording_deletions WHERE project_id = {project:Int64})"

/**
 * Tables that hold data of sessions, with the condition that finds that of hidden ones. Counters are the last: only they tell whose
 * sessions there are.
 */
const DATA_OF_HIDDEN_SESSIONS = [
  ["session_snapshots", `session_id IN ${HIDDEN}`],
  ["log_entries", `log_source = 'session_replay' AND log_source_id IN ${HIDDEN}`],
  ["session_replay_events", `session_id IN ${HIDDEN}`],
] as const

/** Sessions of which nothing has come since a time. */
const SILENT = `(SELECT session_id FROM session_replay_events WHERE project_id = {project:Int64}
  GROUP BY session_id HAVING max(inserted_at) < fromUnixTimestamp64Milli({before:Int64}, 'UTC'))`
const DATA_OF_SILENT_SESSIONS = [
  ["session_snapshots", `session_id IN ${SILENT}`],
  ["log_entries", `log_source = 'session_replay' AND log_source_id IN ${SILENT}`],
  ["session_replay_events", `session_id IN ${SILENT}`],
] as const

/** A session of a project. */
export interface SessionKey {
  readonly projectId: ProjectId
  readonly sessionId: string
}

/** Which sessions were deleted, and how. */
export type RecordingDeletions = ReturnType<typeof createRecordingDeletions>

/** Deletions in ClickHouse. */
export const createRecordingDeletions = (clickHouse: ClickHouse) => ({
  /** Those of the sessions that were deleted. @throws AppError store_unavailable whenever they cannot be read. */
  async findDeleted(sessions: readonly SessionKey[]): Promise<readonly SessionKey[]> {
    const projects = [...new Set(sessions.map(({ projectId }) => projectId))]
    try {
      return await clickHouse.rows<SessionKey>({
        sql: `SELECT DISTINCT toInt64(project_id) AS projectId, session_id AS sessionId FROM session_recording_deletions
              WHERE project_id IN {projects:Array(Int64)} AND session_id IN {sessions:Array(String)}`,
        parameters: { projects, sessions: sessions.map(({ sessionId }) => sessionId) },
        settings: READ_SETTINGS,
      })
    } catch (error) {
      // The statement is always right, so a refusal says something about the engine's state and not about the sessions.
      if (!(error instanceof EngineError)) throw error
      throw new AppError("store_unavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error })
    }
  },

  /**
   * Sessions with data of any of these distinct ids that began up to a time, also when they are hidden, in the order of their
   * ids: at most `limit` of those behind `afterSessionId`.
   */
  async findSessions(
    projectId: ProjectId,
    distinctIds: readonly string[],
    begunUntilMs: number,
    afterSessionId: string,
    limit: number,
  ): Promise<string[]> {
    const rows = await clickHouse.rows<{ sessionId: string }>({
      sql: `SELECT session_id AS sessionId FROM session_replay_events
            WHERE project_id = {project:Int64} AND distinct_id IN {ids:Array(String)} AND session_id > {after:String}
            GROUP BY session_id HAVING toUnixTimestamp64Milli(min(first_timestamp)) <= {until:Int64}
            ORDER BY session_id LIMIT {limit:UInt64}`,
      parameters: { project: projectId, ids: distinctIds, until: begunUntilMs, after: afterSessionId, limit },
      settings: READ_SETTINGS,
    })
    return rows.map(({ sessionId }) => sessionId)
  },

  /** Hides sessions at once and for good. May be repeated. */
  async hide(projectId: ProjectId, sessionIds: readonly string[], nowMs: number): Promise<void> {
    await clickHouse.insert({
      table: "session_recording_deletions",
      rows: sessionIds.map((id) => ({ project_id: projectId, session_id: id, deleted_at: toDateTimeText(nowMs) })),
    })
  },

  /** Has the engine remove the data of all hidden sessions of a project, without waiting for it. */
  async removeHidden(projectId: ProjectId): Promise<void> {
    for (const [table, condition] of DATA_OF_HIDDEN_SESSIONS)
      await clickHouse.command({
        sql: `ALTER TABLE ${table} DELETE WHERE project_id = {project:Int64} AND ${condition}`,
        parameters: { project: projectId },
      })
  },

  /** The same, and looks whether it is done. @returns whether no data of hidden sessions is left. */
  finishRemoval: (projectId: ProjectId): Promise<boolean> =>
    removeAll(clickHouse, DATA_OF_HIDDEN_SESSIONS, `recordings of project ${projectId}`, { project: projectId }),

  /**
   * Has the engine remove sessions of which nothing has come since a time. May be repeated. A session that comes back
   * meanwhile has lost what it had.
   * @returns whether none is left.
   */
  removeSilent: (projectId: ProjectId, beforeMs: number): Promise<boolean> =>
    removeAll(clickHouse, DATA_OF_SILENT_SESSIONS, `old recordings of project ${projectId}`, {
      project: projectId,
      before: beforeMs,
    }),
})

/** Removes from one table after the other. @returns whether nothing is left. */
async function removeAll(
  clickHouse: ClickHouse,
  conditions: readonly (readonly [table: string, condition: string])[],
  name: string,
  parameters: QueryParameters,
): Promise<boolean> {
  for (const [table, condition] of conditions) {
    const whole = `project_id = {project:Int64} AND ${condition}`
    if (!(await deleteRows(clickHouse, { table, condition: whole, parameters, name }))) return false
  }
  return true
}
