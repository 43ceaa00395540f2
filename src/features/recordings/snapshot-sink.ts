import type { ProjectId } from "../../kernel/ids.js"
import type { ProjectSettings } from "./recordings.types.js"
import { type RecordingRow, toCounterRow, toLogRows, toSnapshotRows } from "./replay/recording-rows.js"
import { type ReplayBlock, toBlock } from "./replay/replay-block.js"
import {
  type ReadMessage,
  readMessage,
  type SnapshotDropReason,
  type SnapshotMessage,
} from "./replay/snapshot-message.js"
import { DAY_MS, retentionDaysOf } from "./retention.js"

/** Rows of one table that go into one insert. */
export interface RecordingInsert {
  readonly table: "session_snapshots" | "log_entries" | "session_replay_events"
  readonly rows: readonly RecordingRow[]
}

/** What ingestion has to store and to tell. */
export interface PreparedRecordings {
  /** To be made in this order: a session is listed once it can be played. The same at every replay. */
  readonly inserts: readonly RecordingInsert[]
  readonly dropped: readonly { readonly position: number; readonly reason: SnapshotDropReason }[]
  /** Places of all messages that a row was made of, by the place that the row names. */
  readonly positionsOfRow: ReadonlyMap<number, readonly number[]>
}

/** Tells which of these sessions were deleted; as `<project id> <session id>`. */
export interface RecordingDeletions {
  deletedOf(sessions: readonly { projectId: ProjectId; sessionId: string }[]): Promise<ReadonlySet<string>>
}

/** More would be a burden to the engine's memory in one insert. */
const MAX_INSERT_CHARACTERS = 16_000_000

/** What ingestion hands its snapshot messages to. Duplicates by uuid are left out before. */
export class RecordingsSnapshotSink {
  constructor(
    private readonly projects: ProjectSettings,
    private readonly deletions: RecordingDeletions,
  ) {}

  /**
   * Works out the rows of some messages: one block for each session. Messages of deleted sessions leave nothing behind.
   * @throws AppError store_unavailable when settings or deletions cannot be read; nothing is stored yet, call again.
   */
  async prepare(messages: readonly SnapshotMessage[]): Promise<PreparedRecordings> {
    const read = messages.map((message) => ({ position: message.position, outcome: readMessage(message) }))
    const dropped = read.flatMap(({ position, outcome }) =>
      typeof outcome === "string" ? [{ position, reason: outcome }] : [],
    )
    const blocks = await this.withoutDeleted(
      toBlocks(read.flatMap(({ outcome }) => (typeof outcome === "string" ? [] : [outcome]))),
    )
    const expiries = await this.expiriesOf(blocks)
    const expiryOf = ({ projectId, receivedAtMs }: ReplayBlock): number =>
      receivedAtMs + (expiries.get(projectId) as number)
    return {
      inserts: [
        ...cut(
          "session_snapshots",
          blocks.flatMap((block) => toSnapshotRows(block, expiryOf(block))),
        ),
        ...cut(
          "log_entries",
          blocks.flatMap((block) => toLogRows(block, expiryOf(block))),
        ),
        ...cut(
          "session_replay_events",
          blocks.map((block) => toCounterRow(block, expiryOf(block))),
        ),
      ],
      dropped,
      positionsOfRow: new Map(blocks.map(({ positions }) => [positions[0] as number, positions])),
    }
  }

  private async withoutDeleted(blocks: readonly ReplayBlock[]): Promise<readonly ReplayBlock[]> {
    if (blocks.length === 0) return blocks
    const deleted = await this.deletions.deletedOf(blocks)
    return blocks.filter((block) => !deleted.has(`${block.projectId} ${block.sessionId}`))
  }

  private async expiriesOf(blocks: readonly ReplayBlock[]): Promise<Map<ProjectId, number>> {
    const projectIds = [...new Set(blocks.map(({ projectId }) => projectId))]
    const days = await Promise.all(projectIds.map((projectId) => retentionDaysOf(this.projects, projectId)))
    return new Map(projectIds.map((projectId, index) => [projectId, (days[index] as number) * DAY_MS]))
  }
}

function toBlocks(messages: readonly ReadMessage[]): ReplayBlock[] {
  const bySession = Map.groupBy(messages, ({ projectId, sessionId }) => `${projectId} ${sessionId}`)
  return [...bySession.values()].map((group) => toBlock(group as [ReadMessage]))
}

function cut(table: RecordingInsert["table"], rows: readonly RecordingRow[]): RecordingInsert[] {
  const inserts: { table: RecordingInsert["table"]; rows: RecordingRow[] }[] = []
  let characters = MAX_INSERT_CHARACTERS
  for (const row of rows) {
    if (characters + row.json.length > MAX_INSERT_CHARACTERS) {
      inserts.push({ table, rows: [] })
      characters = 0
    }
    inserts.at(-1)?.rows.push(row)
    characters += row.json.length
  }
  return inserts
}
