import { createHash } from "node:crypto"
import { isUuid } from "../../../kernel/ids.js"
import type { EventDraft, Step } from "./event-draft.js"

const WITHOUT_DASHES = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i
/** What a client writes that has no uuid but must fill the field; taken at its word, all its events would be one. */
const NIL_UUID = "00000000-0000-0000-0000-000000000000"

/**
 * The uuid is what a retried event is recognised by. Without one (absent, null, empty or nil) the event gets one made from
 * the other id that its client gave it, so that its retry gets the same, and a new one when there is none; a malformed one
 * drops the event, because a made-up uuid would store a retry twice.
 */
export const assignUuid: Step = (draft, { newUuid }) => {
  const uuid = readUuid(draft.item.uuid ?? "")
  if (uuid === null) return "invalid_uuid"
  draft.uuid = uuid === NIL_UUID ? (uuidOfInsertId(draft) ?? newUuid()) : uuid
  return null
}

/**
 * Of `$insert_id`, which every event of posthog-js has; up to 1.5x it is all that tells a retry. It counts for one distinct id,
 * event name and time, as it is 16 random characters and other senders may write the same for all. UUIDv8: of our own making.
 */
function uuidOfInsertId({ distinctId, event, properties, item }: EventDraft): string | null {
  const { $insert_id: insertId, $time: time = null } = properties
  if (typeof insertId !== "string" || insertId === "") return null
  const digest = createHash("sha256")
    .update(JSON.stringify([distinctId, event, insertId, time, item.timestamp ?? null]))
    .digest()
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x80, 6)
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8)
  return digest.toString("hex", 0, 16).replace(WITHOUT_DASHES, "$1-$2-$3-$4-$5")
}

/** A uuid in the usual spelling, the nil uuid for none, null for anything that is not a uuid. */
export function readUuid(given: unknown): string | null {
  if (given === "") return NIL_UUID
  if (typeof given !== "string") return null
  if (isUuid(given)) return given.toLowerCase()
  return WITHOUT_DASHES.test(given) ? given.replace(WITHOUT_DASHES, "$1-$2-$3-$4-$5").toLowerCase() : null
}
