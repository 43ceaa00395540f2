import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"
import { YieldBudget, yieldToEventLoop } from "../../../kernel/yield-to-event-loop.js"
import type { V1ChangeReason, V1DropReason } from "../reasons.types.js"
import { readUuid } from "../steps/assign-uuid.js"
import { isZonedTime, parseTime } from "../steps/parse-time.js"
import { isSharedDistinctId } from "./shared-distinct-ids.js"
import { V1Fault } from "./v1-fault.js"
import type { V1Head } from "./v1-head.js"

export interface V1Event {
  /** As the client wrote it, because it looks for its answer under that. */
  readonly uuid: string
  readonly sent: JsonObject
  /** The event in the shape that the other paths take, or why it is dropped. */
  readonly item: JsonObject | null
  readonly dropReason: V1DropReason | null
  /** What is done to an event that is kept. */
  readonly changeReason: V1ChangeReason | null
}

export interface V1Batch {
  readonly historicalMigration: boolean
  readonly events: readonly V1Event[]
}

const MAX_ID_BYTES = 200
/** Other requests are answered in between. */
const EVENTS_PER_YIELD = 2_000
const OPTION_PROPERTIES: Readonly<Record<string, { readonly property: string; readonly type: "boolean" | "string" }>> =
  {
    cookieless_mode: { property: "$cookieless_mode", type: "boolean" },
    disable_skew_correction: { property: "$ignore_sent_at", type: "boolean" },
    disable_skew_adjustment: { property: "$ignore_sent_at", type: "boolean" },
    product_tour_id: { property: "$product_tour_id", type: "string" },
    process_person_profile: { property: "$process_person_profile", type: "boolean" },
  }

const refuse = (tag: string, description: string): V1Fault => new V1Fault(400, tag, description)

/**
 * Reads a v1 body (`docs/contract/capture.md#capture-v1`). The whole batch is refused when it is empty, when its
 * `created_at` is no time, or when a uuid is missing, malformed or given twice, because every answer is found by its
 * uuid. Rejects with V1Fault 400.
 */
export async function readV1Batch(body: Json, head: V1Head): Promise<V1Batch> {
  if (!isJsonObject(body) || !Array.isArray(body.batch)) throw refuse("invalid_body", "The body needs batch, an array.")
  if (!isTime(body.created_at)) throw refuse("invalid_created_at", "created_at must be a time in RFC 3339.")
  if (body.batch.length === 0) throw refuse("empty_batch", "batch holds no event.")
  const seen = new Set<string>()
  const events: V1Event[] = []
  const budget = new YieldBudget(EVENTS_PER_YIELD)
  for (const [index, item] of body.batch.entries()) {
    const given = isJsonObject(item) ? (item.uuid ?? "") : ""
    if (!isJsonObject(item) || given === "") throw refuse("missing_event_uuid", `batch[${index}] has no uuid.`)
    const uuid = readUuid(given)
    if (uuid === null) throw refuse("invalid_event_uuid", `The uuid of batch[${index}] is not a UUID.`)
    if (seen.has(uuid)) throw refuse("duplicate_event_uuid", `The uuid ${uuid} is given twice.`)
    seen.add(uuid)
    events.push(readEvent(String(given), item, head))
    if (budget.spend(1)) await yieldToEventLoop()
  }
  return { historicalMigration: body.historical_migration === true, events }
}

/** An event of a shared distinct id is kept without a person: it would be that of many. */
function readEvent(uuid: string, event: JsonObject, head: V1Head): V1Event {
  const options = optionProperties(event.options ?? {})
  const dropReason = findFault(event) ?? (options === null ? "invalid_options" : null)
  if (dropReason !== null) return { uuid, sent: event, item: null, dropReason, changeReason: null }
  const isShared = isSharedDistinctId(String(event.distinct_id))
  const properties = {
    ...(isJsonObject(event.properties) ? event.properties : {}),
    $lib: head.library,
    $lib_version: head.libraryVersion,
    ...(typeof event.session_id === "string" ? { $session_id: event.session_id } : {}),
    ...(typeof event.window_id === "string" ? { $window_id: event.window_id } : {}),
    ...options,
    ...(isShared ? { $process_person_profile: false } : {}),
  }
  const { event: name = null, distinct_id: distinctId = null, timestamp = null } = event
  const item = { uuid, event: name, distinct_id: distinctId, timestamp, properties }
  return { uuid, sent: event, item, dropReason: null, changeReason: isShared ? "person_processing_disabled" : null }
}

function findFault({ event, distinct_id: distinctId, timestamp, properties }: JsonObject): V1DropReason | null {
  if (typeof event !== "string" || event.trim() === "") return "missing_event_name"
  if (Buffer.byteLength(event) > MAX_ID_BYTES) return "event_name_too_long"
  if (typeof distinctId !== "string" || distinctId.trim() === "") return "missing_distinct_id"
  if (Buffer.byteLength(distinctId) > MAX_ID_BYTES) return "distinct_id_too_large"
  if (!isTime(timestamp)) return "invalid_event_timestamp"
  return properties === undefined || isJsonObject(properties) ? null : "malformed_event_properties"
}

const isTime = (value: Json | undefined): boolean => isZonedTime(value) && parseTime(value) !== null

function optionProperties(options: Json): JsonObject | null {
  if (!isJsonObject(options)) return null
  const properties: [string, Json][] = []
  for (const [name, value] of Object.entries(options)) {
    const known = Object.hasOwn(OPTION_PROPERTIES, name) ? OPTION_PROPERTIES[name] : undefined
    if (known === undefined || value === null) continue
    if (typeof value !== known.type) return null
    properties.push([known.property, value])
  }
  return Object.fromEntries(properties)
}
