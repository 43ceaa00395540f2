import { jsonUnitsUpTo } from "../../../kernel/json-size.js"
import type { Step } from "./event-draft.js"

/**
 * One event, as JSON in UTF-8 (`docs/contract/capture.md#size-limits`). Only this event is dropped, the rest of its
 * batch is kept.
 */
const MAX_EVENT_BYTES = 1_000_000
/** No character of a text takes more bytes in JSON: six for an escaped one. Nor does a number grow more: `1e20` takes 21. */
const MAX_BYTES_PER_UNIT = 6
const MAX_UNITS_OF_SCALAR = 24

/** Writes out only what is between certainly small enough and certainly too large: an event may be all of a body. */
export const limitSize: Step = ({ properties }, { text }) => {
  if (text !== undefined && text.bytes.length * MAX_BYTES_PER_UNIT <= MAX_EVENT_BYTES) return null
  const mostUnits = jsonUnitsUpTo(properties, MAX_EVENT_BYTES / MAX_BYTES_PER_UNIT, MAX_UNITS_OF_SCALAR)
  if (mostUnits * MAX_BYTES_PER_UNIT <= MAX_EVENT_BYTES) return null
  if (jsonUnitsUpTo(properties, MAX_EVENT_BYTES, 1) > MAX_EVENT_BYTES) return "message_size_too_large"
  return Buffer.byteLength(JSON.stringify(properties)) > MAX_EVENT_BYTES ? "message_size_too_large" : null
}
