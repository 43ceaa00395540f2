import type { PersonId } from "../../../kernel/ids.js"
import type { Json, JsonObject } from "../../../kernel/json.js"

/** One event as the workspace reads it. */
export interface PersonEvent {
  readonly uuid: string
  readonly event: string
  readonly distinctId: string
  readonly properties: JsonObject
  /** Corrected time of the event, milliseconds since the epoch. */
  readonly timestampMs: number
  /** When capture received it, milliseconds since the epoch. */
  readonly receivedAtMs: number
  /** Person properties that enrichment found (GeoIP): treated like the event's own `$set` and `$set_once`. */
  readonly foundProperties?: { readonly set: JsonObject; readonly setOnce: JsonObject } | undefined
}

/**
 * `propertyless`: no profile; `force_upgrade`: asked for none, but the id already had one
 * (`docs/contract/capture.md#person-profiles`).
 */
export type PersonMode = "full" | "propertyless" | "force_upgrade"

/** The person as attached to an event: the state after that event. */
export interface EventPerson {
  readonly id: PersonId
  /** Milliseconds since the epoch. */
  readonly createdAtMs: number
  readonly propertiesJson: string
  /** What its row carries of them (`toEventCopy`). Made once per change of the person. */
  readonly copiedJson: string
}

/** Something dropped or changed that the project's users should know about. */
export interface ProcessingWarning {
  readonly type: WarningType
  readonly details: JsonObject
}

/** Why an event was dropped or changed, by the names that users read as ingestion warnings. */
export type WarningType =
  | "invalid_process_person_profile"
  | "invalid_event_when_process_person_profile_is_false"
  | "cannot_merge_with_illegal_distinct_id"
  | "cannot_merge_already_identified"
  | "person_properties_size_violation"
  | "group_type_limit_reached"
  | "group_without_type_or_key"
  | "group_key_too_long"
  | "group_properties_size_violation"

/** An event as it is to be stored, with its person and groups. */
export interface KeptEvent {
  readonly kept: true
  /** As stored: `$group_n` added, the profile flag and personless `$set` removed. */
  readonly properties: JsonObject
  readonly person: EventPerson
  readonly personMode: PersonMode
  /** Keys of the event's groups by type index; empty text where there is none. */
  readonly groupKeys: readonly string[]
  readonly warnings: readonly ProcessingWarning[]
}

/** An event that is not stored, and why. */
export interface DroppedEvent {
  readonly kept: false
  readonly warnings: readonly ProcessingWarning[]
}

/** What became of an event. */
export type ProcessedEvent = KeptEvent | DroppedEvent

/** A `$set`, `$set_once` and `$unset` read from one event. */
export interface PersonOperations {
  readonly set: ReadonlyMap<string, Json>
  readonly setOnce: ReadonlyMap<string, Json>
  readonly unset: readonly string[]
}
