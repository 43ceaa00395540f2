import type { ProjectId } from "../../../kernel/ids.js"
import { toStorableText } from "../../../kernel/json.js"
import { activeMilliseconds } from "./active-time.js"
import { type ConsoleLog, readConsoleLog, withoutRepetitions } from "./console-log.js"
import { isClick, isKeypress, isMouseActivity, type RrwebItem, readUrl } from "./rrweb-item.js"
import type { ReadMessage } from "./snapshot-message.js"

const MAX_URLS = 25

/** What the user did and the page said in some recorded items. */
export interface ReplayCounters {
  readonly clickCount: number
  readonly keypressCount: number
  readonly mouseActivityCount: number
  readonly activeMilliseconds: number
  readonly consoleLogCount: number
  readonly consoleWarnCount: number
  readonly consoleErrorCount: number
  /** At most 25 different ones, in the order of time. */
  readonly urls: readonly string[]
}

/** A recorded item as it is stored and played: the JSON text `[windowId, item]`. */
export interface SnapshotLine {
  readonly timestampMs: number
  readonly text: string
}

/** A line of the console with the window it came from. */
export interface WindowLog extends ConsoleLog {
  readonly windowId: string
}

/** The messages of one session that were ingested together. */
export interface ReplayBlock extends ReplayCounters {
  readonly projectId: ProjectId
  readonly sessionId: string
  /** Of the message that begins it. */
  readonly uuid: string
  /** Of the earliest item. */
  readonly distinctId: string
  readonly source: string
  readonly library: string
  readonly firstTimestampMs: number
  readonly lastTimestampMs: number
  /** When the newest of its messages was received. */
  readonly receivedAtMs: number
  readonly messageCount: number
  readonly sizeBytes: number
  /** In the order of time, which is the order a player needs. */
  readonly lines: readonly SnapshotLine[]
  readonly logs: readonly WindowLog[]
  /** Of its messages, ascending. */
  readonly positions: readonly number[]
  /** The first of them, by which ingestion knows its rows. */
  readonly position: number
}

/** Counts items that are sorted by time (`docs/contract/recordings.md#counters`). */
export function countItems(items: readonly RrwebItem[]): ReplayCounters {
  const logs = items.flatMap((item) => readConsoleLog(item) ?? [])
  const count = (level: ConsoleLog["level"]): number => logs.filter((log) => log.level === level).length
  const urls = new Set(items.flatMap((item) => readUrl(item) ?? []).map(toStorableText))
  return {
    clickCount: items.filter(isClick).length,
    keypressCount: items.filter(isKeypress).length,
    mouseActivityCount: items.filter(isMouseActivity).length,
    activeMilliseconds: activeMilliseconds(items),
    consoleLogCount: count("info"),
    consoleWarnCount: count("warn"),
    consoleErrorCount: count("error"),
    urls: [...urls].slice(0, MAX_URLS),
  }
}

/** Joins messages of one session into a block. Expects at least one. */
export function toBlock(messages: readonly ReadMessage[]): ReplayBlock {
  const byStart = messages.toSorted((a, b) => a.startMs - b.startMs)
  const [earliest] = byStart
  if (earliest === undefined) throw new Error("a block has at least one message")
  const placed = byStart
    .flatMap(({ windowId, items }) => items.map((item) => ({ windowId, item })))
    .sort((a, b) => a.item.timestamp - b.item.timestamp)
  const lines = placed.map(({ windowId, item }) => ({
    timestampMs: item.timestamp,
    text: JSON.stringify([windowId, item]),
  }))
  const positions = messages.map(({ position }) => position).sort((a, b) => a - b)
  return {
    projectId: earliest.projectId,
    sessionId: earliest.sessionId,
    uuid: earliest.uuid,
    distinctId: earliest.distinctId,
    source: earliest.source,
    library: earliest.library,
    ...countItems(placed.map(({ item }) => item)),
    firstTimestampMs: earliest.startMs,
    lastTimestampMs: lines.at(-1)?.timestampMs ?? earliest.startMs,
    receivedAtMs: Math.max(...messages.map(({ receivedAtMs }) => receivedAtMs)),
    messageCount: messages.length,
    sizeBytes: lines.reduce((total, { text }) => total + Buffer.byteLength(text) + 1, 0),
    lines,
    logs: messages.flatMap(readLogs),
    positions,
    position: positions[0] ?? earliest.position,
  }
}

const readLogs = ({ windowId, items }: ReadMessage): WindowLog[] =>
  withoutRepetitions(items.flatMap((item) => readConsoleLog(item) ?? [])).map((log) => ({ windowId, ...log }))
