import { ANY_OBJECT, BOOLEAN, NUMBER, TEXT, TIME, toObjectSchema, UUID } from "../../kernel/json-schema.js"

const KEY = { ...TEXT, description: "Project key, `phc_…`." }
const WHO = { ...TEXT, description: "Who did it." }
const TIMESTAMP = { ...TIME, description: "When it happened; now when absent." }
const EVENT_UUID = { ...UUID, description: "Recognises an event that is sent again." }
const HISTORICAL = { ...BOOLEAN, description: "Past data: each event should have a timestamp." }

const EVENT_FIELDS = {
  event: { ...TEXT, description: "Name of the event; at most 200 characters are kept." },
  distinct_id: WHO,
  properties: { ...ANY_OBJECT, description: "Anything; `$set` and `$set_once` are about the person." },
  timestamp: TIMESTAMP,
  uuid: EVENT_UUID,
}

/** One event. */
export const EVENT = {
  title: "EventRequest",
  ...toObjectSchema({ api_key: KEY, ...EVENT_FIELDS }, ["api_key", "event", "distinct_id"]),
}

const BATCHED = { title: "BatchedEvent", ...toObjectSchema(EVENT_FIELDS, ["event", "distinct_id"]) }

/** Many events. */
export const BATCH = {
  title: "BatchRequest",
  ...toObjectSchema(
    {
      api_key: KEY,
      historical_migration: HISTORICAL,
      sent_at: { ...TIME, description: "The client's time of sending, by which a wrong clock is corrected." },
      batch: { type: "array", items: BATCHED },
    },
    ["api_key", "batch"],
  ),
}

/** Properties of a person, as an event without a name. */
export const PERSON_PROPERTIES = {
  title: "PersonPropertiesRequest",
  ...toObjectSchema(
    {
      api_key: KEY,
      distinct_id: { ...TEXT, description: "Whom they are about." },
      $set: { ...ANY_OBJECT, description: "Properties that win over those of before." },
      $set_once: { ...ANY_OBJECT, description: "Properties that count only where there is none of the name yet." },
      properties: { ...ANY_OBJECT, description: "Properties of the event; may hold `$set` and `$set_once`." },
      timestamp: TIMESTAMP,
      uuid: EVENT_UUID,
    },
    ["api_key", "distinct_id"],
  ),
}

const RRWEB_EVENT = {
  title: "RrwebEvent",
  ...toObjectSchema(
    {
      type: { ...NUMBER, description: "Kind of the event, as rrweb numbers them." },
      timestamp: { ...NUMBER, description: "Milliseconds since the epoch." },
      data: { ...ANY_OBJECT, description: "What rrweb recorded." },
    },
    ["type", "timestamp"],
  ),
}

/** Part of a session recording. */
export const SNAPSHOT = {
  title: "SnapshotRequest",
  ...toObjectSchema(
    {
      api_key: KEY,
      event: { type: "string", enum: ["$snapshot"] },
      distinct_id: WHO,
      properties: {
        ...toObjectSchema(
          {
            $session_id: { ...TEXT, description: "Session that the recording is of." },
            $window_id: { ...TEXT, description: "Window of the session." },
            $snapshot_source: { ...TEXT, description: "`web` or `mobile`." },
            $snapshot_data: { type: "array", items: RRWEB_EVENT },
          },
          ["$session_id", "$snapshot_data"],
        ),
        additionalProperties: true,
      },
    },
    ["api_key", "event", "distinct_id", "properties"],
  ),
}

const V1_OPTIONS = toObjectSchema({
  cookieless_mode: BOOLEAN,
  disable_skew_correction: BOOLEAN,
  process_person_profile: BOOLEAN,
  product_tour_id: TEXT,
})

const V1_EVENT = {
  title: "V1Event",
  ...toObjectSchema(
    {
      ...EVENT_FIELDS,
      uuid: { ...UUID, description: "Names the event in the answer." },
      timestamp: { ...TIME, description: "When it happened, with a zone." },
      session_id: { ...TEXT, description: "Session that it belongs to." },
      window_id: { ...TEXT, description: "Window of the session." },
      options: { ...V1_OPTIONS, description: "How it is processed." },
    },
    ["event", "uuid", "distinct_id", "timestamp"],
  ),
}

/** Many events in the newer form; the key is in the header. */
export const V1_BATCH = {
  title: "V1BatchRequest",
  ...toObjectSchema(
    {
      created_at: { ...TIME, description: "When the batch was made, with a zone." },
      historical_migration: HISTORICAL,
      batch: { type: "array", items: V1_EVENT, minItems: 1 },
    },
    ["created_at", "batch"],
  ),
}

/** What became of each event, by its uuid. */
export const V1_RESULTS = {
  title: "V1Results",
  ...toObjectSchema(
    {
      results: {
        type: "object",
        additionalProperties: toObjectSchema(
          { result: { type: "string", enum: ["ok", "warning", "drop"] }, details: TEXT },
          ["result"],
        ),
      },
    },
    ["results"],
  ),
}

/** Headers of a request in the newer form, besides those that every request has. */
export const V1_HEADERS = [
  { name: "PostHog-Sdk-Info", description: "Name and version of the library, `name/version`.", schema: TEXT },
  { name: "PostHog-Attempt", description: "1 for the first attempt.", schema: TEXT },
  { name: "PostHog-Request-Id", description: "The same for each attempt.", schema: UUID },
  { name: "PostHog-Request-Timestamp", description: "When it was sent, in RFC 3339.", schema: TIME },
]

/** What capture answers when events are on disk. */
export const CAPTURED = toObjectSchema({ status: TEXT }, ["status"])
