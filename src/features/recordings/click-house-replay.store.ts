import type { ProjectId } from "../../kernel/ids.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import { READ_SETTINGS } from "./click-house-read-settings.js"
import type { RecordingStore } from "./recordings.types.js"

const BLOCK_ORDER = "first_timestamp, block_uuid, part"

interface BlockRow {
  readonly block: string
  readonly part: number
  readonly start_ms: number
  readonly end_ms: number
}

/** What players read of one recording: its stretches and their lines. */
export function createReplayReads(clickHouse: ClickHouse): Pick<RecordingStore, "sources" | "lines"> {
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
  }
}
