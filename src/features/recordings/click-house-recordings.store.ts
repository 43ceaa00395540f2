import { QUERY_SETTINGS } from "../../hogql/index.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import { READ_SETTINGS } from "./click-house-read-settings.js"
import { createRecordingRemoval } from "./click-house-recording-removal.store.js"
import { createReplayReads } from "./click-house-replay.store.js"
import { type RecordingSumsRow, toOrderSql, toRecordingsSql } from "./recording-sql.js"
import type { RecordingStore, StoredRecording } from "./recordings.types.js"
import { DAY_MS } from "./retention.js"

/** Conditions of HogQL mean what they mean in queries, and are bounded like them. */
const LIST_SETTINGS = { ...QUERY_SETTINGS, ...READ_SETTINGS }

/** Snapshots of more than a week ago are not taken, so rows that arrive now are no older than this. */
const OLDEST_DATA_MS = 8 * DAY_MS

/**
 * Recordings in ClickHouse: one row of counters and some of snapshots for each block that ingestion stored.
 * @param toFault makes a request fault of the engine's refusal of a condition.
 */
export function createClickHouseRecordings(
  clickHouse: ClickHouse,
  toFault: (failure: unknown) => unknown,
): RecordingStore {
  return {
    ...createReplayReads(clickHouse),
    ...createRecordingRemoval(clickHouse),

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

    async ongoing(projectId, sinceMs) {
      const rows = await clickHouse.rows<{ session_id: string; received_ms: number }>({
        sql: `SELECT session_id, toUnixTimestamp64Milli(max(inserted_at)) AS received_ms FROM session_replay_events
              WHERE project_id = {project:Int64} AND inserted_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
                AND first_timestamp >= fromUnixTimestamp64Milli({oldest:Int64}, 'UTC')
              GROUP BY session_id`,
        parameters: { project: projectId, since: sinceMs, oldest: sinceMs - OLDEST_DATA_MS },
        settings: READ_SETTINGS,
      })
      return rows.map((row) => ({ sessionId: row.session_id, receivedAtMs: row.received_ms }))
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
