import { isJsonObject, type Json } from "../../../kernel/json.js"
import type { IngestionWarning } from "../capture.types.js"
import type { CaptureReason } from "../reasons.types.js"

/** Says of one item of a request what was done to it, and as far as possible which event it is. */
export function toWarning(severity: IngestionWarning["severity"], reason: CaptureReason, item: Json): IngestionWarning {
  const { event, distinct_id: distinctId, uuid, properties: given } = isJsonObject(item) ? item : {}
  const properties = isJsonObject(given) ? given : {}
  return {
    severity,
    reason,
    event: toTextOrNull(event),
    distinctId: toTextOrNull(distinctId) ?? toTextOrNull(properties.distinct_id),
    uuid: toTextOrNull(uuid),
    detail: reason === "client_ingestion_warning" ? toTextOrNull(properties.$$client_ingestion_warning_message) : null,
  }
}

const toTextOrNull = (value: Json | undefined): string | null => (typeof value === "string" ? value : null)
