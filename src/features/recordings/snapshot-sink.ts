import { yieldToEventLoop } from "../../kernel/yield-to-event-loop.js"
import type { RecordingDeletions, SessionKey } from "./recording-deletions.store.js"
import type { ProjectReader } from "./recordings.types.js"
import { type RecordingRow, toCounterRow, toLogRows, toSnapshotRows } from "./replay/recording-rows.js"
import { toBlock } from "./replay/replay-block.js"
import {
  type ReadMessage,
  readMessage,
  type SnapshotDropReason,
  type SnapshotMessage,
} from "./replay/snapshot-message.js"
import { readEndMs } from "./retention.js"

/** Rows of one table that go into one insert. A row has the position of the first message it was made of. */
export interface RecordingInsert {
  readonly table: "session_snapshots" | "log_entries" | "session_replay_events"
  readonly rows: readonly RecordingRow[]
}

/** What some messages are stored as, and which of them are not. */
export interface PreparedRecordings {
  /** To be made in this order: a session is listed once it can be played. The same at every replay. */
  readonly inserts: readonly RecordingInsert[]
  readonly dropped: readonly { readonly position: number; readonly reason: SnapshotDropReason }[]
  /** Positions of all messages of a row, by the position that the row has. */
  readonly positionsByRow: ReadonlyMap<number, readonly number[]>
}

/** Turns snapshot messages into rows, for ingestion to store. Duplicates by uuid are left out before. */
export interface SnapshotSink {
  /**
   * One block for each session; `batch` is the number of the messages' own. Messages of deleted sessions leave nothing
   * behind.
   * @throws AppError store_unavailable when settings or deletions cannot be read, to be called again; any other failure lies in the
   * messages.
   */
  prepare(messages: readonly SnapshotMessage[], batch: number): Promise<PreparedRecordings>
}

/** A larger insert would take too much of the engine's memory. */
const MAX_INSERT_CHARACTERS = 16_000_000

/** Makes the sink. */
export const createSnapshotSink = (
  projects: ProjectReader,
  deletions: Pick<RecordingDeletions, "findDeleted">,
): SnapshotSink => ({
  async prepare(messages, batch) {
    const read: ReadMessage[] = []
    const dropped: { position: number; reason: SnapshotDropReason }[] = []
    for (const message of messages) {
      const outcome = readMessage(message)
      if (typeof outcome === "string") dropped.push({ position: message.position, reason: outcome })
      else read.push(outcome)
    }
    const snapshots: RecordingRow[] = []
    const logs: RecordingRow[] = []
    const counters: RecordingRow[] = []
    const positionsByRow = new Map<number, readonly number[]>()
    for (const session of await leaveOutDeleted(toSessions(read), deletions)) {
      const block = toBlock(session.messages)
      const expiresAtMs = await readEndMs(projects, session.projectId, block.receivedAtMs)
      // Not spread into one `push`: a hostile block has more rows than a call may have arguments.
      for (const row of toSnapshotRows(block, expiresAtMs)) snapshots.push(row)
      for (const row of toLogRows(block, expiresAtMs)) logs.push(row)
      counters.push(toCounterRow(block, expiresAtMs, batch))
      positionsByRow.set(block.position, block.positions)
      // A block may be many megabytes; requests that this process also answers should not wait for all of them.
      await yieldToEventLoop()
    }
    const inserts = [
      ...splitRows("session_snapshots", snapshots),
      ...splitRows("log_entries", logs),
      ...splitRows("session_replay_events", counters),
    ]
    return { inserts, dropped, positionsByRow }
  },
})

interface RecordedSession extends SessionKey {
  readonly messages: readonly ReadMessage[]
}

const toSessions = (messages: readonly ReadMessage[]): RecordedSession[] =>
  [...Map.groupBy(messages, toSessionText).values()].flatMap((group) =>
    group.slice(0, 1).map(({ projectId, sessionId }) => ({ projectId, sessionId, messages: group })),
  )

async function leaveOutDeleted(
  sessions: readonly RecordedSession[],
  deletions: Pick<RecordingDeletions, "findDeleted">,
): Promise<readonly RecordedSession[]> {
  if (sessions.length === 0) return sessions
  const deleted = new Set((await deletions.findDeleted(sessions)).map(toSessionText))
  return sessions.filter((session) => !deleted.has(toSessionText(session)))
}

const toSessionText = ({ projectId, sessionId }: SessionKey): string => `${projectId} ${sessionId}`

function splitRows(table: RecordingInsert["table"], rows: readonly RecordingRow[]): RecordingInsert[] {
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
