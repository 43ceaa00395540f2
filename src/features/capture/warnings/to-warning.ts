import { isJsonObject, type Json } from "../../../kernel/json.js"
import type { IngestionWarning } from "../capture.types.js"

/** Says of one item of a request what was done to it, and as far as possible which event it is. */
export function toWarning(severity: IngestionWarning["severity"], reason: string, item: Json): IngestionWarning {
  const { event, distinct_id: distinctId, uuid, properties: given } = isJsonObject(item) ? item : {}
  const properties = isJsonObject(given) ? given : {}
  return {
    severity,
    reason,
    event: textOf(event),
    distinctId: textOf(distinctId) ?? textOf(properties.distinct_id),
    uuid: textOf(uuid),
    detail: reason === "client_ingestion_warning" ? textOf(properties.$$client_ingestion_warning_message) : null,
  }
}

const textOf = (value: Json | undefined): string | null => (typeof value === "string" ? value : null)
