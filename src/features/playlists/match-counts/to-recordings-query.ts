import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"

/** Fields that saved filters and a `RecordingsQuery` share. */
const SHARED = [
  "date_from",
  "date_to",
  "filter_test_accounts",
  "operand",
  "person_uuid",
  "distinct_ids",
  "events",
  "actions",
  "properties",
  "console_log_filters",
  "having_predicates",
]

/**
 * Turns the saved filters of a playlist into the `RecordingsQuery` (`docs/contract/recordings.md#recordings-query`)
 * that finds the same recordings. Clients write filters in two ways: as nested groups (`filter_group`, `duration`), and
 * as lists (`events`, `properties`, `session_recording_duration`, `console_logs`). Null for anything else, and for what
 * no `RecordingsQuery` can express.
 */
export function toRecordingsQuery(filters: Json): JsonObject | null {
  if (!isJsonObject(filters)) return null
  const shared = Object.fromEntries(
    SHARED.filter((name) => Object.hasOwn(filters, name)).map((name) => [name, filters[name] ?? null]),
  )
  if (!Object.hasOwn(filters, "filter_group")) return { ...shared, ...fromLists(filters) }
  const conditions = fromGroups(filters.filter_group ?? null, toList(filters.duration ?? null))
  return conditions === null ? null : { ...shared, ...conditions }
}

const isGroup = (item: Json): item is JsonObject & { readonly values: readonly Json[] } =>
  isJsonObject(item) && Array.isArray(item.values)

const isEvent = (item: Json): boolean => isJsonObject(item) && item.type === "events"
const isAction = (item: Json): boolean => isJsonObject(item) && item.type === "actions"

/** How long recordings have to be always holds, whatever joins the rest. */
function fromGroups(filterGroup: Json, durations: Json[]): JsonObject | null {
  if (!isGroup(filterGroup)) return filterGroup === null ? { having_predicates: durations } : null
  const group = toInnermostGroup(filterGroup)
  const entities = group.values.filter((item) => isEvent(item) || isAction(item))
  if (entities.length === 0)
    return { properties: { type: "AND", values: [group, ...durations.map(toRecordingCondition)] } }
  const isAny = group.type === "OR"
  if (group.values.some(isGroup) || (isAny && durations.length > 0)) return null
  return {
    operand: isAny ? "OR" : "AND",
    events: entities.filter(isEvent),
    actions: entities.filter(isAction),
    properties: group.values.filter((item) => !entities.includes(item)),
    having_predicates: durations,
  }
}

/** A group that holds but one group says what that one says. */
function toInnermostGroup(group: JsonObject & { readonly values: readonly Json[] }): typeof group {
  const [only, ...others] = group.values
  return only !== undefined && others.length === 0 && isGroup(only) ? toInnermostGroup(only) : group
}

function fromLists(filters: JsonObject): JsonObject {
  const { session_recording_duration: duration = null, console_logs: levels = null } = filters
  const { duration_type_filter: measure = null, console_search_query: search = null } = filters
  const having = isJsonObject(duration) ? [{ ...duration, key: measure ?? duration.key ?? null }] : []
  const lines = [
    ...(toList(levels).length === 0 ? [] : [{ key: "level", operator: "exact", value: levels }]),
    ...(search === null || search === "" ? [] : [{ key: "message", operator: "icontains", value: search }]),
  ]
  return {
    having_predicates: [...toList(filters.having_predicates ?? null), ...having],
    console_log_filters: [...toList(filters.console_log_filters ?? null), ...lines],
  }
}

const toRecordingCondition = (item: Json): Json => (isJsonObject(item) ? { ...item, type: "recording" } : item)

const toList = (value: Json): Json[] => (Array.isArray(value) ? value : [])
