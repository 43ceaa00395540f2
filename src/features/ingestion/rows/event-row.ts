import { EVENT_PROPERTY_COLUMNS, toPropertyColumn } from "../../../kernel/property-columns.js"
import { escapeField, NULL_FIELD } from "../../../kernel/tab-separated.js"
import type { KeptEvent } from "../../persons/index.js"
import type { EnrichedEvent } from "../enrich/enriched-event.js"
import { createPropertyFieldsWriter, writeProperties } from "./property-text.js"

/** The earliest and latest time that `DateTime64(6)` holds with room for every time zone. */
const MIN_TIME = "1900-01-02 00:00:00.000"
const MAX_TIME = "2262-01-01 00:00:00.000"

/** The columns of `events` that `toEventRow` writes, in its order. */
export const EVENT_COLUMNS: readonly string[] = [
  "project_id",
  "uuid",
  "event",
  "distinct_id",
  "properties",
  "elements_chain",
  "timestamp",
  "client_timestamp",
  "created_at",
  "person_id",
  "person_created_at",
  "person_properties",
  "person_mode",
  "$session_id",
  "$window_id",
  "$group_0",
  "$group_1",
  "$group_2",
  "$group_3",
  "$group_4",
  "historical_migration",
  ...EVENT_PROPERTY_COLUMNS.map(toPropertyColumn),
  "batch",
  "batch_position",
]

const writePropertyFields = createPropertyFieldsWriter(EVENT_PROPERTY_COLUMNS)

/**
 * One row of the table `events` as fields between tabs. Numbers, uuids and times have nothing to escape. `batch` is the
 * number of its batch, `position` that of the event therein: the order in which events are stored.
 */
export function toEventRow(
  event: EnrichedEvent,
  { properties, person, personMode, groupKeys }: KeptEvent,
  batch: number,
  position: number,
): string {
  const json = writeProperties(properties, JSON.stringify(properties))
  const columns = writePropertyFields(properties)
  return `${event.projectId}\t${event.uuid}\t${escapeField(event.event)}\t${escapeField(event.distinctId)}\t${escapeField(
    json,
  )}\t${escapeField(event.elementsChain)}\t${toDateTime(event.timestamp)}\t${
    event.clientTimestamp === null ? NULL_FIELD : toDateTime(event.clientTimestamp)
  }\t${fromMs(event.receivedAtMs)}\t${person.id}\t${fromMs(person.createdAtMs)}\t${escapeField(
    person.copiedJson,
  )}\t${personMode}\t${toIdField(properties.$session_id)}\t${toIdField(properties.$window_id)}\t${groupColumns(
    groupKeys,
  )}\t${event.historicalMigration}${columns}\t${batch}\t${position}`
}

const groupColumns = (groupKeys: readonly string[]): string => groupKeys.map(escapeField).join("\t")

/** SDKs send these ids as texts; anything else has no place in the column. */
const toIdField = (value: unknown): string => (typeof value === "string" ? escapeField(value) : "")

/** ISO 8601 UTC to what ClickHouse reads without guessing; times that the column cannot hold are moved to its bounds. */
export function toDateTime(iso: string): string {
  if (iso.length !== 24) return iso.startsWith("-") ? MIN_TIME : MAX_TIME
  const text = `${iso.slice(0, 10)} ${iso.slice(11, 23)}`
  return text < MIN_TIME ? MIN_TIME : text > MAX_TIME ? MAX_TIME : text
}

/** Milliseconds since the epoch to ClickHouse's date-time text. */
export const fromMs = (ms: number): string => toDateTime(new Date(ms).toISOString())
