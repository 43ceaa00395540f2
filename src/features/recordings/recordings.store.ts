import { QUERY_SETTINGS } from "../../hogql/index.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { OffsetWindow, Page } from "../../kernel/paging.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import type { SessionActivity } from "./changes/recording-change.types.js"
import { createRecordingDeletions } from "./recording-deletions.store.js"
import { type RecordingQuery, toOrderSql, toRecordingsSql } from "./recording-sql.js"
import type { StoredRecording } from "./recordings.types.js"
import { createReplayStore, READ_SETTINGS } from "./replay.store.js"
import { DAY_MS } from "./retention.js"

/** Conditions of HogQL mean what they mean in queries, and are bounded like them. */
const LIST_SETTINGS = { ...QUERY_SETTINGS, ...READ_SETTINGS }

/** Snapshots of more than a week ago are not taken, so rows that arrive now are no older than this. */
const OLDEST_DATA_MS = 8 * DAY_MS

/** Recordings at rest. Every call is bounded to one project. */
export type RecordingStore = ReturnType<typeof createRecordingStore>

/**
 * Recordings in ClickHouse: one row of counters and some of snapshots for each block that ingestion stored.
 * @param toFault makes a request fault of the engine's refusal of a condition.
 */
export function createRecordingStore(clickHouse: ClickHouse, toFault: (failure: unknown) => unknown) {
  return {
    ...createReplayStore(clickHouse),
    ...createRecordingDeletions(clickHouse),

    /** Deleted sessions are never found. */
    async list(
      projectId: ProjectId,
      query: RecordingQuery,
      { limit, offset }: OffsetWindow,
    ): Promise<Page<StoredRecording>> {
      const { sql, parameters } = toRecordingsSql(projectId, query)
      const read = <Row extends object>(text: string, more: object = {}): Promise<Row[]> =>
        clickHouse
          .rows<Row>({ sql: text, parameters: { ...parameters, ...more }, settings: LIST_SETTINGS })
          .catch((failure: unknown) => {
            // Without conditions of the user's own the statement is always right.
            throw query.test === null ? failure : toFault(failure)
          })
      const rows = await read<StoredRecording & { total: number }>(
        `SELECT *, count() OVER () AS total FROM (${sql}) ORDER BY ${toOrderSql(query)}
         LIMIT {limit:UInt64} OFFSET {offset:UInt64}`,
        { limit, offset, order: query.sessionIds ?? [] },
      )
      const [first] = rows
      if (first !== undefined || offset === 0)
        return { items: rows.map(({ total: _, ...recording }) => recording), totalCount: first?.total ?? 0 }
      // Past the end no row can say how many there are.
      const [counted] = await read<{ total: number }>(`SELECT count() AS total FROM (${sql})`)
      return { items: [], totalCount: counted?.total ?? 0 }
    },

    /** Sessions of which data arrived at or after `sinceMs`, with when the newest did. */
    listOngoing: (projectId: ProjectId, sinceMs: number): Promise<SessionActivity[]> =>
      clickHouse.rows<SessionActivity>({
        sql: `SELECT session_id AS sessionId, toUnixTimestamp64Milli(max(inserted_at)) AS receivedAtMs
              FROM session_replay_events
              WHERE project_id = {project:Int64} AND inserted_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
                AND first_timestamp >= fromUnixTimestamp64Milli({oldest:Int64}, 'UTC')
              GROUP BY session_id`,
        parameters: { project: projectId, since: sinceMs, oldest: sinceMs - OLDEST_DATA_MS },
        settings: READ_SETTINGS,
      }),
  }
}
