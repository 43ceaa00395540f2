import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.js"

/** Kinds of records in the order in which they are made: those that others refer to come first. */
export const RECORD_KINDS = [
  "cohorts",
  "actions",
  "feature_flags",
  "insights",
  "dashboards",
  "session_recording_playlists",
] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

/** Numbers that the records of a source have in the project, by kind and by their numbers there. */
export type KnownRecords = Readonly<Record<RecordKind, Readonly<Record<string, string>>>>

/** A kind as people call it. */
export const toWords = (kind: RecordKind): string => kind.replaceAll("_", " ")

/** A record refers to one that did not come over. */
export class MissingReference extends Error {
  constructor(kind: RecordKind, id: Json) {
    super(`refers to ${toWords(kind)} ${JSON.stringify(id)}, which did not come over`)
    this.name = "MissingReference"
  }
}

/**
 * A part of a record with the numbers that other records have in the project, in filters, steps and queries.
 * @throws MissingReference for a record that did not come over.
 */
export function translateReferences(value: Json, known: KnownRecords): Json {
  if (Array.isArray(value)) return value.map((each) => translateReferences(each, known))
  if (!isJsonObject(value)) return value
  const inner = Object.entries(value).map(([name, each]): [string, Json] => [name, translateReferences(each, known)])
  return { ...Object.fromEntries(inner), ...translateOwn(value, known) }
}

/** Fields of an object that hold numbers of records, translated. */
function translateOwn(object: JsonObject, known: KnownRecords): JsonObject {
  const { type, kind, key, value, id, event_type: eventType, seq_event_type: seqType } = object
  const toCohort = (given: Json): Json => (given === "all" ? given : toKnown("cohorts", given, known))
  const translated: JsonObject = {}
  if (type === "cohort" && value !== undefined)
    translated.value = Array.isArray(value) ? value.map(toCohort) : toCohort(value)
  if (type === "flag" && key !== undefined) translated.key = String(toKnown("feature_flags", key, known))
  if (eventType === "actions" && key !== undefined) translated.key = toKnown("actions", key, known)
  if (seqType === "actions" && object.seq_event !== undefined)
    translated.seq_event = toKnown("actions", object.seq_event, known)
  if ((kind === "ActionsNode" || type === "actions") && id !== undefined) translated.id = toKnown("actions", id, known)
  if (object.breakdown_type === "cohort" && object.breakdown !== undefined) {
    const { breakdown } = object
    translated.breakdown = Array.isArray(breakdown) ? breakdown.map(toCohort) : toCohort(breakdown)
  }
  return translated
}

function toKnown(kind: RecordKind, id: Json, known: KnownRecords): number {
  const found = known[kind][String(id)]
  if (found === undefined) throw new MissingReference(kind, id)
  return Number(found)
}
