import type { ProjectId } from "../../kernel/ids.js"
import { yieldToEventLoop } from "../../kernel/yield-to-event-loop.js"
import type { ProjectSettings } from "./recordings.types.js"
import { type RecordingRow, toCounterRow, toLogRows, toSnapshotRows } from "./replay/recording-rows.js"
import { toBlock } from "./replay/replay-block.js"
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
  readonly positionsByRow: ReadonlyMap<number, readonly number[]>
}

/** Tells which of these sessions were deleted; as `<project id> <session id>`. */
export interface RecordingDeletions {
  deletedOf(sessions: readonly { projectId: ProjectId; sessionId: string }[]): Promise<ReadonlySet<string>>
}

/** A larger insert would take too much of the engine's memory. */
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
    const read: ReadMessage[] = []
    const dropped: { position: number; reason: SnapshotDropReason }[] = []
    for (const message of messages) {
      const outcome = readMessage(message)
      if (typeof outcome === "string") dropped.push({ position: message.position, reason: outcome })
      else read.push(outcome)
    }
    const sessions = await this.withoutDeleted(toSessions(read))
    const keptMs = await this.keptMsOf(sessions)
    const rows = { snapshots: [] as RecordingRow[], logs: [] as RecordingRow[], counters: [] as RecordingRow[] }
    const positionsByRow = new Map<number, readonly number[]>()
    for (const { projectId, messages } of sessions) {
      const block = toBlock(messages)
      const expiresAtMs = block.receivedAtMs + (keptMs.get(projectId) as number)
      // Not spread into one `push`: a hostile block has more rows than a call may have arguments.
      for (const row of toSnapshotRows(block, expiresAtMs)) rows.snapshots.push(row)
      for (const row of toLogRows(block, expiresAtMs)) rows.logs.push(row)
      rows.counters.push(toCounterRow(block, expiresAtMs))
      positionsByRow.set(block.positions[0] as number, block.positions)
      // A block may be many megabytes; requests that this process also answers should not wait for all of them.
      await yieldToEventLoop()
    }
    const inserts = [
      ...cut("session_snapshots", rows.snapshots),
      ...cut("log_entries", rows.logs),
      ...cut("session_replay_events", rows.counters),
    ]
    return { inserts, dropped, positionsByRow }
  }

  private async withoutDeleted(sessions: readonly RecordedSession[]): Promise<readonly RecordedSession[]> {
    if (sessions.length === 0) return sessions
    const deleted = await this.deletions.deletedOf(sessions)
    return sessions.filter(({ projectId, sessionId }) => !deleted.has(`${projectId} ${sessionId}`))
  }

  private async keptMsOf(sessions: readonly RecordedSession[]): Promise<Map<ProjectId, number>> {
    const projectIds = [...new Set(sessions.map(({ projectId }) => projectId))]
    const days = await Promise.all(projectIds.map((projectId) => retentionDaysOf(this.projects, projectId)))
    return new Map(projectIds.map((projectId, index) => [projectId, (days[index] as number) * DAY_MS]))
  }
}

interface RecordedSession {
  readonly projectId: ProjectId
  readonly sessionId: string
  readonly messages: readonly [ReadMessage, ...ReadMessage[]]
}

function toSessions(messages: readonly ReadMessage[]): RecordedSession[] {
  const groups = Map.groupBy(messages, ({ projectId, sessionId }) => `${projectId} ${sessionId}`)
  return [...groups.values()].map((group) => {
    const [first, ...others] = group as [ReadMessage, ...ReadMessage[]]
    return { projectId: first.projectId, sessionId: first.sessionId, messages: [first, ...others] }
  })
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
