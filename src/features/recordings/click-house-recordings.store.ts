import { QUERY_SETTINGS } from "../../hogql/index.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import { type RecordingSumsRow, toOrderSql, toRecordingsSql } from "./recording-sql.js"
import type { RecordingStore, StoredRecording } from "./recordings.types.js"
import { DAY_MS } from "./retention.js"

/** For interactive reads: seconds after which a caller who waits for a list has given up. */
const READ_SETTINGS = { max_execution_time: 30 }
/** Conditions of HogQL mean what they mean in queries, and are bounded like them. */
const LIST_SETTINGS = { ...QUERY_SETTINGS, ...READ_SETTINGS }

const OLDEST_DATA_MS = 8 * DAY_MS
const BLOCK_ORDER = "first_timestamp, block_uuid, part"

interface BlockRow {
  readonly block: string
  readonly part: number
  readonly start_ms: number
  readonly end_ms: number
}

/** Tables that hold data of sessions, with the condition that finds it. */
const DATA_OF_SESSIONS = [
  ["session_snapshots", "session_id IN {sessions:Array(String)}"],
  ["session_replay_events", "session_id IN {sessions:Array(String)}"],
  ["log_entries", "log_source = 'session_replay' AND log_source_id IN {sessions:Array(String)}"],
] as const

/**
 * Recordings in ClickHouse: one row of counters and some of snapshots for each block that ingestion stored.
 * @param toFault makes a request fault of the engine's refusal of a condition.
 */
export function createClickHouseRecordings(
  clickHouse: ClickHouse,
  toFault: (failure: unknown) => unknown,
): RecordingStore {
  const blocksOf = (projectId: ProjectId, sessionId: string): Promise<BlockRow[]> =>
    clickHouse.rows<BlockRow>({
      sql: `SELECT toString(block_uuid) AS block, part, toUnixTimestamp64Milli(first_timestamp) AS start_ms,
              toUnixTimestamp64Milli(last_timestamp) AS end_ms
            FROM session_snapshots WHERE project_id = {project:Int64} AND session_id = {session:String}
            ORDER BY ${BLOCK_ORDER}`,
      parameters: { project: projectId, session: sessionId },
      settings: READ_SETTINGS,
    })

  return {
    async list(projectId, query, { limit, offset }) {
      const { sql, parameters } = toRecordingsSql(projectId, query)
      const read = <Row extends object>(text: string, more: object = {}): Promise<Row[]> =>
        clickHouse
          .rows<Row>({ sql: text, parameters: { ...parameters, ...more }, settings: LIST_SETTINGS })
          .catch((failure: unknown) => {
            // Without conditions of the user's own the statement is always right.
            throw query.test === null ? failure : toFault(failure)
          })
      const rows = await read<RecordingSumsRow & { total: number }>(
        `SELECT *, count() OVER () AS total FROM (${sql}) ORDER BY ${toOrderSql(query)}
         LIMIT {limit:UInt64} OFFSET {offset:UInt64}`,
        { limit, offset, order: query.sessionIds ?? [] },
      )
      const [first] = rows
      if (first !== undefined || offset === 0)
        return { items: rows.map(toStoredRecording), totalCount: first?.total ?? 0 }
      // Past the end no row can tell how many there are.
      const [counted] = await read<{ total: number }>(`SELECT count() AS total FROM (${sql})`)
      return { items: [], totalCount: counted?.total ?? 0 }
    },

    async sources(projectId, sessionId) {
      const blocks = await blocksOf(projectId, sessionId)
      return blocks.map(({ start_ms, end_ms }, index) => ({
        blobKey: String(index),
        startTimestamp: new Date(start_ms),
        endTimestamp: new Date(end_ms),
      }))
    },

    async lines(projectId, sessionId, first, last) {
      const blocks = (await blocksOf(projectId, sessionId)).slice(first, last + 1)
      const [start, end] = [blocks[0], blocks.at(-1)]
      if (start === undefined || end === undefined) return []
      const rows = await clickHouse.rows<{ lines: string }>({
        sql: `SELECT lines FROM session_snapshots
              WHERE project_id = {project:Int64} AND session_id = {session:String}
                AND first_timestamp BETWEEN fromUnixTimestamp64Milli({start:Int64}, 'UTC') AND fromUnixTimestamp64Milli({end:Int64}, 'UTC')
                AND (block_uuid, part) IN (SELECT toUUID(one.1), one.2 FROM (SELECT arrayJoin(arrayZip({blocks:Array(String)}, {parts:Array(UInt16)})) AS one))
              ORDER BY ${BLOCK_ORDER}`,
        parameters: {
          ...{ project: projectId, session: sessionId, start: start.start_ms, end: end.start_ms },
          blocks: blocks.map(({ block }) => block),
          parts: blocks.map(({ part }) => part),
        },
        settings: READ_SETTINGS,
      })
      return rows.flatMap(({ lines }) => lines.split("\n"))
    },

    async ongoing(projectId, sinceMs) {
      const rows = await clickHouse.rows<{ session_id: string; received_ms: number }>({
        sql: `SELECT session_id, toUnixTimestamp64Milli(max(inserted_at)) AS received_ms FROM session_replay_events
              WHERE project_id = {project:Int64} AND inserted_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
                AND first_timestamp >= fromUnixTimestamp64Milli({oldest:Int64}, 'UTC')
              GROUP BY session_id`,
        // Snapshots of more than a week ago are not taken.
        parameters: { project: projectId, since: sinceMs, oldest: sinceMs - OLDEST_DATA_MS },
        settings: READ_SETTINGS,
      })
      return rows.map((row) => ({ sessionId: row.session_id, receivedAtMs: row.received_ms }))
    },

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
      const deletedAt = new Date(nowMs).toISOString().slice(0, -1).replace("T", " ")
      await clickHouse.insert({
        table: "session_recording_deletions",
        rows: sessionIds.map((id) => ({ project_id: projectId, session_id: id, deleted_at: deletedAt })),
      })
      for (const [table, condition] of DATA_OF_SESSIONS)
        await clickHouse.command({
          sql: `ALTER TABLE ${table} DELETE WHERE project_id = {project:Int64} AND ${condition}`,
          parameters: { project: projectId, sessions: sessionIds },
        })
    },
  }
}

const toStoredRecording = (row: RecordingSumsRow): StoredRecording => ({
  sessionId: row.session_id,
  distinctId: row.distinct_id,
  startMs: row.start_ms,
  endMs: row.end_ms,
  lastReceivedMs: row.last_received_ms,
  firstUrl: row.first_url === "" ? null : row.first_url,
  snapshotSource: row.snapshot_source,
  activeMilliseconds: row.active_milliseconds,
  clickCount: row.click_count,
  keypressCount: row.keypress_count,
  mouseActivityCount: row.mouse_activity_count,
  consoleLogCount: row.console_log_count,
  consoleWarnCount: row.console_warn_count,
  consoleErrorCount: row.console_error_count,
})
