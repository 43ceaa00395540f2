import { isUuid } from "../../../kernel/ids.js"
import type { Step } from "./event-draft.js"

const WITHOUT_DASHES = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i
/** What a client writes that has no uuid but must fill the field; taken at its word, all its events would be one. */
const NIL_UUID = "00000000-0000-0000-0000-000000000000"

/**
 * The uuid is what a retried event is recognised by. Without one (absent, null, empty or nil) the event gets a new one;
 * a malformed one drops the event, because a made-up uuid would store a retry twice.
 */
export const assignUuid: Step = (draft, { newUuid }) => {
  const uuid = readUuid(draft.item.uuid ?? "")
  if (uuid === null) return "invalid_uuid"
  draft.uuid = uuid === NIL_UUID ? newUuid() : uuid
  return null
}

/** A uuid in the usual spelling, the nil uuid for none, null for anything that is no uuid. */
export function readUuid(given: unknown): string | null {
  if (given === "") return NIL_UUID
  if (typeof given !== "string") return null
  if (isUuid(given)) return given.toLowerCase()
  return WITHOUT_DASHES.test(given) ? given.replace(WITHOUT_DASHES, "$1-$2-$3-$4-$5").toLowerCase() : null
}
