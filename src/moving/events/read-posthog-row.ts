import { isUuid } from "../../kernel/ids.js"
import { isJsonObject, isNestedDeeper, type Json, type JsonObject, parseJson } from "../../kernel/json.js"
import { MAX_LEVELS } from "../files/row-limits.js"
import {
  type CaptureRules,
  type EventToSend,
  type LeftOut,
  type ParseTime,
  toSortedTime,
  toTimestamp,
  uuidOfId,
} from "./event-to-send.js"

const toSet = (names: string): ReadonlySet<string> => new Set(names.split(" "))

/** Columns of events that are taken over, in batch exports, the table of ClickHouse and the events API. */
const TAKEN = toSet("uuid id event properties distinct_id timestamp elements_chain elements set set_once ip")
/** Columns that the server makes anew from the events, or that say nothing about one. */
const MADE_ANEW = toSet(
  "team_id project_id site_url person person_id person_created_at person_properties person_mode created_at captured_at " +
    "inserted_at _inserted_at _timestamp _offset _partition historical_migration now sent_at consumer_breadcrumbs",
)
/** Columns that ClickHouse computes from the properties, and what older versions copied from groups. */
const COMPUTED = /^(?:d?mat_|\$group_\d$|\$(?:session_id|window_id)|group\d_|elements_chain_|properties_group_)/
/** Of persons, as batch exports have them. */
const PERSON_COLUMNS = toSet(
  "team_id distinct_id person_id properties created_at is_deleted is_identified person_version " +
    "person_distinct_id_version version _inserted_at _timestamp",
)
/** The server gives these by its own numbers of group types, from `$groups`. */
const GROUP_COLUMNS = ["$group_0", "$group_1", "$group_2", "$group_3", "$group_4"] as const

/** What rows before it have said: which distinct id a person was made known by. */
export type KnownPersons = Map<string, string>

/** Columns of a row that are neither taken over nor known not to be. */
export const findUnknownColumns = (row: JsonObject): string[] =>
  Object.keys(row).filter((name) =>
    isPersonRow(row) ? !PERSON_COLUMNS.has(name) : !TAKEN.has(name) && !MADE_ANEW.has(name) && !COMPUTED.test(name),
  )

/** Persons of a batch export have no event. */
const isPersonRow = (row: JsonObject): boolean => row.event === undefined && typeof row.person_id === "string"

/**
 * Reads a row that PostHog wrote: of a batch export of events or persons, of its table `events` in ClickHouse, or of its
 * events API. A person becomes an event `$set`; another distinct id of the same person is merged into it.
 */
export function readPosthogRow(row: JsonObject, persons: KnownPersons, rules: CaptureRules): EventToSend | LeftOut {
  return isPersonRow(row) ? readPerson(row, persons, rules) : readEvent(row, rules)
}

function readEvent(row: JsonObject, { parseTime, findDropReason }: CaptureRules): EventToSend | LeftOut {
  const properties = readObject(row.properties ?? {})
  if (properties === null) return { leftOut: "invalid_properties" }
  const time = toSortedTime(row.timestamp, parseTime)
  if (time === null) return { leftOut: "invalid_timestamp" }
  const item: JsonObject = {
    event: row.event ?? null,
    distinct_id: row.distinct_id ?? null,
    timestamp: toTimestamp(time),
    properties: addColumns(properties, row),
  }
  const reason = findDropReason(item)
  return reason === null ? { uuid: findUuid(row), isOfPerson: false, time, item } : { leftOut: reason }
}

/** What stands beside the properties in a row, and belongs into them. */
function addColumns(properties: JsonObject, row: JsonObject): JsonObject {
  const { ip, elements_chain: chain, elements } = row
  const added = { ...properties }
  if (added.$groups !== undefined) for (const name of GROUP_COLUMNS) delete added[name]
  for (const name of ["set", "set_once"] as const) {
    const given = readObject(row[name] ?? null)
    if (given !== null && added[`$${name}`] === undefined) added[`$${name}`] = given
  }
  if (typeof ip === "string" && ip !== "") added.$ip ??= ip
  if (typeof chain === "string" && chain !== "") added.$elements_chain ??= chain
  else if (Array.isArray(elements) && elements.length > 0) added.$elements ??= elements
  return added
}

function readPerson(row: JsonObject, persons: KnownPersons, rules: CaptureRules): EventToSend | LeftOut {
  const { person_id: personId, distinct_id: distinctId = null, is_deleted: isDeleted = false } = row
  if (isDeleted === true || isDeleted === 1) return { leftOut: "deleted_person" }
  const properties = readObject(row.properties ?? {})
  if (properties === null) return { leftOut: "invalid_properties" }
  const time = findPersonTime(row, rules.parseTime)
  if (time === null) return { leftOut: "invalid_timestamp" }
  const person = String(personId)
  const known = persons.get(person)
  if (known === undefined && typeof distinctId === "string") persons.set(person, distinctId)
  const isFirst = known === undefined || known === distinctId
  const item: JsonObject = {
    event: isFirst ? "$set" : "$merge_dangerously",
    distinct_id: isFirst ? distinctId : known,
    timestamp: toTimestamp(time),
    properties: isFirst ? { $set: properties } : { alias: distinctId },
  }
  const reason = rules.findDropReason(item)
  if (reason !== null) return { leftOut: reason }
  const version = isFirst ? `set:${row.person_version ?? row.version ?? ""}` : `merge:${known}`
  return { uuid: uuidOfId("person", `${person}:${distinctId}:${version}`), isOfPerson: true, time, item }
}

/** Older batch exports of persons do not say when a person was first seen; then it is before everything. */
const findPersonTime = ({ created_at: createdAt = null }: JsonObject, parseTime: ParseTime): string | null =>
  toSortedTime(createdAt ?? "1970-01-01T00:00:00.000Z", parseTime)

function findUuid({ uuid, id }: JsonObject): string | null {
  const given = uuid ?? id ?? null
  if (typeof given === "string" && isUuid(given)) return given.toLowerCase()
  return given === null || given === "" ? null : uuidOfId("event", String(given))
}

/** JSON objects are texts in Parquet and in the table of ClickHouse. */
function readObject(value: Json): JsonObject | null {
  if (typeof value !== "string") return isJsonObject(value) ? value : null
  if (value === "") return {}
  try {
    const parsed = parseJson(value)
    return isJsonObject(parsed) && !isNestedDeeper(parsed, MAX_LEVELS) ? parsed : null
  } catch {
    return null
  }
}
