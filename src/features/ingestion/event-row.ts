import type { KeptEvent } from "../persons/index.js"
import type { EnrichedEvent } from "./enrich/enriched-event.js"

/** The earliest and latest time that `DateTime64(6)` holds with room for every time zone. */
const MIN_TIME = "1900-01-02 00:00:00.000"
const MAX_TIME = "2262-01-01 00:00:00.000"

/**
 * One row of the table `events` as JSON text. Written by hand, because a slice makes ten thousand of them: names are constant,
 * uuids and times need no quoting, and properties go in as the objects they are (the engine keeps the text of an object where
 * the column is a text).
 */
export function toEventRow(event: EnrichedEvent, { properties, person, personMode, groupKeys }: KeptEvent): string {
  return `{"project_id":${event.projectId},"uuid":"${event.uuid}","event":${JSON.stringify(event.event)},"distinct_id":${JSON.stringify(
    event.distinctId,
  )},"properties":${JSON.stringify(properties)},"elements_chain":${JSON.stringify(
    event.elementsChain,
  )},"timestamp":"${toDateTime(event.timestamp)}","client_timestamp":${
    event.clientTimestamp === null ? "null" : `"${toDateTime(event.clientTimestamp)}"`
  },"created_at":"${fromMs(event.receivedAtMs)}","person_id":"${person.id}","person_created_at":"${fromMs(
    person.createdAtMs,
  )}","person_properties":${person.propertiesJson},"person_mode":"${personMode}","$session_id":${textOf(
    properties.$session_id,
  )},"$window_id":${textOf(properties.$window_id)},${groupColumns(groupKeys)}"historical_migration":${
    event.historicalMigration
  }}`
}

function groupColumns(groupKeys: readonly string[]): string {
  let columns = ""
  for (let index = 0; index < groupKeys.length; index++) {
    const key = groupKeys[index] as string
    if (key !== "") columns += `"$group_${index}":${JSON.stringify(key)},`
  }
  return columns
}

/** SDKs send these ids as texts; anything else has no place in the column. */
const textOf = (value: unknown): string => (typeof value === "string" ? JSON.stringify(value) : '""')

/** ISO 8601 UTC to what ClickHouse reads without guessing; times that the column cannot hold are moved to its bounds. */
export function toDateTime(iso: string): string {
  if (iso.length !== 24) return iso.startsWith("-") ? MIN_TIME : MAX_TIME
  const text = `${iso.slice(0, 10)} ${iso.slice(11, 23)}`
  return text < MIN_TIME ? MIN_TIME : text > MAX_TIME ? MAX_TIME : text
}

/** Milliseconds since the epoch to ClickHouse's date-time text. */
export const fromMs = (ms: number): string => toDateTime(new Date(ms).toISOString())
