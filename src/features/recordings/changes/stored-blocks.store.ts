import type { ProjectId } from "../../../kernel/ids.js"
import type { OrderedItems } from "../../../kernel/ordered-feed.js"
import type { Place } from "../../../kernel/place.js"
import { DAY_MS } from "../../../kernel/retention-days.js"
import type { ClickHouse } from "../../../platform/clickhouse/click-house.js"
import { READ_SETTINGS } from "../replay.store.js"
import type { SessionActivity, StoredBlock } from "./recording-change.types.js"

/** Snapshots of more than a week ago are not taken, so rows that arrive now are no older than this. */
const OLDEST_DATA_MS = 8 * DAY_MS
/** Of one read only the newest blocks are looked at. */
const MAX_BLOCKS_READ = 10_000

export type StoredBlocks = ReturnType<typeof createStoredBlocks>

/** Blocks of recordings in the order in which they were stored. Every call is bounded to one project. */
export function createStoredBlocks(clickHouse: Pick<ClickHouse, "rows">) {
  return {
    /** Blocks beyond `after` and not beyond `upTo`, oldest first; `missed` counts the sessions of those left out. */
    async read(projectId: ProjectId, after: Place, upTo: Place): Promise<OrderedItems<StoredBlock>> {
      const parameters = {
        project: projectId,
        afterBatch: after[0],
        afterPosition: after[1],
        lastBatch: upTo[0],
        lastPosition: upTo[1],
      }
      const where = `project_id = {project:Int64} AND batch >= {afterBatch:UInt64}
        AND (batch > {afterBatch:UInt64} OR batch_position > {afterPosition:UInt64})
        AND (batch < {lastBatch:UInt64} OR (batch = {lastBatch:UInt64} AND batch_position <= {lastPosition:UInt64}))`
      const newestFirst = "FROM session_replay_events WHERE"
      const order = "ORDER BY batch DESC, batch_position DESC"
      const rows = await clickHouse.rows<{ sessionId: string; receivedAtMs: number; batch: number; position: number }>({
        sql: `SELECT session_id AS "sessionId", toUnixTimestamp64Milli(inserted_at) AS "receivedAtMs", batch AS "batch",
            batch_position AS "position"
          ${newestFirst} ${where} ${order} LIMIT ${MAX_BLOCKS_READ}`,
        parameters,
        settings: READ_SETTINGS,
      })
      const items = rows
        .toReversed()
        .map(({ batch, position, ...activity }): StoredBlock => ({ ...activity, place: [batch, position] }))
      if (rows.length < MAX_BLOCKS_READ) return { items, missed: 0 }
      const [left] = await clickHouse.rows<{ sessions: number }>({
        sql: `SELECT uniqExact(session_id) AS "sessions"
          FROM (SELECT session_id ${newestFirst} ${where} ${order} LIMIT 1000000000 OFFSET ${MAX_BLOCKS_READ})`,
        parameters,
        settings: READ_SETTINGS,
      })
      return { items, missed: left?.sessions ?? 0 }
    },

    /** Sessions with data at or after `sinceMs` among the blocks up to a place, with when the newest of it came. */
    listOngoing: (projectId: ProjectId, upTo: Place, sinceMs: number): Promise<SessionActivity[]> =>
      clickHouse.rows<SessionActivity>({
        sql: `SELECT session_id AS sessionId, toUnixTimestamp64Milli(max(inserted_at)) AS receivedAtMs
              FROM session_replay_events
              WHERE project_id = {project:Int64} AND inserted_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
                AND first_timestamp >= fromUnixTimestamp64Milli({oldest:Int64}, 'UTC')
                AND (batch < {batch:UInt64} OR (batch = {batch:UInt64} AND batch_position <= {position:UInt64}))
              GROUP BY session_id`,
        parameters: {
          project: projectId,
          since: sinceMs,
          oldest: sinceMs - OLDEST_DATA_MS,
          batch: upTo[0],
          position: upTo[1],
        },
        settings: READ_SETTINGS,
      }),
  }
}
