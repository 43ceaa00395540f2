import type { CookielessDropReason } from "../cookieless/index.js"

/** Why an event was not ingested. The request is answered 200 all the same (`docs/contract/capture.md#bad-events`). */
export type DropReason =
  | "not_an_object"
  | "missing_event_name"
  | "performance_event"
  | "client_ingestion_warning"
  | "reserved_event_name"
  | "invalid_properties"
  | "missing_distinct_id"
  | "invalid_distinct_id"
  | "invalid_uuid"
  | "invalid_cookieless_mode"
  | CookielessDropReason
  | SnapshotDropReason
  | "message_size_too_large"
  | "quota_exceeded"
  | "exceptions_over_quota"
  | "dropped_by_restriction"
  | "older_than_retention"

/** What a `$snapshot` event may lack. */
export type SnapshotDropReason = "missing_session_id" | "invalid_session_id" | "missing_snapshot_data"

/** What was changed in an event that is ingested. */
export type WarningReason =
  | "event_name_cut"
  | "distinct_id_cut"
  | "unstorable_text_replaced"
  | "ignored_invalid_person_properties"
  | "ignored_invalid_timestamp"
  | "timestamp_in_future"
  | "timestamp_out_of_range"
  | "historical_without_timestamp"

/** Why v1 does not ingest one event, over and above what `DropReason` says. */
export type V1DropReason =
  | "missing_event_name"
  | "event_name_too_long"
  | "missing_distinct_id"
  | "distinct_id_too_large"
  | "invalid_event_timestamp"
  | "malformed_event_properties"
  | "invalid_options"

/** What is otherwise about an event that is kept. */
export type V1ChangeReason = "person_processing_disabled"

/** Rules of capture that users are told of by warnings. */
export type CaptureReason = DropReason | WarningReason | V1DropReason | V1ChangeReason | "byte_quota_exceeded"
