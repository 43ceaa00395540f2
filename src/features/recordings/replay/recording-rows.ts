import { toDateTimeText } from "../../../kernel/time-text.js"
import type { ReplayBlock, SnapshotLine } from "./replay-block.js"

/** A row of one table as JSON text, with the position of the first message it was made of. */
export interface RecordingRow {
  readonly position: number
  readonly json: string
}

/** Lines are joined into rows of about this many bytes, so that a player fetches a recording piece by piece. */
const MAX_ROW_BYTES = 1_000_000

/**
 * A block's row of `session_replay_events`; the types of its columns cut what is finer than theirs.
 * @param expiresAtMs milliseconds since the epoch.
 * @param batch number of the batch that it came in.
 */
export function toCounterRow(block: ReplayBlock, expiresAtMs: number, batch: number): RecordingRow {
  return toRow(block, {
    project_id: block.projectId,
    session_id: block.sessionId,
    distinct_id: block.distinctId,
    first_timestamp: toDateTimeText(block.firstTimestampMs),
    last_timestamp: toDateTimeText(block.lastTimestampMs),
    first_url: block.urls[0] ?? "",
    urls: block.urls,
    click_count: block.clickCount,
    keypress_count: block.keypressCount,
    mouse_activity_count: block.mouseActivityCount,
    active_milliseconds: Math.round(block.activeMilliseconds),
    console_log_count: block.consoleLogCount,
    console_warn_count: block.consoleWarnCount,
    console_error_count: block.consoleErrorCount,
    size: block.sizeBytes,
    event_count: block.lines.length,
    message_count: block.messageCount,
    snapshot_source: block.source,
    snapshot_library: block.library,
    inserted_at: toDateTimeText(block.receivedAtMs),
    expires_at: toDateTimeText(expiresAtMs),
    batch,
    batch_position: block.position,
  })
}

/** A block's rows of `session_snapshots`, at least one. */
export function toSnapshotRows(block: ReplayBlock, expiresAtMs: number): RecordingRow[] {
  return splitLines(block.lines).map((lines, part) =>
    toRow(block, {
      project_id: block.projectId,
      session_id: block.sessionId,
      block_uuid: block.uuid,
      part,
      first_timestamp: toDateTimeText(lines[0]?.timestampMs ?? block.firstTimestampMs),
      last_timestamp: toDateTimeText(lines.at(-1)?.timestampMs ?? block.lastTimestampMs),
      lines: lines.map(({ text }) => text).join("\n"),
      expires_at: toDateTimeText(expiresAtMs),
    }),
  )
}

/** A block's rows of `log_entries`. */
export function toLogRows(block: ReplayBlock, expiresAtMs: number): RecordingRow[] {
  return block.logs.map(({ windowId, level, message, timestampMs }) =>
    toRow(block, {
      project_id: block.projectId,
      log_source: "session_replay",
      log_source_id: block.sessionId,
      instance_id: windowId,
      timestamp: toDateTimeText(timestampMs),
      level,
      message,
      expires_at: toDateTimeText(expiresAtMs),
    }),
  )
}

const toRow = ({ position }: ReplayBlock, columns: object): RecordingRow => ({
  position,
  json: JSON.stringify(columns),
})

function splitLines(lines: readonly SnapshotLine[]): SnapshotLine[][] {
  const rows: SnapshotLine[][] = []
  let bytes = MAX_ROW_BYTES
  for (const line of lines) {
    const lineBytes = Buffer.byteLength(line.text)
    if (bytes + lineBytes > MAX_ROW_BYTES) {
      rows.push([])
      bytes = 0
    }
    rows.at(-1)?.push(line)
    bytes += lineBytes
  }
  return rows
}
