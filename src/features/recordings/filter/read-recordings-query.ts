import { AppError } from "../../../kernel/errors.js"
import { isJsonObject, type Json, type JsonObject, toStorableJson, toStorableText } from "../../../kernel/json.js"
import { toTimeMs } from "../../../kernel/time-text.js"
import { RECORDING_MEASURES } from "../recording-measure.js"
import type { EventCondition, PropertyFilters, RecordingFilter, RecordingOrder } from "../recordings.types.js"

const WHOLE_DAY = /^\d{4}-\d{2}-\d{2}$/

/** What a query of kind `RecordingsQuery` asks for; its window is the reader's own business. */
export interface ReadRecordingsQuery {
  readonly filter: RecordingFilter
  readonly order: RecordingOrder
}

/**
 * Reads the fields of a `RecordingsQuery` (`docs/contract/recordings.md#recordings-query`) as REST and queries of that
 * kind write them. Absent and null fields, and empty lists of conditions, say nothing; unknown fields are passed over.
 * @throws AppError invalid_input or invalid_choice naming the field.
 */
export function readRecordingsQuery(query: JsonObject, nowMs: number): ReadRecordingsQuery {
  const read = (name: string): Json => (Object.hasOwn(query, name) ? (query[name] ?? null) : null)
  const filter: { -readonly [Name in keyof RecordingFilter]: RecordingFilter[Name] } = {
    from: toTime(read("date_from"), "date_from", nowMs),
    to: toTime(endOfDay(read("date_to")), "date_to", nowMs),
    sessionIds: toTexts(read("session_ids"), "session_ids"),
    distinctIds: toTexts(read("distinct_ids"), "distinct_ids"),
    personUuid: toText(read("person_uuid"), "person_uuid"),
    eventConditions: someOrNone([
      ...toList(read("events"), "events").map((item) => toEventCondition(item, "events")),
      ...toList(read("actions"), "actions").map((item) => toEventCondition(item, "actions")),
    ]),
    properties: someOrNone([
      ...toFilters(read("properties"), "properties"),
      ...toFilters(read("console_log_filters"), "console_log_filters", "log_entry"),
      ...toFilters(read("having_predicates"), "having_predicates", "recording"),
    ]),
    matchAny: read("operand") === null ? undefined : toChoice(read("operand"), "operand", ["AND", "OR"]) === "OR",
    leaveOutTestAccounts: toFlag(read("filter_test_accounts"), "filter_test_accounts"),
  }
  return { filter, order: toOrder(read("order"), read("order_direction")) }
}

function toOrder(order: Json, direction: Json): RecordingOrder {
  const descending = direction === null || toChoice(direction, "order_direction", ["ASC", "DESC"]) === "DESC"
  if (order === null) return { by: "start_time", descending }
  const by = order === "recording_duration" ? "duration" : order
  return { by: toChoice(by, "order", ["start_time", ...RECORDING_MEASURES]), descending }
}

/** @param field `events` or `actions`, which says what is meant where the type does not. */
function toEventCondition(item: Json, field: "events" | "actions"): EventCondition {
  if (!isJsonObject(item)) throw invalid(field, "Each event must be an object with an id, which is its name.")
  const { id, name = null, type = field, properties = null } = item
  const filters = isJsonObject(properties) ? [properties] : toList(properties, field)
  if (type === "actions") {
    if (!/^\d{1,9}$/.test(String(id))) throw invalid(field, "The id of an action must be its number.")
    const matches = { type: "hogql", key: `matchesAction(${Number(id)})` }
    return { event: null, properties: [matches, ...toStorableJson([...filters])], field }
  }
  // An id of null stands for every event, and its name is only what people read.
  const event = id === undefined ? name : id
  if (event !== null && typeof event !== "string")
    throw invalid("events", "The id of an event must be its name, or null for any event.")
  if (id === undefined && event === null) throw invalid("events", "Each event needs an id, which is its name.")
  return { event: event === null ? null : toStorableText(event), properties: toStorableJson([...filters]) }
}

/** Conditions of one field; those of a field with a kind of its own are all of that kind. */
function toFilters(value: Json, name: string, type?: string): PropertyFilters[] {
  const isGroup = isJsonObject(value) && Array.isArray(value.values)
  const filters = isGroup ? value : toList(value, name)
  if (Array.isArray(filters) && filters.length === 0) return []
  const typed =
    type === undefined || !Array.isArray(filters) ? filters : filters.map((item) => ofType(item, name, type))
  return [{ field: name, filters: toStorableJson(typed) }]
}

function ofType(item: Json, name: string, type: string): Json {
  if (isJsonObject(item)) return { ...item, type }
  throw invalid(name, "Each condition must be an object with key, operator and value.")
}

const someOrNone = <Item>(items: readonly Item[]): readonly Item[] | undefined =>
  items.length === 0 ? undefined : items

function toList(value: Json, name: string): Json[] {
  if (value === null) return []
  if (Array.isArray(value)) return value
  throw invalid(name, "Write a JSON array.")
}

function toText(value: Json, name: string): string | undefined {
  if (value === null) return undefined
  if (typeof value === "string" || typeof value === "number") return toStorableText(String(value))
  throw invalid(name, "Not a valid string.")
}

function toTexts(value: Json, name: string): string[] | undefined {
  if (value === null) return undefined
  return toList(value, name).map((item) => {
    if (typeof item === "string") return toStorableText(item)
    throw invalid(name, "Write a JSON array of texts.")
  })
}

/** `all` stands for no bound, which is where the project's retention begins. */
function toTime(value: Json, name: string, nowMs: number): Date | undefined {
  if (value === null) return undefined
  const timeMs = value === "all" ? 0 : typeof value === "string" ? toTimeMs(value, nowMs) : null
  if (timeMs === null) throw invalid(name, "Write an ISO 8601 time or a relative one such as -7d.")
  return new Date(timeMs)
}

/** A day as an upper end means all of it. */
const endOfDay = (value: Json): Json => {
  if (value === "all") return null
  return typeof value === "string" && WHOLE_DAY.test(value) ? `${value}T23:59:59.999Z` : value
}

function toFlag(value: Json, name: string): boolean | undefined {
  if (value === null) return undefined
  const word = typeof value === "object" ? "" : String(value).toLowerCase()
  if (word === "true" || word === "1") return true
  if (word === "false" || word === "0") return false
  throw invalid(name, "Must be a valid boolean.")
}

function toChoice<Choice extends string>(value: Json, name: string, choices: readonly Choice[]): Choice {
  const chosen = choices.find((choice) => choice === value)
  if (chosen !== undefined) return chosen
  throw new AppError("invalid_choice", { attr: name, detail: `Write one of: ${choices.join(", ")}.` })
}

const invalid = (attr: string, detail: string): AppError => new AppError("invalid_input", { attr, detail })
