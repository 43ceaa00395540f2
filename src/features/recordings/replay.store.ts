import type { ProjectId } from "../../kernel/ids.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import type { SnapshotSource } from "./recordings.types.js"

/** For interactive reads: seconds after which a caller who waits for an answer has given up. */
export const READ_SETTINGS = { max_execution_time: 30 }

const BLOCK_ORDER = "first_timestamp, block_uuid, part"

interface BlockRow {
  readonly block: string
  readonly part: number
  readonly startMs: number
  readonly endMs: number
}

/** What players read of one recording: its stretches and their lines. Deleted sessions must have been left out before. */
export function createReplayStore(clickHouse: ClickHouse) {
  const listBlocks = (projectId: ProjectId, sessionId: string): Promise<BlockRow[]> =>
    clickHouse.rows<BlockRow>({
      sql: `SELECT toString(block_uuid) AS block, part, toUnixTimestamp64Milli(first_timestamp) AS startMs,
              toUnixTimestamp64Milli(last_timestamp) AS endMs
            FROM session_snapshots WHERE project_id = {project:Int64} AND session_id = {session:String}
            ORDER BY ${BLOCK_ORDER}`,
      parameters: { project: projectId, session: sessionId },
      settings: READ_SETTINGS,
    })

  return {
    async sources(projectId: ProjectId, sessionId: string): Promise<SnapshotSource[]> {
      const blocks = await listBlocks(projectId, sessionId)
      return blocks.map(({ startMs, endMs }, index) => ({
        blobKey: String(index),
        startTimestamp: new Date(startMs),
        endTimestamp: new Date(endMs),
      }))
    },

    /** Lines of JSON, `[windowId, item]` each, of the sources with numbers `first` to `last`, in their order. */
    async lines(projectId: ProjectId, sessionId: string, first: number, last: number): Promise<string[]> {
      const blocks = (await listBlocks(projectId, sessionId)).slice(first, last + 1)
      const [start, end] = [blocks[0], blocks.at(-1)]
      if (start === undefined || end === undefined) return []
      const rows = await clickHouse.rows<{ lines: string }>({
        sql: `SELECT lines FROM session_snapshots
              WHERE project_id = {project:Int64} AND session_id = {session:String}
                AND first_timestamp BETWEEN fromUnixTimestamp64Milli({start:Int64}, 'UTC') AND fromUnixTimestamp64Milli({end:Int64}, 'UTC')
                AND (block_uuid, part) IN (SELECT toUUID(one.1), one.2 FROM (SELECT arrayJoin(arrayZip({blocks:Array(String)}, {parts:Array(UInt16)})) AS one))
              ORDER BY ${BLOCK_ORDER}`,
        parameters: {
          project: projectId,
          session: sessionId,
          start: start.startMs,
          end: end.startMs,
          blocks: blocks.map(({ block }) => block),
          parts: blocks.map(({ part }) => part),
        },
        settings: READ_SETTINGS,
      })
      return rows.flatMap(({ lines }) => lines.split("\n"))
    },
  }
}
