import { toComparedSessionId } from "../../../kernel/ids.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import { DAY_MS } from "../../../kernel/retention-days.js"
import type { AcceptedEvent } from "../capture.types.js"
import type { EventDraft } from "../steps/event-draft.js"
import type { CaptureRules, Pipeline, QuotaResource, Restriction } from "./capture-rules.types.js"

/** What became of an event: kept, perhaps changed, or dropped and why. */
export type RuledEvent =
  | AcceptedEvent
  | "quota_exceeded"
  | "exceptions_over_quota"
  | "dropped_by_restriction"
  | "older_than_retention"

const SURVEY_EVENTS = new Set(["survey sent", "survey shown", "survey dismissed"])

/** Whether a resource is used up at this time. */
export const isLimited = ({ limitedUntilMs }: CaptureRules, resource: QuotaResource, nowMs: number): boolean =>
  (limitedUntilMs.get(resource) ?? 0) > nowMs

/** Applies a project's rules to one event that passed every step. */
export function applyCaptureRules(event: AcceptedEvent, rules: CaptureRules, nowMs: number): RuledEvent {
  const resource = findQuotaResource(event)
  if (resource !== null && isLimited(rules, resource, nowMs))
    return resource === "exceptions" ? "exceptions_over_quota" : "quota_exceeded"
  if (isLimited(rules, "events", nowMs)) return "quota_exceeded"
  if (rules.retentionDays !== null && Date.parse(event.timestamp) < nowMs - rules.retentionDays * DAY_MS)
    return "older_than_retention"
  const matching = rules.restrictions.filter((restriction) => matches(restriction, "analytics", event))
  if (matching.some(({ type }) => type === "drop_event_from_ingestion")) return "dropped_by_restriction"
  if (matching.length === 0) return event
  return { ...event, properties: { ...event.properties, $process_person_profile: false } }
}

/** Whether a `$snapshot` of a request to `/s/`, read as far as its session id, is one that shall not be stored. */
export function isSnapshotRestricted(
  { item, uuid, distinctId, properties }: EventDraft,
  { restrictions }: CaptureRules,
): boolean {
  const values = { distinctId, event: toText(item.event), uuid, properties }
  return restrictions.some(
    (one) => one.type === "drop_event_from_ingestion" && matches(one, "session_recordings", values),
  )
}

interface Values {
  readonly distinctId: string
  readonly event: string
  readonly uuid: string
  readonly properties: JsonObject
}

function matches({ pipelines, lists }: Restriction, pipeline: Pipeline, values: Values): boolean {
  const meant = (list: ReadonlySet<string>, value: string) => list.size === 0 || list.has(value)
  return (
    pipelines.has(pipeline) &&
    meant(lists.distinct_ids, values.distinctId) &&
    meant(lists.event_names, values.event) &&
    meant(lists.session_ids, toComparedSessionId(toText(values.properties.$session_id))) &&
    meant(lists.event_uuids, values.uuid)
  )
}

/** Which quota besides `events` an event counts against (`docs/contract/capture.md#quotas`). */
function findQuotaResource({ event, properties }: AcceptedEvent): QuotaResource | null {
  if (event === "$exception") return "exceptions"
  if (event.startsWith("$ai_")) return "llm_events"
  return SURVEY_EVENTS.has(event) && properties.$product_tour_id === undefined ? "surveys" : null
}

const toText = (value: Json | undefined): string => (typeof value === "string" ? value : "")
