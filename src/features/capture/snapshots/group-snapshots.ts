import { toComparedSessionId } from "../../../kernel/ids.js"
import { isJsonObject, type Json, type JsonObject, toStorableText } from "../../../kernel/json.js"
import type { AcceptedEvent } from "../capture.types.js"
import type { DropReason, SnapshotDropReason } from "../reasons.types.js"
import { SNAPSHOT_EVENT_NAME } from "../snapshot-event-name.js"
import { assignUuid } from "../steps/assign-uuid.js"
import { createDraft, type EventDraft, type StepContext } from "../steps/event-draft.js"
import { parseTime } from "../steps/parse-time.js"
import { readProperties } from "../steps/read-properties.js"
import { requireDistinctId } from "../steps/require-distinct-id.js"
import { resolveTimestamp } from "../steps/resolve-timestamp.js"

/** Whether an item is what a recorder sends. On its own path it may have another name, on those of events it must have this. */
export const isSnapshot = (item: Json): boolean => isJsonObject(item) && item.event === "$snapshot"

const SESSION_ID = /^[A-Za-z0-9-]{1,70}$/
const SNAPSHOT_STEPS = [readProperties, requireDistinctId, assignUuid] as const

export interface SnapshotContext extends StepContext {
  readonly userAgent: string | null
  /** Whether the project wants a message dropped. */
  readonly isRestricted?: (draft: EventDraft) => boolean
}

export interface GroupedSnapshots {
  readonly events: readonly AcceptedEvent[]
  readonly dropped: readonly { readonly index: number; readonly reason: DropReason }[]
  /** What the first snapshot lacks, in a sentence, when none can be kept for such a reason; else null. */
  readonly refusal: string | null
}

interface Group {
  readonly first: EventDraft
  readonly sessionId: string
  readonly windowId: string
  readonly items: Json[]
}

/** What is said when nothing of a request can be kept. */
const REFUSALS: Readonly<Record<SnapshotDropReason, string>> = {
  missing_session_id: "The replay event came without session id ($session_id).",
  invalid_session_id: "The replay event has an invalid session id: up to 70 letters, digits and dashes.",
  missing_snapshot_data: "The replay event came without snapshot data.",
}

/**
 * Joins the `$snapshot` events of one request into one event for each session and window
 * (`docs/contract/recordings.md#snapshot-requests`). The first of a group gives its uuid, person and time, so a retried
 * request is recognised by its uuids. The recorded items are kept to the byte: newer clients put gzip into their texts,
 * which may hold any character. An event with no session id, a bad one or no snapshot data is dropped alone while
 * others are kept.
 */
export function groupSnapshots(items: readonly Json[], context: SnapshotContext): GroupedSnapshots {
  const groups = new Map<string, Group>()
  const dropped: { index: number; reason: DropReason }[] = []
  let refusal: SnapshotDropReason | null = null
  for (const [index, item] of items.entries()) {
    const result = readSnapshot(item, context)
    if (typeof result === "string") dropped.push({ index, reason: result })
    else if (context.isRestricted?.(result)) dropped.push({ index, reason: "dropped_by_restriction" })
    else {
      const reason = findLack(result)
      if (reason === null) addTo(groups, result)
      else dropped.push({ index, reason })
      refusal ??= reason
    }
  }
  return {
    events: [...groups.values()].map((group) => toEvent(group, context)),
    dropped,
    refusal: groups.size === 0 && refusal !== null ? REFUSALS[refusal] : null,
  }
}

function readSnapshot(item: Json, context: StepContext): EventDraft | DropReason {
  if (!isJsonObject(item)) return "not_an_object"
  const draft = createDraft(item)
  for (const step of SNAPSHOT_STEPS) {
    const reason = step(draft, context)
    if (reason !== null) return reason
  }
  return draft
}

function findLack({ properties }: EventDraft): SnapshotDropReason | null {
  const { $session_id: sessionId = null, $snapshot_data: data } = properties
  if (sessionId === null) return "missing_session_id"
  if (typeof sessionId !== "string" || !SESSION_ID.test(sessionId)) return "invalid_session_id"
  return typeof data !== "object" || data === null ? "missing_snapshot_data" : null
}

/** @param draft one that lacks nothing. */
function addTo(groups: Map<string, Group>, draft: EventDraft): void {
  const { $session_id, $window_id: named, $snapshot_data: data = null } = draft.properties
  const sessionId = toComparedSessionId(String($session_id))
  const windowId = typeof named === "string" && named !== "" ? toStorableText(named) : sessionId
  const key = `${sessionId} ${windowId}`
  const group = groups.get(key) ?? { first: draft, sessionId, windowId, items: [] }
  groups.set(key, group)
  if (Array.isArray(data)) for (const item of data) group.items.push(item)
  else group.items.push(data)
}

function toEvent({ first, sessionId, windowId, items }: Group, context: SnapshotContext): AcceptedEvent {
  const { $snapshot_source: source, $lib: library } = first.properties
  resolveTimestamp(first, { ...context, sentAtMs: readSentAt(first.item) ?? context.sentAtMs })
  return {
    uuid: first.uuid,
    event: SNAPSHOT_EVENT_NAME,
    distinctId: first.distinctId,
    timestamp: first.timestamp,
    clientTimestamp: first.clientTimestamp,
    properties: {
      distinct_id: first.distinctId,
      $session_id: sessionId,
      $window_id: windowId,
      $snapshot_source: typeof source === "string" ? toStorableText(source) : "web",
      $snapshot_items: items,
      $lib: typeof library === "string" ? toStorableText(library) : toLibrary(context.userAgent),
    },
  }
}

/** Newer posthog-js versions write the sending time on each snapshot (`docs/contract/sdk-wire.md#fields-of-events`). */
const readSentAt = (item: JsonObject): number | null => parseTime(item.sent_at)

function toLibrary(userAgent: string | null): string {
  if (userAgent === null) return "unknown"
  return userAgent.includes("posthog") ? userAgent.slice(0, 100) : "web"
}
