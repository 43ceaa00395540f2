import type { Json } from "../../../kernel/json.js"
import type { Step } from "./event-draft.js"

/** One event, as JSON in UTF-8 (`capture.md` 1.7). Only this event is dropped, the rest of its batch is kept. */
const MAX_EVENT_BYTES = 1_000_000
/** No character of a text takes more bytes in JSON: six for an escaped one. Nor does a number grow more: `1e20` takes 21. */
const MAX_BYTES_PER_UNIT = 6

export const limitSize: Step = ({ properties }, { text }) => {
  if (text !== undefined && text.bytes.length * MAX_BYTES_PER_UNIT <= MAX_EVENT_BYTES) return null
  if (unitsUpTo(properties, MAX_EVENT_BYTES / MAX_BYTES_PER_UNIT) * MAX_BYTES_PER_UNIT <= MAX_EVENT_BYTES) return null
  return Buffer.byteLength(JSON.stringify(properties)) > MAX_EVENT_BYTES ? "message_size_too_large" : null
}

/** Rough size from above, in UTF-16 units, so that small events need not be written out to be measured. */
function unitsUpTo(value: Json, limit: number): number {
  if (typeof value === "string") return value.length + 2
  if (typeof value !== "object" || value === null) return 24
  let units = 2
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && units <= limit; index++)
      units += unitsUpTo(value[index] as Json, limit) + 1
    return units
  }
  for (const key in value) {
    units += key.length + 4 + unitsUpTo(value[key] as Json, limit)
    if (units > limit) break
  }
  return units
}
