import type { ProjectId } from "../../../kernel/ids.js"
import { type Json, type JsonObject, toStorableText } from "../../../kernel/json.js"
import { isRrwebItem, type RrwebItem } from "./rrweb-item.js"

/** What capture made of one request for one session and window, as ingestion hands it on. */
export interface SnapshotMessage {
  /** Number of its event in the batch: the same at every replay. */
  readonly position: number
  readonly projectId: ProjectId
  readonly uuid: string
  readonly distinctId: string
  /** When capture received it, milliseconds since the epoch. */
  readonly receivedAtMs: number
  /** Whether it is of the past, however long ago that was. */
  readonly historicalMigration: boolean
  readonly properties: JsonObject
}

/** A message whose items can be played, sorted by time. */
export interface ReadMessage extends Omit<SnapshotMessage, "properties"> {
  readonly sessionId: string
  readonly windowId: string
  readonly source: string
  readonly library: string
  readonly items: readonly RrwebItem[]
  /** Time of the first item, milliseconds since the epoch. */
  readonly startMs: number
}

/** Why a message is not recorded; the words are those that users read as ingestion warnings. */
export type SnapshotDropReason =
  | "message_with_invalid_session_id"
  | "message_contained_no_valid_rrweb_events"
  | "message_timestamp_diff_too_large"

/** As capture accepts it on `/s/`; an event of the same name may have come another way. */
const SESSION_ID = /^[A-Za-z0-9-]{1,70}$/
const MAX_CLOCK_DIFFERENCE_MS = 7 * 86_400_000
const MAX_WORD_LENGTH = 1000

/**
 * Reads a message, leaving out items without a time (`docs/contract/recordings.md#recorded-items`). Pure, and total
 * over any properties.
 */
export function readMessage({ properties, ...facts }: SnapshotMessage): ReadMessage | SnapshotDropReason {
  const { $session_id: sessionId, $window_id: windowId, $snapshot_items: items } = properties
  if (typeof sessionId !== "string" || !SESSION_ID.test(sessionId)) return "message_with_invalid_session_id"
  const valid = Array.isArray(items) ? items.filter(isRrwebItem).sort(byTime) : []
  const [first, last] = [valid[0], valid.at(-1)]
  if (first === undefined || last === undefined) return "message_contained_no_valid_rrweb_events"
  const { receivedAtMs, historicalMigration } = facts
  const expectedAtMs = historicalMigration ? Math.min(receivedAtMs, last.timestamp) : receivedAtMs
  if (isFar(first, expectedAtMs) || isFar(last, expectedAtMs)) return "message_timestamp_diff_too_large"
  return {
    ...facts,
    sessionId,
    windowId: typeof windowId === "string" ? toStorableText(windowId) : sessionId,
    source: toWord(properties.$snapshot_source, "web"),
    library: toWord(properties.$lib, ""),
    items: valid,
    startMs: first.timestamp,
  }
}

const byTime = (a: RrwebItem, b: RrwebItem): number => a.timestamp - b.timestamp

const isFar = ({ timestamp }: RrwebItem, expectedAtMs: number): boolean =>
  Math.abs(timestamp - expectedAtMs) >= MAX_CLOCK_DIFFERENCE_MS

const toWord = (value: Json | undefined, absent: string): string =>
  typeof value === "string" ? toStorableText(value.slice(0, MAX_WORD_LENGTH)) : absent
